import { SORTS } from '../../../../readmodels/feed/documents.js'
import type { PageContext, Query } from './page-context.js'

export type Sort = (typeof SORTS)[number]

/** A view of the feed, as the URL of the page states it. */
export interface ExploreQuery {
  sort: Sort
  category: string | null
  tag: string | null
  q: string | null
  featuredOnly: boolean
  cursor: string | null
}

const MAX_TEXT_LENGTH = 200

/** People edit URLs by hand: invalid values are ignored, not rejected. Only a cursor must be valid. */
export function parseExploreQuery(given: Record<string, unknown>): ExploreQuery {
  const text = (name: string): string | null => {
    const value = given[name]
    if (typeof value !== 'string' || value.trim() === '' || !value.isWellFormed()) return null
    return value.trim().slice(0, MAX_TEXT_LENGTH)
  }
  const cursor = given.cursor
  return {
    sort: SORTS.find((sort) => sort === given.sort) ?? 'trending',
    category: text('category'),
    tag: text('tag'),
    q: text('q'),
    featuredOnly: given.featuredOnly === 'true' || given.featuredOnly === '1',
    cursor: typeof cursor === 'string' && cursor !== '' ? cursor : null,
  }
}

/** The front page without any filter. */
export const isFirstView = ({ sort, cursor, ...query }: ExploreQuery): boolean =>
  sort === 'trending' && cursor === null && !isFiltered({ sort, cursor, ...query })

export const isFiltered = ({ category, tag, q, featuredOnly }: ExploreQuery): boolean =>
  category !== null || tag !== null || q !== null || featuredOnly

/** The URL of a view. A cursor belongs to one query, so it is not carried over. */
export function exploreUrl(context: PageContext, query: ExploreQuery, change: Partial<ExploreQuery> = {}): string {
  const { sort, category, tag, q, featuredOnly, cursor } = { ...query, cursor: null, ...change }
  const parameters: Query = {
    q,
    category,
    tag,
    featuredOnly: featuredOnly ? 'true' : null,
    sort: sort === 'trending' ? null : sort,
    cursor,
  }
  return context.href('/', parameters)
}
