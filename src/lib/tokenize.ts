/**
 * Words as the search sees them: case, accents and plural endings folded away. Both stores, and the index and the
 * query alike, go through here, so they always agree.
 */
export function tokenize(text: string): string[] {
  const folded = fold(text)
  // Without its accents most European text is ASCII, in which words are found much faster.
  if (PLAIN.test(folded)) return (folded.match(PLAIN_WORD) ?? []).map(stem)
  const found: string[] = []
  for (const run of folded.match(WORD) ?? []) {
    if (UNSPACED.test(run)) found.push(...segment(run))
    else found.push(stem(run))
  }
  return found
}

const PLAIN_WORD = /[A-Za-z0-9]+/g
const WORD = /[\p{L}\p{N}\p{M}]+/gu

/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

/** The words of recent runs. The same phrases come again: in edits, in remixes, in what people search for. */
const recentSegments = new Map<string, readonly string[]>()
const MAX_RECENT = 2000
const MAX_RECENT_LENGTH = 100

/** Only where it is needed: the segmenter is some fifty times slower than the pattern above. */
function segment(run: string): readonly string[] {
  const known = recentSegments.get(run)
  if (known !== undefined) return known
  const words: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(run)) if (isWordLike) words.push(stem(segment))
  if (run.length > MAX_RECENT_LENGTH) return words
  if (recentSegments.size === MAX_RECENT) recentSegments.clear()
  recentSegments.set(run, words)
  return words
}

const ACCENTS = /[\u0300-\u036f]/g

/** Nothing to fold but case. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII as a whole is what is meant
const PLAIN = /^[\u0000-\u007f]*$/

/** Letters with accents, but none that stand by themselves: each can be folded on its own. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole range is what is meant
const LATIN = /^[\u0000-\u024f]*$/
const NOT_PLAIN = /[\u0080-\u024f]/g

/** The folded forms of those letters, which spares nearly all European text three passes through the tables of Unicode. */
const LATIN_FOLDED: readonly string[] = Array.from({ length: 0x250 }, (_, code) => foldFully(String.fromCharCode(code)))

function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  if (!LATIN.test(text)) return foldFully(text)
  return text.replace(NOT_PLAIN, (letter) => LATIN_FOLDED[letter.charCodeAt(0)] ?? letter).toLowerCase()
}

/** Kana keep their voicing marks, which are not accents: only the Latin, Greek and Cyrillic ones go. */
function foldFully(text: string): string {
  // "ß" in capitals is "SS", so both are "ss".
  return text.normalize('NFKC').toLowerCase().replaceAll('ß', 'ss').normalize('NFD').replace(ACCENTS, '').normalize('NFC')
}

/** Words that end otherwise stay as they are. */
const STEMMED_ENDINGS = 'sye'

/**
 * Light: plurals only, so that no two different words become one. "story" and "stories" meet at "stori", "movie" and
 * "movies" at "movi": what remains is always a beginning of the word, so somebody still typing finds it too.
 */
function stem(word: string): string {
  if (word.length < 4 || !STEMMED_ENDINGS.includes(word.charAt(word.length - 1))) return word
  const single = /(?:x|z|ch|sh|ss)es$/.test(word)
    ? word.slice(0, -2)
    : /[^suiy]s$/.test(word) || word.endsWith('ys')
      ? word.slice(0, -1)
      : word
  return /[^aeiou]y$|ie$/.test(single) && single.length > 3 ? single.replace(/y$|ie$/, 'i') : single
}
