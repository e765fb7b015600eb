/** This many at once, then one per second. */
const BURST = 3
const TOKENS_PER_MS = 1 / 1000

/** How often an answer may be recomputed. One that changes all the time is recomputed once a second, so it is at most a second old. */
export class TokenBucket {
  #tokens = BURST
  #at: number

  constructor(now: number) {
    this.#at = now
  }

  take(now: number): boolean {
    if (!this.has(now)) return false
    this.#tokens -= 1
    return true
  }

  has(now: number): boolean {
    // A clock that is set back changes nothing.
    this.#tokens = Math.min(BURST, this.#tokens + Math.max(0, now - this.#at) * TOKENS_PER_MS)
    this.#at = now
    return this.#tokens >= 1
  }
}
