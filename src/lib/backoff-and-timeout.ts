/** When to try again what has failed: the pause doubles each time. */
export class Backoff {
  readonly #longestMs: number
  #pauseMs: number
  #until = Number.NEGATIVE_INFINITY

  constructor({ firstMs = 1000, longestMs = 60_000 } = {}) {
    this.#pauseMs = firstMs
    this.#longestMs = longestMs
  }

  get isOver(): boolean {
    return performance.now() >= this.#until
  }

  /** Starts a pause and returns its length. */
  failed(): number {
    const pause = this.#pauseMs
    this.#until = performance.now() + pause
    this.#pauseMs = Math.min(this.#longestMs, 2 * pause)
    return pause
  }
}

/** The result of `work`, or a rejection once it takes longer than `ms`. Work that is late goes on unwatched. */
export function withTimeout<T>(ms: number, work: Promise<T>, late = () => new Error(`no answer within ${ms} ms`)): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
