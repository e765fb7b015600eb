import type { DocumentStore } from '../../ports/document-store.js'

/** A change of the store may be a request; it may just as well be one of many commits, so look this often at most. */
const POLL_MS = 200
/** Look after so many silent turns anyway: work beside us goes on without writing notes, and a notice may get lost. */
const MAX_SILENT_POLLS = 5

/**
 * Tells a leader that waits for events that there is something else to look at: a note in the store, or work beside it
 * that has ended.
 */
export class WakeSignal {
  readonly #over: AbortSignal
  readonly #unlisten: () => void
  readonly #timer: NodeJS.Timeout
  readonly #end = () => this.#waiting.abort()
  #waiting = new AbortController()
  #changed = true
  #due = true
  #silent = 0

  constructor(store: DocumentStore, over: AbortSignal) {
    this.#over = over
    this.#unlisten = store.onControlRecord(() => {
      this.#changed = true
    })
    this.#timer = setInterval(() => this.#poll(), POLL_MS)
    this.#timer.unref()
    over.addEventListener('abort', this.#end)
  }

  /** Aborts when there is something to look at, and when leading is over. */
  get signal(): AbortSignal {
    return this.#waiting.signal
  }

  /** Whether to look now. Asking begins a new turn. */
  get takeDue(): boolean {
    const due = this.#due
    this.#due = false
    if (!this.#over.aborted) this.#waiting = new AbortController()
    return due
  }

  /** Settles when there is something to look at, and when leading is over. */
  wait(): Promise<void> {
    const { signal } = this
    return new Promise((resolve) => {
      if (signal.aborted) resolve()
      else signal.addEventListener('abort', () => resolve(), { once: true })
    })
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
    this.#over.removeEventListener('abort', this.#end)
  }
}
