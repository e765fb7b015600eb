const FIRST_MS = 1000
const LONGEST_MS = 60_000

/** When to try again what has failed: later each time. Nobody sleeps meanwhile. */
export class Backoff {
  #pause = FIRST_MS
  #until = Number.NEGATIVE_INFINITY

  get isOver(): boolean {
    return performance.now() >= this.#until
  }

  failed(): void {
    this.#until = performance.now() + this.#pause
    this.#pause = Math.min(LONGEST_MS, 2 * this.#pause)
  }
}
