/** So many at a time are let through, whatever they take: less is no crowd. */
const MIN_LIMIT = 8
/** As slow as this, compared with the usual, they only wait for each other. */
const SLOWDOWN = 2
const WINDOW_MS = 100
const MIN_SAMPLES = 20

/**
 * How many reads at a time the database answers before they only wait for each other. Nobody can know that beforehand, so
 * it is tried out: as long as reads take about what they take when few are under way, more are let through, else fewer.
 * (After the limiters of TCP Vegas and Netflix' concurrency-limits.)
 */
export class ConcurrencyLimit {
  #limit = MIN_LIMIT
  /** What a read takes while no more than the fewest are under way. */
  #baselineMs: number | null = null
  #windowStartedAt: number
  #durations: number[] = []
  #maxInFlight = 0

  constructor(now = performance.now()) {
    this.#windowStartedAt = now
  }

  get limit(): number {
    return this.#limit
  }

  /** A read has been served, which was one of so many. */
  record(ms: number, underWay: number, now = performance.now()): void {
    this.#durations.push(ms)
    this.#maxInFlight = Math.max(this.#maxInFlight, underWay)
    if (this.#durations.length < MIN_SAMPLES || now - this.#windowStartedAt < WINDOW_MS) return
    this.#adjust(median(this.#durations), this.#maxInFlight)
    this.#durations = []
    this.#maxInFlight = 0
    this.#windowStartedAt = now
  }

  #adjust(ms: number, most: number): void {
    if (most <= MIN_LIMIT) this.#updateBaseline(ms)
    if (ms > SLOWDOWN * (this.#baselineMs ?? ms)) this.#limit = Math.max(MIN_LIMIT, Math.floor(Math.min(this.#limit, most) * 0.8))
    else if (most >= this.#limit) this.#limit = Math.ceil(this.#limit * 1.2)
  }

  /** Quicker is news; slower may be nothing but a crowd, and is believed only when it stays. */
  #updateBaseline(ms: number): void {
    const usual = this.#baselineMs ?? ms
    this.#baselineMs = usual + (ms - usual) * (ms < usual ? 0.3 : 0.02)
  }
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
