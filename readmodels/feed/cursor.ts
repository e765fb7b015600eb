import { damagedCursor, decodeCursor as decode, encodeCursor as encode } from '../../src/contract/cursor.js'
import type { PageKey } from './queries.js'
import type { Scored } from './search/score.js'

/** The query a cursor belongs to. With another query it would silently skip or repeat creations. */
export interface CursorQuery {
  sort: string
  category: string | null
  tag: string | null
  q: string | null
  featuredOnly: boolean
}

/** Where a page by relevance ended. The weights stay those of the first page: they follow how often each word is used. */
export interface RankedKey extends Scored {
  weights: readonly number[]
}

export const encodeCursor = (key: PageKey, query: CursorQuery): string => encode(key, partsOf(query))

/** Throws a validation error for a damaged cursor, and for one that belongs to another query. */
export function decodeCursor(cursor: string, query: CursorQuery): PageKey {
  const { value, id } = decode(cursor, partsOf(query))
  if (typeof value !== 'number') throw damagedCursor()
  return { value, id }
}

export const encodeRankedCursor = ({ id, score, quality, weights }: RankedKey, query: CursorQuery): string =>
  encode({ value: [score, quality, ...weights].join(), id }, partsOf(query))

export function decodeRankedCursor(cursor: string, query: CursorQuery): RankedKey {
  const { value, id } = decode(cursor, partsOf(query))
  const [score, quality, ...weights] = String(value).split(',').map(Number)
  if (score === undefined || quality === undefined || ![score, quality, ...weights].every(Number.isSafeInteger)) throw damagedCursor()
  return { id, score, quality, weights }
}

const partsOf = ({ sort, category, tag, q, featuredOnly }: CursorQuery) => [sort, category, tag, q, featuredOnly]
