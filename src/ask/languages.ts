import { bestLocale } from '../contract/locale.js'

/** The languages the content is written in: questions in them are answered in them. */
export const LANGUAGES = ['en', 'es', 'de', 'ja'] as const
export type Language = (typeof LANGUAGES)[number]

const isLanguage = (tag: string): tag is Language => (LANGUAGES as readonly string[]).includes(tag)

/** The nearest of them to a locale. */
export function nearestLanguage(locale: string): Language {
  const best = bestLocale(LANGUAGES, locale)
  return best !== null && isLanguage(best) ? best : 'en'
}

/** Whether a locale is one of them, not merely mapped to English. */
export const isSupportedLocale = (locale: string): boolean => isLanguage(locale.toLowerCase().split('-')[0] ?? '')
