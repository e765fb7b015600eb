import { damagedCursor, decodeCursor as decode, encodeCursor as encode } from '../../src/contract/cursor.js'
import type { PageKey } from './queries.js'

/** The query a cursor belongs to. With another query it would silently skip or repeat creations. */
export interface CursorQuery {
  sort: string
  category: string | null
  tag: string | null
  q: string | null
  featuredOnly: boolean
}

export const encodeCursor = (key: PageKey, query: CursorQuery): string => encode(key, partsOf(query))

/** Throws a validation error for a damaged cursor, and for one that belongs to another query. */
export function decodeCursor(cursor: string, query: CursorQuery): PageKey {
  const { value, id } = decode(cursor, partsOf(query))
  if (typeof value !== 'number') throw damagedCursor()
  return { value, id }
}

const partsOf = ({ sort, category, tag, q, featuredOnly }: CursorQuery) => [sort, category, tag, q, featuredOnly]
