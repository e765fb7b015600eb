import type { Language } from '../languages.js'
import { isSortWord } from './patterns.js'
import { FOREIGN_STOP_WORDS, isStopWord } from './word-lists.js'

/** The words of the documentation. */
export interface Lexicon {
  /** Whether it is a word of the language itself. */
  isNativeWord(language: Language, word: string): boolean
  /** The same, or a word the language borrows. */
  isKnownTerm(language: Language, word: string): boolean
}

/**
 * The language of the first turn that tells; else the chosen one. A question is understood in the language it is written
 * in; the chosen language decides only for words both languages share, such as a handle or "trending".
 */
export function detectLanguage(turns: readonly string[], chosen: Language | null, lexicon: Lexicon): Language | null {
  const isNativeWord = (language: Language, word: string) => lexicon.isNativeWord(language, word) || isSortWord(language, word)
  const isKnownTerm = (language: Language, word: string) => lexicon.isKnownTerm(language, word) || isSortWord(language, word)
  for (const turn of turns) {
    const found = languageByWords(turn, isNativeWord)
    if (found !== null && (chosen === null || found === chosen || isClearlyIn(turn, found, chosen, { isNativeWord, isKnownTerm })))
      return found
  }
  return chosen
}

/** Whether a text is in the found language, rather than in the chosen one with a title or a borrowed word in it. */
function isClearlyIn(text: string, found: Language, chosen: Language, { isNativeWord, isKnownTerm }: Lexicon): boolean {
  const words = wordsOf(text)
  if (found === 'ja') return !words.some((word) => isStopWord(chosen, word))
  const weight = (language: Language, word: string) =>
    isStopWord(language, word) || isSortWord(language, word)
      ? STRONG_EVIDENCE
      : word.length >= MIN_WORD_LENGTH && isNativeWord(language, word)
        ? 1
        : 0
  // A word of both languages is evidence for neither.
  const evidenceFor = (language: Language, other: Language) =>
    STRONG_EVIDENCE * countOwnLetters(language, text) +
    words.reduce((sum, word) => sum + Math.max(0, weight(language, word) - weight(other, word)), 0)
  const [pro, contra] = [evidenceFor(found, chosen), evidenceFor(chosen, found)]
  return (pro >= STRONG_EVIDENCE && pro >= 2 * contra) || (pro > contra && !words.some((word) => isKnownTerm(chosen, word)))
}

/** A stop word, a sort word or a letter that only one language has says more than a word of the documentation. */
const STRONG_EVIDENCE = 2
/** Shorter words of the documentation are found in every language. */
const MIN_WORD_LENGTH = 4

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u
const OWN_LETTERS: Partial<Record<Language, RegExp>> = { es: /[ñ¿¡]|[áéíóú]/giu, de: /[äöüß]/giu }

/** The language of a question by its script and words; null if it could be several, or is none of ours. */
export function languageByWords(text: string, isNativeWord: Lexicon['isNativeWord']): Language | null {
  if (JAPANESE.test(text)) return 'ja'
  const words = wordsOf(text)
  const scores = (['en', 'es', 'de'] as const).map((language) => {
    const stopWords = words.filter((word) => isStopWord(language, word)).length
    const known = words.filter((word) => word.length >= MIN_WORD_LENGTH && isNativeWord(language, word)).length
    return { language, score: STRONG_EVIDENCE * stopWords + STRONG_EVIDENCE * countOwnLetters(language, text) + known }
  })
  const foreign = STRONG_EVIDENCE * words.filter((word) => FOREIGN_STOP_WORDS.has(word)).length
  const [first, second] = scores.sort((a, b) => b.score - a.score)
  if (first === undefined || first.score === 0 || first.score <= foreign || first.score === second?.score) return null
  return first.language
}

/** Whether a text has small words of a language. A script of its own needs none. */
export const hasSmallWords = (text: string, language: Language): boolean =>
  language === 'ja' || wordsOf(text).some((word) => isStopWord(language, word))

/** Whether a text has small words of a language that is none of ours. */
export const hasForeignWords = (text: string, found: Language): boolean =>
  wordsOf(text).some((word) => FOREIGN_STOP_WORDS.has(word) && !isStopWord(found, word))

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []

const countOwnLetters = (language: Language, text: string): number => text.match(OWN_LETTERS[language] ?? /(?!)/g)?.length ?? 0

/** Handles, addresses and quoted titles may be in any language. */
export const stripNames = (text: string): string =>
  text.replace(
    /https?:\S+|@[\w-]+|(?<!\w)\w+_\w+|\b(?:GET|POST)\b|\/[\w/{}.-]+|(?<![\w-])[\w-]+\/[\w.-]+|["“”„«»「」『』][^"“”„«»「」『』]*["“”„«»「」『』]/gu,
    ' ',
  )
