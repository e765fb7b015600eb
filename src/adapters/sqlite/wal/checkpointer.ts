import { Worker } from 'node:worker_threads'

interface PendingCheckpoint {
  resolve: () => void
  done: Promise<void>
}

const MEMORY = { maxOldGenerationSizeMb: 32 }

/**
 * Copies pages from write-ahead logs into their files in a thread of its own, while others read and write them: thousands
 * of pages take tens of milliseconds, in which the writer's thread would stand still. The thread begins with the first.
 */
export class WalCheckpointer {
  #thread: { worker: Worker; exited: Promise<void> } | null = null
  #ended = false
  readonly #pending = new Map<string, PendingCheckpoint>()

  /** Settles once it is done, as far as readers let it. */
  checkpoint(path: string): Promise<void> {
    // Without the thread writers copy by themselves, as they do where there never was one.
    if (this.#ended) return Promise.resolve()
    const under = this.#pending.get(path)
    if (under !== undefined) return under.done
    this.#thread ??= this.#startThread()
    const { worker } = this.#thread
    let answer: PendingCheckpoint['resolve'] = () => {}
    const done = new Promise<void>((resolve) => {
      answer = resolve
    })
    this.#pending.set(path, { resolve: answer, done })
    // Somebody awaits it, and may be about to end.
    worker.ref()
    worker.postMessage(path)
    return done
  }

  /** What was asked for before is done first. */
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
