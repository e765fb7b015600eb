/** Beyond this many the longest known is forgotten. */
const MAX_URLS = 20_000
/** Longer ones are hardly asked for twice, and must not fill the memory. */
const MAX_LENGTH = 500

/** Which request an address stands for, in its canonical form: reading it anew costs more than all the rest of an answer. */
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
