/** The languages of ask, and how numbers, days and lists are written in them. */

import { bestLocale } from '../contract/locale.js'

/** The languages the content is written in: questions in them are answered in them. */
export const LANGUAGES = ['en', 'es', 'de', 'ja'] as const
export type Language = (typeof LANGUAGES)[number]

/** The language a question is written in, and the one it is answered in. */
export interface Languages {
  question: Language
  answer: Language
}

const isLanguage = (tag: string): tag is Language => (LANGUAGES as readonly string[]).includes(tag)

/** The nearest of them to a locale. */
export function nearestLanguage(locale: string): Language {
  const best = bestLocale(LANGUAGES, locale)
  return best !== null && isLanguage(best) ? best : 'en'
}

/** Whether a locale is one of them, not merely mapped to English. */
export const isSupportedLocale = (locale: string): boolean => isLanguage(locale.toLowerCase().split('-')[0] ?? '')

export function numberFormat(language: Language): (value: number) => string {
  const format = new Intl.NumberFormat(language)
  return (value) => format.format(value)
}

/** The day of a moment, the same in every language. */
export const dayOf = (moment: string): string => moment.slice(0, 10)

export const sentenceSeparator = (language: Language): string => (language === 'ja' ? '' : ' ')

/** "Head: first, second." */
export function listSentence(head: string, entries: readonly string[], language: Language): string {
  if (entries.length === 0) return language === 'ja' ? `${head}。` : `${head}.`
  return language === 'ja' ? `${head}：${entries.join('、')}。` : `${head}: ${entries.join(', ')}.`
}
