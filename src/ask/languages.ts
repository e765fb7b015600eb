import { bestLocale } from '../operations/locale.js'
import { isCommon, otherLanguageWords } from './words/common.js'

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

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u
const LETTERS: Partial<Record<Language, RegExp>> = { es: /[ñ¿¡]|[áéíóú]/giu, de: /[äöüß]/giu }

/** The language of a question, by its script and its small words; null when it could be any, or is none of ours. */
export function languageOf(text: string, knows: (language: Language, word: string) => boolean): Language | null {
  if (JAPANESE.test(text)) return 'ja'
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const scores = (['en', 'es', 'de'] as const).map((language) => {
    const small = words.filter((word) => isCommon(language, word)).length
    const letters = text.match(LETTERS[language] ?? /(?!)/g)?.length ?? 0
    const known = words.filter((word) => word.length > 3 && knows(language, word)).length
    return { language, score: 2 * small + 2 * letters + known }
  })
  const foreign = 2 * words.filter((word) => otherLanguageWords.has(word)).length
  const [first, second] = scores.sort((a, b) => b.score - a.score)
  if (first === undefined || first.score === 0 || first.score <= foreign || first.score === second?.score) return null
  return first.language
}
