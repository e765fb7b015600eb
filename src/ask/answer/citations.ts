import type { PopularTags } from '../../../readmodels/tags/public-reads.js'
import type { ReadSession } from '../../operations/read-session.js'
import type { Language } from '../languages.js'
import type { Mode } from '../request.js'
import type { Citation, Draft } from '../response.js'
import type { Passage } from '../retrieve/documentation.js'

/**
 * A live read as lines of plain text, which has a page and which answers cite. Pages and answers are made by the same
 * functions from the same data.
 */
export interface TextPage {
  /** Path and query on the web host, which gives the same page again. */
  path: string
  title: string
  lines: readonly string[]
}

/** Cites the first lines of a page: as many as the answer uses. */
const textPageCitation = ({ path, title, lines }: TextPage, webUrl: string, used: number): Citation => ({
  id: `live${path}`,
  title,
  url: `${webUrl}${path}`,
  snippet: lines.slice(0, used).join('\n'),
})

/** Cites one line of a page. */
export const lineCitation = ({ path, title }: TextPage, line: string, webUrl: string): Citation => ({
  id: `live${path}#${line}`,
  title,
  url: `${webUrl}${path}`,
  snippet: line,
})

export const textPagePath = (path: string, query: Record<string, string | number | boolean | null>): string => {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== false)
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return `/text/${path}${search === '' ? '' : `?${search}`}`
}

export const passageCitation = ({ page, id, title, url, text }: Passage): Citation => ({ id: `${page}/${id}`, title, url, snippet: text })

/** An answer from the read models that cites the first lines of one page. */
export function liveDraft(
  answer: string,
  { page, used = page.lines.length }: { page: TextPage; used?: number },
  results: Draft['results'],
  { webUrl, models }: LiveContext,
): Draft {
  return { type: 'answer', answer, citations: [textPageCitation(page, webUrl, used)], results, position: models.position }
}

/** What a live answer is made with. */
export interface LiveContext {
  models: ReadSession
  /** Of the answer. */
  language: Language
  questionLanguage: Language
  mode: Mode
  webUrl: string
  categoryName: (slug: string) => string
  popularTags: PopularTags
}
