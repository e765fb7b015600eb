import { de } from '../../../content/ask/patterns/de.js'
import { en } from '../../../content/ask/patterns/en.js'
import { es } from '../../../content/ask/patterns/es.js'
import { ja } from '../../../content/ask/patterns/ja.js'
import type { Language } from '../languages.js'
import type { QuestionPatterns } from './patterns.js'

export { type QuestionPatterns as Cues, NAME_PLACEHOLDER as NAMED } from './patterns.js'

export const PATTERNS: Record<Language, QuestionPatterns> = { en, es, de, ja }

/** Whether a word alone gives a question of this language away: "meistgenutzte". */
export const isSortWord = (language: Language, word: string): boolean => PATTERNS[language].sorts.some(([, pattern]) => pattern.test(word))
