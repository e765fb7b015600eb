/**
 * How much attention something gets: most things little, a few very much. Twice the size is half as likely, up to
 * `levels` doublings; made of the bits of one throw.
 */
export function heavyTail(bits: number, base: number, levels: number): number {
  const size = base * 2 ** Math.min(Math.clz32(bits), levels)
  // The leading zeros are used up, the low bits are still fresh.
  return size + Math.floor((size * (bits & 0xffff)) / 0x10000)
}

/** The doublings that a crowd of this size can carry. */
export const levelsFor = (crowd: number): number => Math.max(1, 32 - Math.clz32(crowd))
