/** What can be kept on a shelf. */
export interface ClockEntry {
  readonly key: string
  /** What it takes up, in bytes; on the shelf only `grew` changes it. */
  bytes: number
  /** Set by whoever uses it; what was used since the last look stays a round longer. */
  used: boolean
}

/**
 * Things by key, within a number of bytes. Beyond it the oldest go that nobody has used lately: a use costs a mark and
 * moves nothing, because uses are many and departures are few.
 */
export class ClockCache<T extends ClockEntry> {
  readonly #entries = new Map<string, T>()
  readonly #maxBytes: number
  readonly #onEvict: (thing: T) => void
  #bytes = 0

  constructor(maxBytes: number, left: (thing: T) => void = () => {}) {
    this.#maxBytes = maxBytes
    this.#onEvict = left
  }

  get bytes(): number {
    return this.#bytes
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string): T | undefined {
    return this.#entries.get(key)
  }

  /** In place of what had the same key. */
  put(thing: T): void {
    const before = this.#entries.get(thing.key)
    if (before !== undefined) this.#bytes -= before.bytes
    this.#entries.set(thing.key, thing)
    this.#bytes += thing.bytes
    this.#evict()
  }

  /** More of a thing has come into being. It may have left meanwhile, or another may have taken its place. */
  addBytes(thing: T, bytes: number): void {
    thing.bytes += bytes
    if (this.#entries.get(thing.key) !== thing) return
    this.#bytes += bytes
    this.#evict()
  }

  #evict(): void {
    // A Map goes on to what is added while it is walked: whatever gets another round comes up again.
    for (const [key, thing] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) return
      this.#entries.delete(key)
      if (thing.used) {
        thing.used = false
        this.#entries.set(key, thing)
        continue
      }
      this.#bytes -= thing.bytes
      this.#onEvict(thing)
    }
  }
}
