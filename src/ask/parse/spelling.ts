import type { Language } from '../languages.js'
import { editDistance } from './similarity.js'
import { isStopWord, isVague } from './word-lists.js'

/** Shorter words are too near to each other to tell a slip from another word. */
const MIN_WORD_LENGTH = 5
/** A question full of slips is not tried in every combination. */
const MAX_SPELLINGS = 6

/** Words there are, to find the one that was meant: one letter missing, added, wrong or swapped with its neighbour. */
export class SpellingIndex {
  readonly #words: ReadonlySet<string>
  readonly #byStart = new Map<string, string[]>()

  constructor(words: Iterable<string>) {
    this.#words = new Set([...words].filter((word) => word.length >= MIN_WORD_LENGTH))
    for (const word of this.#words) {
      // The first letter is hardly ever the wrong one.
      const start = word[0] ?? ''
      this.#byStart.set(start, [...(this.#byStart.get(start) ?? []), word])
    }
  }

  /** The words one slip away; none for a word that is there itself. */
  oneTypoAway(word: string): string[] {
    if (word.length < MIN_WORD_LENGTH || this.#words.has(word)) return []
    const candidates = this.#byStart.get(word[0] ?? '') ?? []
    return candidates.filter((candidate) => Math.abs(candidate.length - word.length) <= 1 && editDistance(word, candidate, 1) <= 1)
  }
}

const WORD = /[\p{Script=Latin}\p{N}\p{M}]+(?:-[\p{Script=Latin}\p{N}\p{M}]+)*/gu

/** A question as it may have been meant, if names of the directory were misspelled in it; the likeliest first. */
export function correctedSpellings(text: string, spelling: SpellingIndex, language: Language): string[] {
  let found = [text.toLowerCase()]
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    if (isStopWord(language, word) || isVague(language, word)) continue
    const near = spelling.oneTypoAway(word)
    if (near.length > 0) found = found.flatMap((spelled) => near.map((other) => spelled.replace(word, other))).slice(0, MAX_SPELLINGS)
  }
  return found.filter((spelled) => spelled !== text.toLowerCase())
}

/** Words that decide what is asked: a slip in one of them must not change the question. */
const INTENT_WORDS: Record<Language, readonly string[]> = {
  en: 'trending newest latest popular recent tagged tags category categories followers following remixes remixed liked leaderboard featured creator games trackers widgets experiences'.split(
    ' ',
  ),
  es: 'tendencia tendencias nuevos nuevas recientes populares etiquetas etiquetadas categorías seguidores remezclas juegos destacadas destacados clasificación'.split(
    ' ',
  ),
  de: 'beliebtesten beliebt neuesten neueste kategorien follower remixe spiele bestenliste empfohlen getaggt angesagt'.split(' '),
  ja: [],
}

/** The question with slips in its deciding words put right. */
export function correctIntentWords(text: string, language: Language): string {
  return text.replace(/\p{L}{5,}/gu, (word) => {
    const known = INTENT_WORDS[language]
    if (known.includes(word) || isStopWord(language, word)) return word
    const slips = word.length >= 8 ? 2 : 1
    return (
      known.find(
        (candidate) => candidate[0] === word[0] && candidate.at(-1) === word.at(-1) && editDistance(word, candidate, slips) <= slips,
      ) ?? word
    )
  })
}
