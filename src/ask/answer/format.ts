import type { Language } from '../languages.js'

export function numberFormat(language: Language): (value: number) => string {
  const format = new Intl.NumberFormat(language)
  return (value) => format.format(value)
}

/** The day of a moment, the same in every language. */
export const dayOf = (moment: string): string => moment.slice(0, 10)
