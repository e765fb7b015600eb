/** Half a megabyte per collection. With a million ids in it, one in six that are new still counts as seen. */
const BITS = 2 ** 22

/** A Bloom filter of ids: of one that it has not seen it is sure, of the others it is not. */
export class Seen {
  readonly #bits = new Int32Array(BITS / 32)

  add(id: string): void {
    const hash = hashOf(id)
    this.#set(hash)
    this.#set(stirred(hash))
  }

  mayHave(id: string): boolean {
    const hash = hashOf(id)
    return this.#has(hash) && this.#has(stirred(hash))
  }

  #set(hash: number): void {
    const word = (hash & (BITS - 1)) >>> 5
    this.#bits[word] = (this.#bits[word] ?? 0) | (1 << (hash & 31))
  }

  #has(hash: number): boolean {
    return ((this.#bits[(hash & (BITS - 1)) >>> 5] ?? 0) & (1 << (hash & 31))) !== 0
  }
}

/** FNV-1a, with a last stir: ids differ mostly at their end. */
function hashOf(id: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < id.length; i++) value = Math.imul(value ^ id.charCodeAt(i), 0x01000193)
  return stirred(value)
}

function stirred(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return mixed ^ (mixed >>> 13)
}
