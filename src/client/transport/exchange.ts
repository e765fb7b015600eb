import { ConnectionError, UnexpectedAnswerError } from '../errors.js'
import { timerMs } from './wait.js'

/** One request and its response. It ends with the caller's signal or when its time is over, and then its connection is given up. */
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
    this.restartTime()
  }

  async fetch(send: (signal: AbortSignal) => Promise<Response>): Promise<Response> {
    try {
      return await this.#orAborted(send(this.#controller.signal))
    } catch (error) {
      throw this.#failure(error, 'no answer')
    }
  }

  /** The bytes of a body as they come. What comes does not prolong the time: a server may send a byte now and then for ever. */
  async *bytes({ body, status }: Response, maxBytes: number): AsyncGenerator<Uint8Array, void, void> {
    if (body === null) return
    const reader = body.getReader()
    for (let bytes = 0; ; ) {
      const { done, value } = await this.#orAborted(reader.read()).catch((error: unknown) => {
        throw this.#failure(error, 'no complete answer')
      })
      if (done) return
      bytes += value.byteLength
      if (bytes > maxBytes) throw new UnexpectedAnswerError(`the answer is longer than ${maxBytes} bytes`, status)
      yield value
    }
  }

  /** While the reader of a stream is busy with an event. */
  stopTime(): void {
    clearTimeout(this.#timer)
  }

  restartTime(): void {
    this.stopTime()
    this.#timer = setTimeout(() => {
      this.#isTimedOut = true
      this.#controller.abort()
    }, timerMs(this.#timeoutMs))
  }

  /** Also gives up what has not been read. */
  end(): void {
    this.stopTime()
    this.#signal?.removeEventListener('abort', this.#cancel)
    this.#controller.abort()
  }

  /** Some answers make `fetch` forget its signal: Node's does not end when a second decoding fails. */
  #orAborted<T>(pending: Promise<T>): Promise<T> {
    const { signal } = this.#controller
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(signal.reason)
      if (signal.aborted) giveUp()
      signal.addEventListener('abort', giveUp)
      pending.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
    })
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
