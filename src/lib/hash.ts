/** Where the same text has to give the same number, and different ones different numbers nearly always. Not for secrets. */

/** FNV-1a, with a last stir so that the low bits depend on all of the text. */
export function fnv1a(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return mixBits(value)
}

function mixBits(value: number): number {
  const mixed = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
  return (mixed ^ (mixed >>> 13)) >>> 0
}
