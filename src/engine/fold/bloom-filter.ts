import { fnv1a, mixBits } from '../../lib/hash.js'

/** Half a megabyte per collection. With a million ids in it, one in seven that are new counts as seen. */
const BITS = 2 ** 22

/** A Bloom filter of ids: of one that it has not seen it is sure, of the others it is not. */
export class BloomFilter {
  readonly #bits = new Int32Array(BITS / 32)

  add(id: string): void {
    const first = fnv1a(id)
    this.#set(first)
    this.#set(mixBits(first))
  }

  mayHave(id: string): boolean {
    const first = fnv1a(id)
    return this.#has(first) && this.#has(mixBits(first))
  }

  #set(number: number): void {
    const word = (number & (BITS - 1)) >>> 5
    this.#bits[word] = (this.#bits[word] ?? 0) | (1 << (number & 31))
  }

  #has(number: number): boolean {
    return ((this.#bits[(number & (BITS - 1)) >>> 5] ?? 0) & (1 << (number & 31))) !== 0
  }
}
