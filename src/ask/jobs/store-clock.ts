/**
 * The store's clock, estimated from the time of its last event and the time passed since. A machine's own clock may be
 * wrong by hours: compared with the store's times, a lease would last for hours, or a new question would seem expired.
 */
export class StoreClock {
  #lastSeen: { moment: number; at: number } | null = null

  /** Call when an event arrives, with the time it was recorded. */
  observe(recordedAt: number): void {
    this.#lastSeen = { moment: recordedAt, at: performance.now() }
  }

  now(): number {
    return this.#lastSeen === null ? Date.now() : Math.floor(this.#lastSeen.moment + performance.now() - this.#lastSeen.at)
  }
}
