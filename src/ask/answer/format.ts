import type { Language } from '../languages.js'

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
