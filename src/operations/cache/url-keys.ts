const MAX_URLS = 20_000
/** Longer URLs are rarely requested twice, and would fill the memory. */
const MAX_LENGTH = 500

/** The cache key of each URL: parsing it again costs more than the rest of a cached answer. */
export class UrlKeys {
  readonly #keys = new Map<string, string>()

  keyOf(address: string): string | undefined {
    return this.#keys.get(address)
  }

  remember(address: string, key: string): void {
    if (address.length > MAX_LENGTH || this.#keys.has(address)) return
    this.#keys.set(address, key)
    if (this.#keys.size <= MAX_URLS) return
    for (const oldest of this.#keys.keys()) {
      this.#keys.delete(oldest)
      return
    }
  }
}
