/** The texts of the pages by language. The type comes from the English ones. */
import { de } from '../../../../content/pages/de.js'
import { en, type PageTexts } from '../../../../content/pages/en.js'
import { es } from '../../../../content/pages/es.js'
import { ja } from '../../../../content/pages/ja.js'

export const LANGUAGES = ['en', 'es', 'de', 'ja'] as const
export type Language = (typeof LANGUAGES)[number]
export type { PageTexts as Texts }

const TEXTS: Record<Language, PageTexts> = { en, es, de, ja }

export const textsIn = (language: Language): PageTexts => TEXTS[language]
