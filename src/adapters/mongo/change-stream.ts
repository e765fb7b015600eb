import { setTimeout as delay } from 'node:timers/promises'
import type { ChangeStream, Document } from 'mongodb'

const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 2000

/** The one method of a collection that this class uses. */
export interface Watchable {
  watch(pipeline: Document[]): ChangeStream
}

/** Notifies listeners of changes in one collection, by any process. The server sends them: nothing is polled. */
export class ChangeStreamListener {
  readonly #collection: Watchable
  readonly #listeners = new Set<() => void>()
  readonly #closing = new AbortController()
  #stream: ChangeStream | null = null
  #running: Promise<void> | null = null

  constructor(collection: Watchable) {
    this.#collection = collection
  }

  listen(listener: () => void): () => void {
    // Wrapped, so that the same listener given twice is two listeners.
    const wrapped = () => listener()
    this.#listeners.add(wrapped)
    this.#running ??= this.#run()
    return () => this.#listeners.delete(wrapped)
  }

  readonly notify = (): void => {
    for (const listener of [...this.#listeners]) if (this.#listeners.has(listener)) listener()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#listeners.clear()
    await this.#stream?.close().catch(() => {})
    await this.#running
  }

  /** The driver resumes after a lost connection; when it gives up, this starts a new stream. */
  async #run(): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; !this.#closing.signal.aborted; pause = Math.min(MAX_PAUSE_MS, pause * 2)) {
      try {
        await this.#listenOnce(() => {
          pause = FIRST_PAUSE_MS
        })
      } catch {
        // No server, or one that cannot resume the stream.
      }
      // Also after a normal end, so that a stream that ends at once is not reopened in a tight loop.
      await delay(pause, undefined, { signal: this.#closing.signal }).catch(() => {})
    }
  }

  async #listenOnce(onStart: () => void): Promise<void> {
    const stream = this.#collection.watch([{ $project: { _id: 1 } }])
    this.#stream = stream
    try {
      // The server's first answer: no change is missed from here on, but some may have been before.
      stream.once('resumeTokenChanged', () => {
        onStart()
        this.notify()
      })
      await new Promise<void>((resolve, reject) => {
        stream.on('change', this.notify)
        stream.on('error', reject)
        stream.on('close', () => resolve())
      })
    } finally {
      await stream.close().catch(() => {})
    }
  }
}
