import { ConnectionError } from '../errors.js'
import { timerMs } from './wait.js'

/** One request and its response. It ends with the caller's signal or after a silence, and then its connection is given up. */
export class Exchange {
  readonly #controller = new AbortController()
  readonly #signal: AbortSignal | undefined
  readonly #timeoutMs: number
  readonly #cancel = (): void => this.#controller.abort()
  #timer: ReturnType<typeof setTimeout> | undefined
  #isTimedOut = false

  constructor(timeoutMs: number, signal?: AbortSignal) {
    signal?.throwIfAborted()
    this.#timeoutMs = timeoutMs
    this.#signal = signal
    signal?.addEventListener('abort', this.#cancel)
    this.#startTimer()
  }

  async fetch(send: (signal: AbortSignal) => Promise<Response>): Promise<Response> {
    try {
      return await send(this.#controller.signal)
    } catch (error) {
      throw this.#failure(error, 'no answer')
    }
  }

  /** The bytes of a body as they come. In a stream, each part has its own time, which does not run while the reader is busy. */
  async *bytes(body: ReadableStream<Uint8Array> | null, isStream = false): AsyncGenerator<Uint8Array, void, void> {
    if (body === null) return
    const reader = body.getReader()
    for (;;) {
      if (isStream) this.#startTimer()
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw this.#failure(error, 'no complete answer')
      })
      if (done) return
      if (isStream) clearTimeout(this.#timer)
      yield value
    }
  }

  /** Also gives up what has not been read. */
  end(): void {
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#cancel)
    this.#controller.abort()
  }

  #startTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#isTimedOut = true
      this.#controller.abort()
    }, timerMs(this.#timeoutMs))
  }

  #failure(cause: unknown, what: string): unknown {
    if (this.#signal?.aborted) return this.#signal.reason
    if (this.#isTimedOut) return new ConnectionError(`${what} within ${this.#timeoutMs} ms`)
    return new ConnectionError(`${what}: ${reasonOf(cause)}`, { cause })
  }
}

/** Node says "fetch failed" and keeps the reason in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}
