const MIN_LIMIT = 8
/** Above this multiple of the baseline, requests only wait for each other. */
const SLOWDOWN = 2
const WINDOW_MS = 100
const MIN_SAMPLES = 20

/**
 * How many requests of one kind may use the database at once. The limit is found by trial: it grows while they take about as
 * long as with few in flight, and shrinks when they take longer. (After TCP Vegas and Netflix' concurrency-limits.)
 */
export class ConcurrencyLimit {
  readonly #min: number
  #limit: number
  /** The usual duration while at most `min` are in flight. */
  #baselineMs: number | null = null
  #windowStartedAt: number
  #durations: number[] = []
  #maxInFlight = 0

  /** `min`: never fewer than this, however slow they are. */
  constructor({ min = MIN_LIMIT, now = performance.now() }: { min?: number; now?: number } = {}) {
    this.#min = min
    this.#limit = min
    this.#windowStartedAt = now
  }

  get limit(): number {
    return this.#limit
  }

  /** One has finished; `inFlight` counts it too. */
  record(ms: number, inFlight: number, now = performance.now()): void {
    this.#durations.push(ms)
    this.#maxInFlight = Math.max(this.#maxInFlight, inFlight)
    if (this.#durations.length < MIN_SAMPLES || now - this.#windowStartedAt < WINDOW_MS) return
    this.#adjust(median(this.#durations), this.#maxInFlight)
    this.#durations = []
    this.#maxInFlight = 0
    this.#windowStartedAt = now
  }

  #adjust(ms: number, maxInFlight: number): void {
    if (maxInFlight <= this.#min) this.#updateBaseline(ms)
    if (ms > SLOWDOWN * (this.#baselineMs ?? ms)) this.#limit = Math.max(this.#min, Math.floor(Math.min(this.#limit, maxInFlight) * 0.8))
    else if (maxInFlight >= this.#limit) this.#limit = Math.ceil(this.#limit * 1.2)
  }

  /** A faster sample counts at once; a slower one may only be load, so it counts slowly. */
  #updateBaseline(ms: number): void {
    const baseline = this.#baselineMs ?? ms
    this.#baselineMs = baseline + (ms - baseline) * (ms < baseline ? 0.3 : 0.02)
  }
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
