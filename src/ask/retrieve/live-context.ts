import type { Language } from '../languages.js'
import type { Mode } from '../request.js'
import type { LiveReads } from './live-models.js'

/** What a live answer is made with. */
export interface LiveContext {
  models: LiveReads
  language: Language
  mode: Mode
  webUrl: string
  categoryName: (slug: string) => string
}
