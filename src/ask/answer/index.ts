import { de } from '../../../content/ask/templates/de.js'
import { en } from '../../../content/ask/templates/en.js'
import { es } from '../../../content/ask/templates/es.js'
import { ja } from '../../../content/ask/templates/ja.js'
import type { Language } from '../languages.js'
import type { AnswerTemplates } from './templates.js'

export const TEMPLATES: Record<Language, AnswerTemplates> = { en, es, de, ja }
