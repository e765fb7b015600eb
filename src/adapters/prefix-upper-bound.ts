/** The first string that sorts after all strings with a prefix, or `null` if there is none. */
export function prefixUpperBound(prefix: string): string | null {
  const points = [...prefix].map((character) => character.codePointAt(0) ?? 0)
  while (points.at(-1) === 0x10ffff) points.pop()
  const last = points.pop()
  if (last === undefined) return null
  // Skip the surrogates, which are no characters.
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
}
