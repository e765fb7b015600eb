/**
 * Words as the search sees them: case, accents and plural endings folded away. Both stores, and the index and the
 * query alike, go through here, so they always agree.
 */
export function tokens(text: string): string[] {
  const found: string[] = []
  for (const [run] of fold(text).matchAll(WORD)) {
    if (UNSPACED.test(run)) for (const word of segment(run)) found.push(word)
    else found.push(stem(run))
  }
  return found
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu

/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

/** Only where it is needed: the segmenter is some fifty times slower than the pattern above. */
function* segment(run: string): Iterable<string> {
  for (const { segment: word, isWordLike } of segmenter.segment(run)) if (isWordLike) yield stem(word)
}

const ACCENTS = /[\u0300-\u036f]/g

/** Nothing to fold but case. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII as a whole is what is meant
const PLAIN = /^[\u0000-\u007f]*$/

/** Kana keep their voicing marks, which are not accents: only the Latin, Greek and Cyrillic ones go. */
function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  // "ß" in capitals is "SS", so both are "ss".
  return text.normalize('NFKC').toLowerCase().replaceAll('ß', 'ss').normalize('NFD').replace(ACCENTS, '').normalize('NFC')
}

/** Light: plurals only, so that no two different words become one. */
function stem(word: string): string {
  if (word.length < 4) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (word.endsWith('s') && !word.endsWith('ss') && !word.endsWith('us') && !word.endsWith('is')) return word.slice(0, -1)
  return word
}
