/**
 * What the store's clock shows, as far as its events tell: the moment of the last one, and what has gone by since. The
 * machines' own clocks may be wrong by hours, and whoever compares theirs with the store's moments would wait for hours,
 * or take a question of a second ago for one nobody waits for any more.
 */
export class StoreClock {
  #lastSeen: { moment: number; at: number } | null = null

  /** An event that was recorded at this moment has arrived. */
  observe(recordedAt: number): void {
    this.#lastSeen = { moment: recordedAt, at: performance.now() }
  }

  now(): number {
    return this.#lastSeen === null ? Date.now() : Math.floor(this.#lastSeen.moment + performance.now() - this.#lastSeen.at)
  }
}
