import type { Language } from '../../languages.js'
import type { Cues } from './cues.js'
import { de } from './de.js'
import { en } from './en.js'
import { es } from './es.js'
import { ja } from './ja.js'

export { type Cues, NAMED } from './cues.js'

export const CUES: Record<Language, Cues> = { en, es, de, ja }

/** Whether a word alone gives a question of this language away: "meistgenutzte". */
export const isCue = (language: Language, word: string): boolean => CUES[language].sorts.some(([, pattern]) => pattern.test(word))
