import type { AskMeta, Citation, Result } from './response.js'
import type { Passage } from './retrieve/documentation.js'

/** An answer before it is dressed as a response. */
export interface Draft {
  type: AskMeta['response_type']
  answer: string
  citations: Citation[]
  results: Result[]
  /** Said like this and no other way: a refusal. */
  verbatim?: true
  /** Log position of what was read; null when nothing live was. */
  position: number | null
}

export const passageCitation = ({ page, id, title, url, text }: Passage): Citation => ({ id: `${page}/${id}`, title, url, snippet: text })

export const passageResult = ({ title, url, text, language }: Passage): Result => ({
  '@context': 'https://schema.org',
  '@type': 'WebPage',
  name: title,
  url,
  description: text,
  inLanguage: language,
})
