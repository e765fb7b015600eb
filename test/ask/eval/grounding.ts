import type { AskResponse } from '../../../src/ask/response.js'
import { plain } from './judge.js'

/** Numbers, names, handles and quoted words of an answer that no cited snippet holds. */
export function ungrounded({ answer, citations, results }: AskResponse): string[] {
  const snippets = plain(citations.map(({ snippet }) => snippet).join('\n'))
  const numbers = new Set(snippets.match(/\d+(?:[.,]\d+)*/g))
  const said = plain(answer)
  const names = results.flatMap((result) => [result.name, nameOf(result.author), String(result.alternateName ?? '')]).map(plain)
  return [
    ...(said.match(/\d+(?:[.,]\d+)*/g) ?? []).filter((number) => !numbers.has(number)),
    ...(said.match(/@[a-z0-9-]+/g) ?? []).filter((handle) => !snippets.includes(handle)),
    ...(said.match(/"[^"]+"/g) ?? []).filter((quoted) => !snippets.includes(quoted)),
    ...names.filter((name) => name !== '' && said.includes(name) && !snippets.includes(name)),
  ]
}

const nameOf = (author: unknown): string => (typeof author === 'object' && author !== null && 'name' in author ? String(author.name) : '')

/** The text that a person sees on a page. */
export function visibleText(body: string, type: string): string {
  const text = type.startsWith('text/html') ? body.replace(/<(script|style)\b.*?<\/\1>/gs, ' ').replace(/<[^>]+>/g, '') : body
  return decoded(text).replace(/\s+/g, ' ')
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

const decoded = (text: string): string => text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole)
