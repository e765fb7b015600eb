/**
 * Damerau-Levenshtein (a swap of neighbours is one edit), abandoned once it is above `most`. Only cells within `most` of the
 * diagonal are computed: all others are above it.
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most || differingLetters(a, b) > 2 * most) return most + 1
  let before: number[] = []
  let last: number[] = []
  for (let j = 0; j <= Math.min(b.length, most); j += 1) last.push(j)
  for (let i = 1; i <= a.length; i += 1) {
    const row: number[] = []
    const from = Math.max(0, i - most)
    let least = most + 1
    for (let j = from; j <= Math.min(b.length, i + most); j += 1) {
      const same = a[i - 1] === b[j - 1]
      let cost = j === 0 ? i : Math.min(at(last, j, i - 1 - most), at(row, j - 1, from)) + 1
      if (j > 0) cost = Math.min(cost, at(last, j - 1, i - 1 - most) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, at(before, j - 2, i - 2 - most) + 1)
      row.push(cost)
      if (cost < least) least = cost
    }
    if (least > most) return most + 1
    before = last
    last = row
  }
  return at(last, b.length, a.length - most)
}

/** A cell of a row that begins at column `from`, but not before 0. */
const at = (row: readonly number[], column: number, from: number): number => row[column - Math.max(0, from)] ?? Number.POSITIVE_INFINITY

/** At least so many letters are in one word only; an edit makes two of them at most. */
function differingLetters(a: string, b: string): number {
  let bits = lettersOf(a) ^ lettersOf(b)
  let count = 0
  for (; bits !== 0; bits &= bits - 1) count += 1
  return count
}

/** A bit for each letter. Some share one, so fewer may seem to differ than do. */
function lettersOf(word: string): number {
  let bits = 0
  for (let at = 0; at < word.length; at += 1) bits |= 1 << (word.charCodeAt(at) & 31)
  return bits
}
