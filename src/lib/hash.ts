/**
 * FNV-1a with a final mix, so that the low bits depend on the whole text. Not for secrets. Stored cache tags depend on it,
 * so it must not change.
 */
export function fnv1a(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  const mixed = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
  return (mixed ^ (mixed >>> 13)) >>> 0
}
