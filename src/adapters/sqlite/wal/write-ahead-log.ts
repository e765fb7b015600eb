import { statSync } from 'node:fs'
import type { Connection } from '../database.js'
import type { WalCheckpointer } from './checkpointer.js'

/** A reader lets go of an old page within a request; until then it is tried again this often. */
const RETRY_MS = 50
/** Hot pages are written again and again: so many documents may be written before they are copied. Each takes several pages. */
const CHECKPOINT_AFTER_DOCUMENTS = 500
/** Cutting takes a while, however little is left to copy: those who are erased one soon after the other leave together. */
const TRUNCATE_DELAY_MS = { least: 1000, most: 3000 }

/**
 * The write-ahead log of one file, as its writer sees it. It keeps the pages from before an erasure, and grows, until it is
 * emptied: its pages are copied into the file, then it is cut to nothing. Nobody waits for that: a reader may hold on to an
 * old page for as long as it likes, and the projector must go on meanwhile. With a copier the writer's thread only cuts.
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

  /** Without a copier SQLite itself keeps it from growing, inside the writer's commits (`wal_autocheckpoint`). */
  constructor(db: Connection, path: string, copier: WalCheckpointer | null) {
    this.#db = db
    this.#path = path
    this.#checkpointer = copier
  }

  /** Rids the file of old pages, soon, when no reader holds on to one any more. */
  truncateSoon(): void {
    if (this.#truncatePending || this.#isEmpty) return
    this.#truncatePending = true
    if (this.#checkpointer === null) this.#checkpointAndTruncate()
    // Not all models of a process one right after the other.
    else this.#scheduleTruncate(TRUNCATE_DELAY_MS.least + Math.random() * (TRUNCATE_DELAY_MS.most - TRUNCATE_DELAY_MS.least))
  }

  /** Keeps it from growing: where all of it is copied, the next commit begins it anew. */
  committed(documents: number): void {
    this.#written += documents
    if (this.#checkpointer === null || this.#checkpointing !== null || this.#written < CHECKPOINT_AFTER_DOCUMENTS) return
    this.#written = 0
    this.#checkpoint(this.#checkpointer)
  }

  /** Tries a last time. The last connection of all to close a file empties its write-ahead log anyway, and so does the next leader. */
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

  async #checkpoint(copier: WalCheckpointer): Promise<void> {
    this.#checkpointing = copier.checkpoint(this.#path)
    await this.#checkpointing
    this.#checkpointing = null
  }

  #truncate(): boolean {
    if (this.#db.inTransaction) return false
    const patience = this.#db.prepare('PRAGMA busy_timeout').raw().get() as unknown as [number]
    this.#db.exec('PRAGMA busy_timeout = 0')
    try {
      const [busy] = this.#db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').raw().get() as unknown as [number]
      return busy === 0
    } catch {
      // A full or failing disk: the next commit will say so, to somebody who can tell.
      return false
    } finally {
      this.#db.exec(`PRAGMA busy_timeout = ${patience[0]}`)
    }
  }
}
