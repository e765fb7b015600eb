/** So many at once, after which there is one a second. */
const BURST = 3
const TOKENS_PER_MS = 1 / 1000

/**
 * How often something may be made anew. What changes now and then is always fresh; what changes all the time is made
 * once a second, and is never more than a second behind: that is how long one takes to come back.
 */
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

  /** Whether there is one to take. */
  has(now: number): boolean {
    // A clock that is set back gives nothing and takes nothing.
    this.#tokens = Math.min(BURST, this.#tokens + Math.max(0, now - this.#at) * TOKENS_PER_MS)
    this.#at = now
    return this.#tokens >= 1
  }
}
