import { EventEmitter } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { ChangeStream, Document } from 'mongodb'
import { Backoff } from '../../lib/backoff-and-timeout.js'
import { RECONNECTING } from './connection.js'

/** The one method of a collection that this class uses. */
interface Watchable {
  watch(pipeline: Document[]): ChangeStream
}

/** Notifies listeners of changes in one collection, by any process. The server sends them: nothing is polled. */
export class ChangeStreamListener {
  readonly #collection: Watchable
  readonly #events = new EventEmitter().setMaxListeners(0)
  readonly #closing = new AbortController()
  #stream: ChangeStream | null = null
  #running: Promise<void> | null = null

  constructor(collection: Watchable) {
    this.#collection = collection
  }

  listen(listener: () => void): () => void {
    this.#events.on('change', listener)
    this.#running ??= this.#run()
    return () => this.#events.off('change', listener)
  }

  readonly notify = (): void => {
    this.#events.emit('change')
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#events.removeAllListeners()
    await this.#stream?.close().catch(() => {})
    await this.#running
  }

  /** The driver resumes after a lost connection; when it gives up, this starts a new stream. */
  async #run(): Promise<void> {
    let backoff = new Backoff(RECONNECTING)
    while (!this.#closing.signal.aborted) {
      try {
        await this.#listenOnce(() => {
          backoff = new Backoff(RECONNECTING)
        })
      } catch {
        // No server, or one that cannot resume the stream.
      }
      // Also after a normal end, so that a stream that ends at once is not reopened in a tight loop.
      await delay(backoff.failed(), undefined, { signal: this.#closing.signal }).catch(() => {})
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
