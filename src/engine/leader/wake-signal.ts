import { once } from 'node:events'
import type { DocumentStore } from '../../ports/document-store.js'

/** Look at the requests at most this often: most changes of the store are commits. */
const POLL_MS = 200
/** Look after this many polls without a change, too: a build makes progress silently, and a notification may get lost. */
const MAX_SILENT_POLLS = 5

/** Wakes a leader that waits for events: for a control record in the store, or a build that has ended. */
export class WakeSignal {
  readonly #ended: AbortSignal
  readonly #unlisten: () => void
  readonly #timer: NodeJS.Timeout
  readonly #end = () => this.#waiting.abort()
  #waiting = new AbortController()
  #changed = true
  #due = true
  #silent = 0

  constructor(store: DocumentStore, ended: AbortSignal) {
    this.#ended = ended
    this.#unlisten = store.onControlRecord(() => {
      this.#changed = true
    })
    this.#timer = setInterval(() => this.#poll(), POLL_MS)
    this.#timer.unref()
    ended.addEventListener('abort', this.#end)
  }

  /** Aborts when there is something to look at, and when the lead ends. */
  get signal(): AbortSignal {
    return this.#waiting.signal
  }

  /** Whether to look now. Resets it, and {@link signal}. */
  takeDue(): boolean {
    const due = this.#due
    this.#due = false
    if (!this.#ended.aborted) this.#waiting = new AbortController()
    return due
  }

  /** Resolves when there is something to look at, and when the lead ends. */
  async wait(): Promise<void> {
    if (!this.signal.aborted) await once(this.signal, 'abort')
  }

  #poll(): void {
    this.#silent += 1
    if (this.#changed || this.#silent === MAX_SILENT_POLLS) this.wake()
  }

  wake(): void {
    this.#changed = false
    this.#silent = 0
    this.#due = true
    this.#waiting.abort()
  }

  close(): void {
    this.#unlisten()
    clearInterval(this.#timer)
    this.#ended.removeEventListener('abort', this.#end)
  }
}
