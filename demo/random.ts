/**
 * Random numbers that are the same on every platform: 32-bit integer arithmetic only. `SeededRandom` is a stream of
 * numbers; `mix` and `permute` have no state, so nothing about a creation has to be kept.
 */
export class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A whole number from 0 to 2^32 - 1. */
  uint32(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0
    return scramble(this.#state)
  }

  /** A whole number from 0 to `sides` - 1. */
  below(sides: number): number {
    return Math.floor((this.uint32() * sides) / TWO_32)
  }

  /** True `times` in `outOf`. */
  chance(times: number, outOf: number): boolean {
    return this.below(outOf) < times
  }

  /** Small numbers are common, large ones rare: each next number is about `num/den` as likely as the one before. */
  skewed(sides: number, num: number, den: number): number {
    let face = 0
    while (face < sides - 1 && this.below(den) < num) face++
    return face
  }

  pick<T>(from: readonly T[]): T {
    return at(from, this.below(from.length))
  }
}

const TWO_32 = 4_294_967_296

/** Combines several numbers into one: any change in any of them changes all bits. */
export function mix(a: number, b: number, c = 0): number {
  return scramble(scramble(scramble(a ^ 0x5bd1e995) + b) + c)
}

/** The place of `index` in a shuffled deck of `size` cards: a bijection, computed without the deck (a Feistel network). */
export function permute(index: number, size: number, seed: number): number {
  if (size <= 1) return 0
  const half = Math.ceil((32 - Math.clz32(size - 1)) / 2)
  const mask = (1 << half) - 1
  let card = index
  // The network permutes the next power of four; walking on until inside the deck keeps it a bijection of the deck.
  do {
    let left = card >>> half
    let right = card & mask
    for (let round = 0; round < 4; round++) {
      const next = left ^ (mix(right, seed, round) & mask)
      left = right
      right = next
    }
    card = ((left << half) | right) >>> 0
  } while (card >= size)
  return card
}

/** Reads a list at an index that must be inside it. */
export function at<T>(table: readonly T[], index: number): T {
  const found = table[index]
  if (found === undefined) throw new RangeError(`no entry ${index} in a table of ${table.length}`)
  return found
}

function scramble(value: number): number {
  let bits = value >>> 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d)
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b)
  return (bits ^ (bits >>> 16)) >>> 0
}

/**
 * How much attention something gets: most things little, a few very much. Twice the size is half as likely, up to
 * `levels` doublings. It uses the bits of one random number.
 */
export function heavyTail(bits: number, base: number, levels: number): number {
  const size = base << Math.min(Math.clz32(bits), levels, MOST_LEVELS)
  // The leading zeros are used up, the low bits are still fresh.
  return size + Math.floor((size * (bits & 0xffff)) / 0x10000)
}

/** The most doublings for a community of this size. */
export const levelsFor = (crowd: number): number => Math.max(1, 32 - Math.clz32(crowd))

/** Keeps the sizes far inside 32 bits. */
const MOST_LEVELS = 20

/** The seed of a picture, from its key. */
export function seedOf(key: string): number {
  let number = key.length
  for (let index = 0; index < key.length; index++) number = mix(number, key.charCodeAt(index))
  return number
}
