/** How many requests each caller has, or has had lately. */
/** What a caller has had counts half as much after this time. */
const HALF_LIFE_MS = 5000
/** A caller who has had less than this has had nothing. */
const FORGOTTEN = 0.1

export class Counts {
  readonly #byCaller = new Map<string, number>()
  all = 0

  of(caller: string): number {
    return this.#byCaller.get(caller) ?? 0
  }

  callers(): Iterable<string> {
    return this.#byCaller.keys()
  }

  add(caller: string, change: 1 | -1): void {
    this.all += change
    const count = this.of(caller) + change
    if (count === 0) this.#byCaller.delete(caller)
    else this.#byCaller.set(caller, count)
  }
}

/**
 * How many requests each caller has been given, the older ones counting less. Later ones are given more weight instead, so that
 * a queue is compared without a power for each request in it.
 */
export class DecayingCounts {
  readonly #weights = new Map<string, number>()
  #since = 0

  /** Of one request now. What {@link of} returns is in its unit. */
  weightAt(now: number): number {
    // After a night without requests, still a number.
    return 2 ** Math.min(1000, (now - this.#since) / HALF_LIFE_MS)
  }

  of(caller: string): number {
    return this.#weights.get(caller) ?? 0
  }

  hasOthersThan(caller: string): boolean {
    return this.#weights.size > (this.#weights.has(caller) ? 1 : 0)
  }

  add(caller: string, now: number): void {
    if (now - this.#since > HALF_LIFE_MS) this.#beginAgain(now)
    this.#weights.set(caller, this.of(caller) + this.weightAt(now))
  }

  /** Weights would grow beyond all numbers. */
  #beginAgain(now: number): void {
    const weight = this.weightAt(now)
    for (const [caller, sum] of this.#weights) {
      if (sum / weight < FORGOTTEN) this.#weights.delete(caller)
      else this.#weights.set(caller, sum / weight)
    }
    this.#since = now
  }
}
