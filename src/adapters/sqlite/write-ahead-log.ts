import { closeSync, fdatasync, openSync, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import type { Connection } from './database.js'

/** How often to retry while a reader holds an old page; readers release it within a request. */
const RETRY_MS = 50
/** Documents written between two checkpoints. Hot pages are written again and again, so copying them rarely pays. */
const CHECKPOINT_AFTER_DOCUMENTS = 500
/** Truncating takes a while however little is left to copy: one truncation serves several erasures. */
const TRUNCATE_DELAY_MS = { least: 1000, most: 3000 }

/**
 * The write-ahead log of one file, as its writer sees it. It grows, and keeps the pages from before an erasure, until its
 * pages are copied into the file and it is truncated. That happens in the background: a reader may hold an old page for
 * long, and the projector must not wait for it. With a checkpointer, the writer's thread only truncates.
 */
export class WriteAheadLog {
  readonly #db: Connection
  readonly #path: string
  readonly #checkpointer: WalCheckpointer | null
  #checkpointing: Promise<void> | null = null
  #timer: NodeJS.Timeout | null = null
  #truncatePending = false
  #written = 0
  #closed = false

  /** Without a checkpointer, SQLite limits its size inside the writer's commits (`wal_autocheckpoint`). */
  constructor(db: Connection, path: string, checkpointer: WalCheckpointer | null) {
    this.#db = db
    this.#path = path
    this.#checkpointer = checkpointer
  }

  /** Removes old pages soon, as soon as no reader holds one. */
  truncateSoon(): void {
    if (this.#truncatePending || this.#isEmpty) return
    this.#truncatePending = true
    if (this.#checkpointer === null) this.#checkpointAndTruncate()
    // At a random moment, so that the models of a process do not truncate all at once.
    else this.#scheduleTruncate(TRUNCATE_DELAY_MS.least + Math.random() * (TRUNCATE_DELAY_MS.most - TRUNCATE_DELAY_MS.least))
  }

  /** Limits its size: once everything is copied, the next commit starts it from the beginning. */
  committed(documents: number): void {
    this.#written += documents
    if (this.#checkpointer === null || this.#checkpointing !== null || this.#written < CHECKPOINT_AFTER_DOCUMENTS) return
    this.#written = 0
    this.#checkpoint(this.#checkpointer)
  }

  /** Tries once more. The last connection to close the file truncates the log anyway, and so does the next leader. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#checkpointing
    if (this.#truncatePending) this.#truncate()
    this.#truncatePending = false
  }

  get #isEmpty(): boolean {
    return (statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0
  }

  #scheduleTruncate(ms: number): void {
    this.#timer = setTimeout(() => this.#checkpointAndTruncate(), ms)
    this.#timer.unref()
  }

  async #checkpointAndTruncate(): Promise<void> {
    if (this.#checkpointer !== null) await this.#checkpoint(this.#checkpointer)
    if (this.#closed) return
    if (this.#truncate()) this.#truncatePending = false
    else this.#scheduleTruncate(RETRY_MS)
  }

  async #checkpoint(checkpointer: WalCheckpointer): Promise<void> {
    this.#checkpointing = checkpointer.checkpoint(this.#path)
    await this.#checkpointing
    this.#checkpointing = null
  }

  #truncate(): boolean {
    const [timeout] = this.#db.prepare<[number]>('PRAGMA busy_timeout').one()
    this.#db.exec('PRAGMA busy_timeout = 0')
    try {
      const [busy] = this.#db.prepare<[number]>('PRAGMA wal_checkpoint(TRUNCATE)').one()
      return busy === 0
    } catch {
      // A full or failing disk: the next commit reports it.
      return false
    } finally {
      this.#db.exec(`PRAGMA busy_timeout = ${timeout}`)
    }
  }
}

interface PendingCheckpoint {
  resolve: () => void
  done: Promise<void>
}

const MEMORY = { maxOldGenerationSizeMb: 32 }

/**
 * Copies pages from write-ahead logs into their files in a thread of its own, while others read and write them: thousands
 * of pages take tens of milliseconds, which would block the writer's thread. The first checkpoint starts the thread.
 */
export class WalCheckpointer {
  #thread: { worker: Worker; exited: Promise<void> } | null = null
  #ended = false
  readonly #pending = new Map<string, PendingCheckpoint>()

  /** Settles once all pages are copied that no reader holds. */
  checkpoint(path: string): Promise<void> {
    // Without the thread, SQLite checkpoints inside the writers' commits.
    if (this.#ended) return Promise.resolve()
    const pending = this.#pending.get(path)
    if (pending !== undefined) return pending.done
    this.#thread ??= this.#startThread()
    const { worker } = this.#thread
    let settle: PendingCheckpoint['resolve'] = () => {}
    const done = new Promise<void>((resolve) => {
      settle = resolve
    })
    this.#pending.set(path, { resolve: settle, done })
    // The caller waits for it, and the process may have nothing else to do.
    worker.ref()
    worker.postMessage(path)
    return done
  }

  /** Finishes pending checkpoints first. */
  async close(): Promise<void> {
    this.#ended = true
    if (this.#thread === null) return
    this.#thread.worker.ref()
    this.#thread.worker.postMessage(null)
    await this.#thread.exited
  }

  #startThread() {
    const worker = new Worker(new URL('./checkpointer-thread.js', import.meta.url), { resourceLimits: MEMORY })
    worker.unref()
    worker.on('message', (path: string) => this.#resolve(path))
    worker.on('error', () => {})
    const exited = new Promise<void>((resolve) => {
      worker.once('exit', () => {
        this.#ended = true
        for (const path of this.#pending.keys()) this.#resolve(path)
        resolve()
      })
    })
    return { worker, exited }
  }

  #resolve(path: string): void {
    this.#pending.get(path)?.resolve()
    this.#pending.delete(path)
    if (this.#pending.size === 0 && !this.#ended) this.#thread?.worker.unref()
  }
}

/**
 * Brings the write-ahead log of a file to the disk in another thread, which `synchronous=FULL` does inside each commit: a slow
 * disk would hold up every reader of the process. Open it after the file. SQLite locks the file itself, never the log, so closing
 * the log a second time releases no lock.
 */
export class DiskSync {
  readonly #log: number
  readonly #sync: (file: number) => Promise<void>
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | null = null

  constructor(path: string, sync: (file: number) => Promise<void> = promisify(fdatasync)) {
    this.#log = openSync(`${path}-wal`, 'r+')
    this.#sync = sync
  }

  /** Once it resolves, what was committed before the call survives a power cut. Commits that wait for another's turn share one. */
  reached(): Promise<void> {
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = null
        this.#running = this.#sync(this.#log)
        return this.#running
      })
    return this.#next
  }

  async close(): Promise<void> {
    await (this.#next ?? this.#running).catch(() => {})
    closeSync(this.#log)
  }
}
