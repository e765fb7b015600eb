import { z } from 'zod'
import { feedExample } from '../../content/examples.js'
import { damagedCursor, decodeCursor as decode, encodeCursor as encode } from '../../src/contract/cursor.js'
import { count, locale, namedSchema, optionalText } from '../../src/contract/fields.js'
import { operation } from '../../src/contract/operation.js'
import { CategorySlug } from '../../src/events/index.js'
import type { ModelReads } from '../../src/ports/document-store.js'
import { tagKey } from '../tags/tag-key.js'
import { Creation, CreatorCard, renderCreation } from './creation.js'
import { SORTS, type Sort } from './documents.js'
import { feedPage, type Page, type PageKey, type PageRequest, pageKeyOf } from './queries.js'
import { creatorsFor } from './search/creators.js'
import { type SearchText, searchedWords } from './search/query.js'
import { rankedPage } from './search/relevance.js'
import type { Scored } from './search/score.js'
import { searchPage } from './search-strategy.js'

const cursor = z.string().nullable().meta({ description: 'Pass unchanged as `cursor` to get the next page; null on the last page.' })

/** The order of a search is how well creations fit, unless another is asked for. */
export const RELEVANCE = 'relevance'
const ORDERS = [RELEVANCE, ...SORTS] as const

export const CommunityFeedPage = namedSchema(
  'CommunityFeedPage',
  z.object({
    items: z.array(Creation),
    hasMore: z.boolean(),
    total: count.meta({ description: 'All creations that match, exactly. By relevance: those that were found, at most 1,000.' }),
    next_cursor: cursor,
    creators: z
      .array(CreatorCard)
      .meta({ description: 'With `q`, on the first page: up to five creators whose name or handle it holds. Otherwise empty.' }),
    pagination: z.object({
      limit: z.int(),
      sort: z.enum(ORDERS).meta({ description: 'The order of this page.' }),
      returned: count,
      next_cursor: cursor,
      has_more: z.boolean(),
    }),
  }),
  'One page of the community feed.',
)
export type CommunityFeedPage = z.infer<typeof CommunityFeedPage>

export const getCommunityFeed = operation({
  name: 'get_community_feed',
  operationId: 'getCommunityFeed',
  path: '/public/share/community',
  tag: 'community',
  summary: 'Community feed',
  description:
    'Public creations, a page at a time. The first page is requested without `cursor`; pass `data.next_cursor` unchanged to get the next one, until `hasMore` is false. An unknown category or tag is an empty page.',
  input: z.object({
    locale,
    sort: z.enum(ORDERS).optional().meta({
      description:
        'Order of the feed, highest first. Default: `trending`; with `q`, `relevance`, where any word may match and better matches come first. Without `q`, `relevance` is `trending`.',
    }),
    category: optionalText(200, 'Only this category (slug).'),
    tag: optionalText(200, 'Only creations with this tag (key).'),
    q: optionalText(
      200,
      'Full-text search in titles, tags and descriptions. By relevance any word may match, in another form or slightly misspelled; in any other order every word must occur, small words aside.',
    ),
    prefix: z
      .boolean()
      .default(false)
      .meta({ description: 'The last word of `q` may be the beginning of a word: for searches while somebody types.' }),
    featuredOnly: z.boolean().default(false).meta({ description: 'Only creations chosen by the editors.' }),
    cursor: z
      .string()
      .max(1000)
      .optional()
      .meta({ description: '`next_cursor` of the page before, unchanged. Bound to the same sort, filters and text.' }),
    limit: z.int().min(1).max(48).default(24).meta({ description: 'Creations per page.' }),
  }),
  output: CommunityFeedPage,
  models: ['feed'],
  onWebHost: true,
  example: feedExample,
  async run({ model, versionOf, localizer, urls }, { locale, sort, category, tag, q, prefix, featuredOnly, cursor, limit }) {
    const text = q?.trim() || null
    const isRanked = (sort ?? RELEVANCE) === RELEVANCE && text !== null && versionOf('feed') >= RANKED_SINCE
    const order: (typeof ORDERS)[number] = isRanked ? RELEVANCE : sort === undefined || sort === RELEVANCE ? 'trending' : sort
    const query: CursorQuery = {
      sort: order,
      category: category?.trim().toLowerCase() || null,
      tag: tag?.trim() ? tagKey(tag) : null,
      q: text,
      featuredOnly,
    }
    const feed = model('feed')
    const wanted = text === null ? null : { q: text, locale, prefix }
    const page = await (order === RELEVANCE && wanted !== null
      ? pageByRelevance(feed, wanted, query, limit, cursor)
      : pageInOrder(feed, wanted, query, order === RELEVANCE ? 'trending' : order, limit, cursor))
    const creators = wanted === null || cursor !== undefined || versionOf('feed') < RANKED_SINCE ? [] : await creatorsFor(feed, wanted)
    return {
      items: page.items.map((item) => renderCreation(item, localizer, urls)),
      hasMore: page.hasMore,
      total: page.total,
      next_cursor: page.nextCursor,
      creators: creators.map(({ handle, displayName, avatarUrl }) => ({ handle: handle ?? '', displayName, avatarUrl })),
      pagination: { limit, sort: order, returned: page.items.length, next_cursor: page.nextCursor, has_more: page.hasMore },
    }
  },
})

/** The version of the feed whose documents are ranked. Older ones are read until it is built. */
export const RANKED_SINCE = 7

type PageWithCursor = Page & { nextCursor: string | null }

async function pageInOrder(
  reads: ModelReads,
  text: SearchText | null,
  query: CursorQuery,
  sort: Sort,
  limit: number,
  cursor: string | undefined,
): Promise<PageWithCursor> {
  const request: PageRequest = { filter: query, sort, limit, after: cursor === undefined ? null : decodeCursor(cursor, query) }
  if (isEmpty(query)) return EMPTY
  const page = await (text === null ? feedPage(reads, request) : searchPage(reads, text, request))
  const last = page.items.at(-1)
  return { ...page, nextCursor: page.hasMore && last !== undefined ? encodeCursor(pageKeyOf(last, sort), query) : null }
}

async function pageByRelevance(
  reads: ModelReads,
  text: SearchText,
  query: CursorQuery,
  limit: number,
  cursor: string | undefined,
): Promise<PageWithCursor> {
  const after = cursor === undefined ? null : decodeRankedCursor(cursor, query)
  if (isEmpty(query)) return EMPTY
  const found = await searchedWords(reads, text)
  const wanted = found.map((word, at) => ({ ...word, weight: after?.weights[at] ?? word.weight }))
  const { last, ...page } = await rankedPage(reads, wanted, { filter: query, limit, after })
  const weights = wanted.map(({ weight }) => weight)
  return { ...page, nextCursor: page.hasMore && last !== undefined ? encodeRankedCursor({ ...last, weights }, query) : null }
}

const EMPTY: PageWithCursor = { items: [], hasMore: false, total: 0, nextCursor: null }

/** A text that is no slug is no category: "games|cats" must not be taken for the category "games" with a tag. "#" alone is no tag. */
const isEmpty = ({ category, tag }: CursorQuery): boolean => (category !== null && !CategorySlug.safeParse(category).success) || tag === ''

/** The query a cursor belongs to. With another query it would silently skip or repeat creations. */
export interface CursorQuery {
  sort: string
  category: string | null
  tag: string | null
  q: string | null
  featuredOnly: boolean
}

/** Where a page by relevance ended. The weights stay those of the first page: they follow how often each word is used. */
interface RankedKey extends Scored {
  weights: readonly number[]
}

export const encodeCursor = (key: PageKey, query: CursorQuery): string => encode(key, partsOf(query))

/** Throws a validation error for a damaged cursor, and for one that belongs to another query. */
export function decodeCursor(cursor: string, query: CursorQuery): PageKey {
  const { value, id } = decode(cursor, partsOf(query))
  if (typeof value !== 'number') throw damagedCursor()
  return { value, id }
}

const encodeRankedCursor = ({ id, score, quality, weights }: RankedKey, query: CursorQuery): string =>
  encode({ value: [score, quality, ...weights].join(), id }, partsOf(query))

function decodeRankedCursor(cursor: string, query: CursorQuery): RankedKey {
  const { value, id } = decode(cursor, partsOf(query))
  const [score, quality, ...weights] = String(value).split(',').map(Number)
  if (score === undefined || quality === undefined || ![score, quality, ...weights].every(Number.isSafeInteger)) throw damagedCursor()
  return { id, score, quality, weights }
}

const partsOf = ({ sort, category, tag, q, featuredOnly }: CursorQuery) => [sort, category, tag, q, featuredOnly]
