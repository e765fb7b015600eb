/** So many at a time are let through, whatever they take: less is no crowd. */
const FEWEST = 8
/** As slow as this, compared with the usual, they only wait for each other. */
const SLOWER = 2
const WINDOW_MS = 100
const ENOUGH = 20

/**
 * How many reads at a time the database answers before they only wait for each other. Nobody can know that beforehand, so
 * it is tried out: as long as reads take about what they take when few are under way, more are let through, else fewer.
 * (After the limiters of TCP Vegas and Netflix' concurrency-limits.)
 */
export class Breadth {
  #limit = FEWEST
  /** What a read takes while no more than the fewest are under way. */
  #usualMs: number | null = null
  #began: number
  #times: number[] = []
  #most = 0

  constructor(now = performance.now()) {
    this.#began = now
  }

  get limit(): number {
    return this.#limit
  }

  /** A read has been served, which was one of so many. */
  took(ms: number, underWay: number, now = performance.now()): void {
    this.#times.push(ms)
    this.#most = Math.max(this.#most, underWay)
    if (this.#times.length < ENOUGH || now - this.#began < WINDOW_MS) return
    this.#adjust(median(this.#times), this.#most)
    this.#times = []
    this.#most = 0
    this.#began = now
  }

  #adjust(ms: number, most: number): void {
    if (most <= FEWEST) this.#learn(ms)
    if (ms > SLOWER * (this.#usualMs ?? ms)) this.#limit = Math.max(FEWEST, Math.floor(Math.min(this.#limit, most) * 0.8))
    else if (most >= this.#limit) this.#limit = Math.ceil(this.#limit * 1.2)
  }

  /** Quicker is news; slower may be nothing but a crowd, and is believed only when it stays. */
  #learn(ms: number): void {
    const usual = this.#usualMs ?? ms
    this.#usualMs = usual + (ms - usual) * (ms < usual ? 0.3 : 0.02)
  }
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
