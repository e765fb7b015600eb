import { z } from 'zod'
import { feedExample } from '../../content/examples.js'
import { count, locale, namedSchema, optionalText } from '../../src/contract/fields.js'
import { operation } from '../../src/contract/operation.js'
import { CategorySlug } from '../../src/events/index.js'
import type { ModelReads } from '../../src/ports/document-store.js'
import { tagKey } from '../tags/tag-key.js'
import { Creation, renderCreation } from './creation.js'
import { type CursorQuery, decodeCursor, encodeCursor } from './cursor.js'
import { SORTS } from './documents.js'
import { feedPage, type Page, type PageRequest, pageKeyOf } from './queries.js'
import { searchPage } from './search-strategy.js'

const cursor = z.string().nullable().meta({ description: 'Pass unchanged as `cursor` to get the next page; null on the last page.' })

export const CommunityFeedPage = namedSchema(
  'CommunityFeedPage',
  z.object({
    items: z.array(Creation),
    hasMore: z.boolean(),
    total: count.meta({ description: 'All creations that match, exactly.' }),
    next_cursor: cursor,
    pagination: z.object({ limit: z.int(), sort: z.enum(SORTS), returned: count, next_cursor: cursor, has_more: z.boolean() }),
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
    sort: z.enum(SORTS).default('trending').meta({ description: 'Order of the feed, highest first.' }),
    category: optionalText(200, 'Only this category (slug).'),
    tag: optionalText(200, 'Only creations with this tag (key).'),
    q: optionalText(200, 'Full-text search: every word must occur, the last one may be the beginning of a word.'),
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
  async run({ model, localizer, urls }, { sort, category, tag, q, featuredOnly, cursor, limit }) {
    const query: CursorQuery = {
      sort,
      category: category?.trim().toLowerCase() || null,
      tag: tag?.trim() ? tagKey(tag) : null,
      q: q?.trim() || null,
      featuredOnly,
    }
    const request: PageRequest = { filter: query, sort, limit, after: cursor === undefined ? null : decodeCursor(cursor, query) }
    const feed = model('feed')
    const page = await pageOf(feed, query, request)
    const last = page.items.at(-1)
    const nextCursor = page.hasMore && last !== undefined ? encodeCursor(pageKeyOf(last, sort), query) : null
    return {
      items: page.items.map((item) => renderCreation(item, localizer, urls)),
      hasMore: page.hasMore,
      total: page.total,
      next_cursor: nextCursor,
      pagination: { limit, sort, returned: page.items.length, next_cursor: nextCursor, has_more: page.hasMore },
    }
  },
})

async function pageOf(reads: ModelReads, { category, tag, q }: CursorQuery, request: PageRequest): Promise<Page> {
  // A text that is no slug is no category. "games|cats" must not be taken for the category "games" with a tag.
  const noCategory = category !== null && !CategorySlug.safeParse(category).success
  // "#" alone becomes an empty tag key, which no creation has.
  if (noCategory || tag === '') return { items: [], hasMore: false, total: 0 }
  return q === null ? feedPage(reads, request) : searchPage(reads, q, request)
}
