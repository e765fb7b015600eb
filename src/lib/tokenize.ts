import { remembered } from './remembered.js'

/**
 * Search terms: words without case, accents and plural endings. Both stores, the index and the query all use this function,
 * so they always agree.
 */
export const tokenize = (text: string): string[] => words(text).map(singular)

/** The words of a text, without case and accents. */
export function words(text: string): string[] {
  const folded = fold(text)
  // Without accents most European text is ASCII, where finding words is much faster.
  if (PLAIN.test(folded)) return folded.match(PLAIN_WORD) ?? []
  const found: string[] = []
  for (const run of folded.match(WORD) ?? []) {
    if (UNSPACED.test(run)) found.push(...segment(run))
    else found.push(run)
  }
  return found
}

const PLAIN_WORD = /[A-Za-z0-9]+/g
const WORD = /[\p{L}\p{N}\p{M}]+/gu

/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

/**
 * Only for scripts that need it: the segmenter is about fifty times slower than the pattern above. Phrases recur in edits, remixes and
 * searches, and a question is read several times.
 */
const segment = remembered(100_000, (run): readonly string[] => {
  const found: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(run)) if (isWordLike) found.push(segment)
  return found
})

const ACCENTS = /[\u0300-\u036f]/g

/** Nothing to fold but case. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const PLAIN = /^[\u0000-\u007f]*$/

const fold = (text: string): string => (PLAIN.test(text) ? text.toLowerCase() : foldFully(text))

/** Removes only Latin, Greek and Cyrillic accents: the voicing marks of kana are not accents. */
function foldFully(text: string): string {
  // "ß" is "SS" in capitals, so both become "ss".
  return text.normalize('NFKC').toLowerCase().replaceAll('ß', 'ss').normalize('NFD').replace(ACCENTS, '').normalize('NFC')
}

/** Words with another last letter stay unchanged. */
const PLURAL_ENDINGS = 'sye'

/**
 * Removes plural endings only, so that different words stay different. "story" and "stories" both become "stori", "movie"
 * and "movies" become "movi": the stem is always a prefix of the word, so it is found while the word is still being typed.
 */
export function singular(word: string): string {
  if (word.length < 4 || !PLURAL_ENDINGS.includes(word.charAt(word.length - 1))) return word
  const single = /(?:x|z|ch|sh|ss)es$/.test(word)
    ? word.slice(0, -2)
    : /[^suiy]s$/.test(word) || word.endsWith('ys')
      ? word.slice(0, -1)
      : word
  return /[^aeiou]y$|ie$/.test(single) && single.length > 3 ? single.replace(/y$|ie$/, 'i') : single
}
