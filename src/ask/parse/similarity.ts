import { editDistance } from '../../lib/edit-distance.js'

/** The similarity of two words that differ by typos only. */
export const TYPO_SIMILARITY = 0.7

/** How alike two words are: 1 for the same, less for a shared stem or a typo, 0 for unrelated words. */
export function similarity(word: string, other: string): number {
  if (word === other) return 1
  // The first letter is hardly ever wrong; this keeps "plan" apart from "clan".
  if (word[0] !== other[0]) return 0
  const written = OKURIGANA.exec(word)?.[1]
  if (written !== undefined) return written === OKURIGANA.exec(other)?.[1] ? 0.85 : 0
  const shorter = Math.min(word.length, other.length)
  if (shorter < 4 || /\d/.test(word)) return 0
  const shared = commonPrefixLength(word, other)
  const longer = Math.max(word.length, other.length)
  if (shared >= 5 && shared === shorter && longer - shorter <= 3) return 0.85
  if (shared === 4 && shared === shorter && ENDING.test(word.length > other.length ? word.slice(4) : other.slice(4))) return 0.85
  if (shared >= 5 && shared >= 0.7 * longer) return 0.8
  if (shared >= 4 && stripInflection(word) === stripInflection(other)) return 0.85
  const slips = longer >= 8 ? 2 : 1
  if (longer < 5 || longer - shorter > slips) return 0
  if (editDistance(word, other, slips) <= slips) return TYPO_SIMILARITY
  // A typo may hide the ending from the stemmer: "credtis" is "credit".
  return word.endsWith('s') && editDistance(word.slice(0, -1), other, slips) <= slips ? TYPO_SIMILARITY : 0
}

/** What a word of four letters may be inflected by. With any other letters it is another word: a "plant" is no "plan". */
const ENDING = /^(?:s|e|n|r|d|i|es|en|er|ed|te|in|al|ly|st|os|as)$/u

/** "scrape", "scraped" and "scraping"; the shared stem must be long enough to be a word. */
const stripInflection = (word: string): string => word.replace(/(?<=\p{L}{4})(?:ing|ed|es|e)$/u, '')

export const MIN_COMPOUND_PART = 5
export const MIN_COMPOUND_REST = 3

/** German compounds: "Aufladepakete" are "Pakete", and a "Statusseite" is about "Status". */
export function compoundSimilarity(word: string, other: string): number {
  const [shorter, longer] = word.length < other.length ? [word, other] : [other, word]
  if (shorter.length < MIN_COMPOUND_PART || longer.length - shorter.length < MIN_COMPOUND_REST) return 0
  return longer.endsWith(shorter) || longer.startsWith(shorter) ? 0.75 : 0
}

/** A Japanese verb or adjective, whose ending in kana changes with its form: 買う, 買える, 買い. */
const OKURIGANA = /^(\p{Script=Han}+)\p{Script=Hiragana}*$/u

function commonPrefixLength(a: string, b: string): number {
  let n = 0
  while (n < a.length && n < b.length && a[n] === b[n]) n += 1
  return n
}
