import { setTimeout as delay } from 'node:timers/promises'

/** Events to a page when nothing is said about speed. */
const MAX_PAGE_SIZE = 2500
/** Pages per second at a given speed: small ones, so that it is kept from moment to moment and not on average. */
const PAGES_PER_SECOND = 4

/** Keeps a rebuild at or below a number of events per second. */
export class Throttle {
  readonly #maxRate: number | null
  /** Of a clock that nobody sets: a wall clock put back by an hour would stop a rebuild for that hour. */
  readonly #startedAt = performance.now()
  #done = 0

  constructor(maxRate: number | null) {
    this.#maxRate = maxRate
  }

  get pageSize(): number {
    return this.#maxRate === null ? MAX_PAGE_SIZE : Math.max(1, Math.min(MAX_PAGE_SIZE, Math.ceil(this.#maxRate / PAGES_PER_SECOND)))
  }

  /** Waits as long as it takes for so many more events not to have been too fast. */
  async wait(events: number, signal: AbortSignal): Promise<void> {
    if (this.#maxRate === null) return
    this.#done += events
    const dueAt = this.#startedAt + (this.#done / this.#maxRate) * 1000
    const ahead = dueAt - performance.now()
    if (ahead > 0) await delay(ahead, undefined, { signal }).catch(() => {})
  }
}
