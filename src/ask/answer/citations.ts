/**
 * A live read as lines of plain text, on a page of its own: what answers cite. Pages and answers are made by the same
 * functions from the same data.
 */
import type { Citation } from '../response.js'

export interface TextPage {
  /** Path and query on the web host, which gives the same page again. */
  path: string
  title: string
  lines: readonly string[]
}

/** Cites the first lines of a page: as many as the answer was made of. */
export const textPageCitation = ({ path, title, lines }: TextPage, webUrl: string, used: number): Citation => ({
  id: `live${path}`,
  title,
  url: `${webUrl}${path}`,
  snippet: lines.slice(0, used).join('\n'),
})

export const textPagePath = (path: string, query: Record<string, string | number | boolean | null>): string => {
  const said = Object.entries(query).filter(([, value]) => value !== null && value !== false)
  const search = new URLSearchParams(said.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return `/text/${path}${search === '' ? '' : `?${search}`}`
}
