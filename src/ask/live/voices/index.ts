import type { Language } from '../../languages.js'
import { de } from './de.js'
import { en } from './en.js'
import { es } from './es.js'
import { ja } from './ja.js'
import type { Voice } from './voice.js'

export const VOICES: Record<Language, Voice> = { en, es, de, ja }
