import type { ReadSession } from '../../operations/read-session.js'
import type { Language } from '../languages.js'
import type { Mode } from '../request.js'

/** What a live answer is made with. */
export interface LiveContext {
  models: ReadSession
  language: Language
  mode: Mode
  webUrl: string
  categoryName: (slug: string) => string
}
