import { Worker } from 'node:worker_threads'

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
