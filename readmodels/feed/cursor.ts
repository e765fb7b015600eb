import { createHash } from 'node:crypto'
import { z } from 'zod'
import { invalid } from '../../src/contract/errors.js'
import type { PageKey } from './queries.js'

/** The query a cursor belongs to. With another query it would silently skip or repeat creations. */
export interface CursorQuery {
  sort: string
  category: string | null
  tag: string | null
  q: string | null
  featuredOnly: boolean
}

const VERSION = 1

/** Opaque to clients: the page key of the last creation, a fingerprint of the query, and a checksum over both. */
export function encodeCursor({ value, id }: PageKey, query: CursorQuery): string {
  const body = JSON.stringify([VERSION, value, id, fingerprint(query)])
  return Buffer.from(body + checksum(body)).toString('base64url')
}

/** Throws a validation error for a damaged cursor, and for one that belongs to another query. */
export function decodeCursor(cursor: string, query: CursorQuery): PageKey {
  const text = Buffer.from(cursor, 'base64url').toString()
  const body = text.slice(0, -CHECKSUM_LENGTH)
  const damaged = invalid('cursor', 'is damaged: pass next_cursor unchanged, or leave it out to start again')
  // Node's base64 decoder ignores bad characters; encoding the text again finds them.
  if (checksum(body) !== text.slice(-CHECKSUM_LENGTH) || Buffer.from(text).toString('base64url') !== cursor) throw damaged
  const parsed = Content.safeParse(parseJson(body))
  if (!parsed.success) throw damaged
  const [, value, id, bound] = parsed.data
  if (bound !== fingerprint(query)) throw invalid('cursor', 'belongs to another query: keep sort, filters and text the same while paging')
  return { value, id }
}

const CHECKSUM_LENGTH = 12

/** The checksum detects damage, not forgery, so the content is validated as well. */
const Content = z.tuple([z.literal(VERSION), z.number(), z.string(), z.string()])

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

const checksum = (body: string): string => digest(`vitrine cursor ${body}`).slice(0, CHECKSUM_LENGTH)

const fingerprint = ({ sort, category, tag, q, featuredOnly }: CursorQuery): string =>
  digest(JSON.stringify([sort, category, tag, q, featuredOnly])).slice(0, 12)
