import { bestLocale } from '../contract/locale.js'
import { isCommon, otherLanguageWords } from './parse/word-lists.js'

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
export const speaks = (locale: string): boolean => isLanguage(locale.toLowerCase().split('-')[0] ?? '')

/** What is known of words: to tell a language by them, and to understand them in it. */
export interface Ear {
  /** Whether it is a word of the language itself. */
  knows: (language: Language, word: string) => boolean
  /** Whether it is one that alone makes a question of this language: "newest". */
  isCue: (language: Language, word: string) => boolean
  /** The same, or one that people borrow when they speak it. */
  understands: (language: Language, word: string) => boolean
}

/**
 * The language of the first turn that tells; else the chosen one. A question is understood in the language it is written
 * in: the choice decides only about what could be said in the chosen language too, such as a handle or "trending".
 */
export function spokenLanguage(turns: readonly string[], chosen: Language | null, ear: Ear): Language | null {
  for (const turn of turns) {
    const spoken = languageOf(turn, ear.knows)
    if (spoken !== null && (chosen === null || spoken === chosen || isOutspoken(turn, spoken, chosen, ear))) return spoken
  }
  return chosen
}

/** Whether a text is in one language and not, with a title or a borrowed word, in the other. */
function isOutspoken(text: string, spoken: Language, chosen: Language, { knows, isCue, understands }: Ear): boolean {
  const words = wordsOf(text)
  if (spoken === 'ja') return !words.some((word) => isCommon(chosen, word))
  const weight = (language: Language, word: string) =>
    isCommon(language, word) || isCue(language, word) ? SMALL : word.length >= TELLING && knows(language, word) ? 1 : 0
  // What both languages say speaks for neither.
  const speaksFor = (language: Language, other: Language) =>
    SMALL * lettersOf(language, text) + words.reduce((sum, word) => sum + Math.max(0, weight(language, word) - weight(other, word)), 0)
  const [pro, contra] = [speaksFor(spoken, chosen), speaksFor(chosen, spoken)]
  return (pro >= SMALL && pro >= 2 * contra) || (pro > contra && !words.some((word) => understands(chosen, word)))
}

/** A small word, a cue or a letter of its own tells a language better than a word of the content does. */
const SMALL = 2
/** Shorter words of the content are found in every language. */
const TELLING = 4

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u
const LETTERS: Partial<Record<Language, RegExp>> = { es: /[ñ¿¡]|[áéíóú]/giu, de: /[äöüß]/giu }

/** The language of a question, by its script and its small words; null when it could be any, or is none of ours. */
export function languageOf(text: string, knows: Ear['knows']): Language | null {
  if (JAPANESE.test(text)) return 'ja'
  const words = wordsOf(text)
  const scores = (['en', 'es', 'de'] as const).map((language) => {
    const small = words.filter((word) => isCommon(language, word)).length
    const known = words.filter((word) => word.length >= TELLING && knows(language, word)).length
    return { language, score: SMALL * small + SMALL * lettersOf(language, text) + known }
  })
  const foreign = SMALL * words.filter((word) => otherLanguageWords.has(word)).length
  const [first, second] = scores.sort((a, b) => b.score - a.score)
  if (first === undefined || first.score === 0 || first.score <= foreign || first.score === second?.score) return null
  return first.language
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []

const lettersOf = (language: Language, text: string): number => text.match(LETTERS[language] ?? /(?!)/g)?.length ?? 0
