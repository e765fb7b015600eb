/**
 * How much attention something gets: most things little, a few very much. Twice the size is half as likely, up to
 * `levels` doublings; made of the bits of one throw.
 */
export function heavyTail(bits: number, base: number, levels: number): number {
  const size = base << Math.min(Math.clz32(bits), levels, MOST_LEVELS)
  // The leading zeros are used up, the low bits are still fresh.
  return size + Math.floor((size * (bits & 0xffff)) / 0x10000)
}

/** The doublings that a crowd of this size can carry. */
export const levelsFor = (crowd: number): number => Math.max(1, 32 - Math.clz32(crowd))

/** Keeps the sizes far inside 32 bits. */
const MOST_LEVELS = 20
