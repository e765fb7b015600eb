import { bestLocale } from '../contract/locale.js'
import { FOREIGN_STOP_WORDS, isStopWord } from './parse/word-lists.js'

/** The languages the content is written in: questions in them are answered in them. */
export const LANGUAGES = ['en', 'es', 'de', 'ja'] as const
export type Language = (typeof LANGUAGES)[number]

export const isLanguage = (tag: string): tag is Language => (LANGUAGES as readonly string[]).includes(tag)

/** The nearest of them to a locale. */
export function nearestLanguage(locale: string): Language {
  const best = bestLocale(LANGUAGES, locale)
  return best !== null && isLanguage(best) ? best : 'en'
}

/** Whether one of them was meant at all, rather than fallen back to. */
export const isSupportedLocale = (locale: string): boolean => isLanguage(locale.toLowerCase().split('-')[0] ?? '')

/** What is known of words: to tell a language by them, and to understand them in it. */
export interface Lexicon {
  /** Whether it is a word of the language itself. */
  isNativeWord: (language: Language, word: string) => boolean
  /** Whether it is one that alone makes a question of this language: "newest". */
  isSortWord: (language: Language, word: string) => boolean
  /** The same, or one that people borrow when they speak it. */
  isKnownTerm: (language: Language, word: string) => boolean
}

/**
 * The language of the first turn that tells; else the chosen one. A question is understood in the language it is written
 * in: the choice decides only about what could be said in the chosen language too, such as a handle or "trending".
 */
export function detectLanguage(turns: readonly string[], chosen: Language | null, ear: Lexicon): Language | null {
  for (const turn of turns) {
    const spoken = languageByWords(turn, ear.isNativeWord)
    if (spoken !== null && (chosen === null || spoken === chosen || isClearlyIn(turn, spoken, chosen, ear))) return spoken
  }
  return chosen
}

/** Whether a text is in one language and not, with a title or a borrowed word, in the other. */
function isClearlyIn(text: string, spoken: Language, chosen: Language, { isNativeWord, isSortWord, isKnownTerm }: Lexicon): boolean {
  const words = wordsOf(text)
  if (spoken === 'ja') return !words.some((word) => isStopWord(chosen, word))
  const weight = (language: Language, word: string) =>
    isStopWord(language, word) || isSortWord(language, word)
      ? STRONG_EVIDENCE
      : word.length >= MIN_WORD_LENGTH && isNativeWord(language, word)
        ? 1
        : 0
  // What both languages say speaks for neither.
  const speaksFor = (language: Language, other: Language) =>
    STRONG_EVIDENCE * countOwnLetters(language, text) +
    words.reduce((sum, word) => sum + Math.max(0, weight(language, word) - weight(other, word)), 0)
  const [pro, contra] = [speaksFor(spoken, chosen), speaksFor(chosen, spoken)]
  return (pro >= STRONG_EVIDENCE && pro >= 2 * contra) || (pro > contra && !words.some((word) => isKnownTerm(chosen, word)))
}

/** A small word, a cue or a letter of its own tells a language better than a word of the content does. */
const STRONG_EVIDENCE = 2
/** Shorter words of the content are found in every language. */
const MIN_WORD_LENGTH = 4

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u
const OWN_LETTERS: Partial<Record<Language, RegExp>> = { es: /[ñ¿¡]|[áéíóú]/giu, de: /[äöüß]/giu }

/** The language of a question, by its script and its small words; null when it could be any, or is none of ours. */
export function languageByWords(text: string, knows: Lexicon['isNativeWord']): Language | null {
  if (JAPANESE.test(text)) return 'ja'
  const words = wordsOf(text)
  const scores = (['en', 'es', 'de'] as const).map((language) => {
    const small = words.filter((word) => isStopWord(language, word)).length
    const known = words.filter((word) => word.length >= MIN_WORD_LENGTH && knows(language, word)).length
    return { language, score: STRONG_EVIDENCE * small + STRONG_EVIDENCE * countOwnLetters(language, text) + known }
  })
  const foreign = STRONG_EVIDENCE * words.filter((word) => FOREIGN_STOP_WORDS.has(word)).length
  const [first, second] = scores.sort((a, b) => b.score - a.score)
  if (first === undefined || first.score === 0 || first.score <= foreign || first.score === second?.score) return null
  return first.language
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []

const countOwnLetters = (language: Language, text: string): number => text.match(OWN_LETTERS[language] ?? /(?!)/g)?.length ?? 0
