import { de } from '../../../content/ask/patterns/de.js'
import { en } from '../../../content/ask/patterns/en.js'
import { es } from '../../../content/ask/patterns/es.js'
import { ja } from '../../../content/ask/patterns/ja.js'
import type { Language } from '../languages.js'
import type { Cues } from './patterns.js'

export { type Cues, NAMED } from './patterns.js'

export const CUES: Record<Language, Cues> = { en, es, de, ja }

/** Whether a word alone gives a question of this language away: "meistgenutzte". */
export const isCue = (language: Language, word: string): boolean => CUES[language].sorts.some(([, pattern]) => pattern.test(word))
