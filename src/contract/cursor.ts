import { createHash } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '../lib/parse-json.js'
import { invalid } from './errors.js'

/** Where a page ends: the sort value and the id of its last document. */
export interface PageKey {
  value: number | string
  id: string
}

/** What a cursor is bound to: with another query it would silently skip or repeat documents. */
export type CursorQuery = readonly (string | number | boolean | null)[]

const VERSION = 1

/** Opaque to clients: the key of the last document, a fingerprint of the query, and a checksum over both. */
export function encodeCursor({ value, id }: PageKey, query: CursorQuery): string {
  const body = JSON.stringify([VERSION, value, id, fingerprint(query)])
  return Buffer.from(body + checksum(body)).toString('base64url')
}

/** Throws a validation error for a damaged cursor, and for one that belongs to another query. */
export function decodeCursor(cursor: string, query: CursorQuery): PageKey {
  const text = Buffer.from(cursor, 'base64url').toString()
  const body = text.slice(0, -CHECKSUM_LENGTH)
  // Node's base64 decoder ignores bad characters; encoding the text again finds them.
  if (checksum(body) !== text.slice(-CHECKSUM_LENGTH) || Buffer.from(text).toString('base64url') !== cursor) throw damagedCursor()
  const parsed = Content.safeParse(parseJson(body))
  if (!parsed.success) throw damagedCursor()
  const [, value, id, bound] = parsed.data
  if (bound !== fingerprint(query)) throw invalid('cursor', 'belongs to another query: keep sort, filters and text the same while paging')
  return { value, id }
}

export const damagedCursor = () => invalid('cursor', 'is damaged: pass next_cursor unchanged, or leave it out to start again')

const CHECKSUM_LENGTH = 12

/** The checksum detects damage, not forgery, so the content is validated as well. */
const Content = z.tuple([z.literal(VERSION), z.union([z.number(), z.string()]), z.string(), z.string()])

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

const checksum = (body: string): string => digest(`vitrine cursor ${body}`).slice(0, CHECKSUM_LENGTH)

const fingerprint = (query: CursorQuery): string => digest(JSON.stringify(query)).slice(0, 12)
