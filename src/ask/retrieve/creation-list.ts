import { z } from 'zod'
import type { Creation } from '../../../readmodels/feed/creation.js'
import { SORTS, type Sort } from '../../../readmodels/feed/documents.js'
import { type CommunityFeedPage, getCommunityFeed } from '../../../readmodels/feed/public-reads.js'
import { lookUp, type Match } from '../../../readmodels/feed/unlisted-reads.js'
import { getCreatorWorks } from '../../../readmodels/profiles/unlisted-reads.js'
import { tagKey } from '../../../readmodels/tags/tag-key.js'
import { KINDS } from '../../events/index.js'
import type { ReadSession } from '../../operations/read-session.js'

/** How lists are ordered; by relevance only with a text. */
const ORDERS = ['relevance', ...SORTS] as const
export type ListOrder = Sort | 'relevance'

const text = z.string().max(200).nullable().catch(null).default(null)
const flag = z
  .enum(['true', 'false'])
  .catch('false')
  .transform((value) => value === 'true')

/**
 * A list of creations: what the feed can filter by, and what it cannot (`kind`, `remixed`, `creator`, which is a handle).
 * Also the query of a page that answers cite; an invalid value in it counts as absent, and so does a text beside a creator.
 */
export const ListQuery = z
  .object({
    sort: z.enum(ORDERS).catch('trending'),
    kind: z.enum(KINDS).nullable().catch(null),
    category: text,
    tag: text,
    q: text,
    featured: flag,
    remixed: flag,
    creator: text,
    limit: z.coerce.number().int().min(1).max(24).catch(5),
  })
  .transform((query) => (query.creator === null ? query : { ...query, q: null }))
export type ListQuery = z.infer<typeof ListQuery>

/** The list without filters. */
export const DEFAULT_LIST: ListQuery = { ...ListQuery.parse({}), sort: 'liked' }

const PAGE_SIZE = 48
/** The feed refuses longer tags and texts. */
const MAX_TEXT_LENGTH = 200
/** How many pages are searched for what the feed itself does not filter by. */
const MAX_PAGES = 5
/** The same with a text: finding a page of matches takes several times as long. */
const MAX_SEARCHED_PAGES = 1

export interface FoundCreations {
  items: Creation[]
  /** Null when counting would mean reading too much, or saying nothing. */
  total: number | null
  /** By relevance, why each creation is listed. */
  matches?: readonly Match[]
}

export async function findCreations(models: ReadSession, query: ListQuery): Promise<FoundCreations> {
  const { kind, category, tag, q, featured, remixed, creator, limit } = query
  if (query.sort === 'relevance' && q !== null) return mostFitting(models, query, q)
  const sort = query.sort === 'relevance' ? 'trending' : query.sort
  const filter = { sort, featuredOnly: featured, ...definedFields({ category, tag, q }) }
  if (kind === null && !remixed && creator === null) {
    const { items, total } = await models.read(getCommunityFeed, { ...filter, limit })
    return { items, total }
  }
  if (creator !== null) return worksOf(models, creator, sort, query)
  const fits = (item: Creation) => (kind === null || item.kind === kind) && (!remixed || item.remixOf !== null)
  const found: Creation[] = []
  for await (const page of feedPages(models, filter, q === null ? MAX_PAGES : MAX_SEARCHED_PAGES)) {
    found.push(...page.items.filter(fits))
    if (page.next_cursor === null) return { items: found.slice(0, limit), total: found.length }
    // The rest would only be counted, which takes too long for a whole community.
    if (found.length >= limit && page.total > PAGE_SIZE * MAX_PAGES) break
  }
  return { items: found.slice(0, limit), total: null }
}

/** How many are compared with each other. The order weighs fields and likes too, so the first need not hold the most. */
const MIN_COMPARED = 8
/** A creation that holds so much less of the text than the best one is about something else. */
const MIN_RELATIVE_SHARE = 0.6

/** What fits a text best, of the kind that is asked for if any of that kind fits as well. */
async function mostFitting(
  models: ReadSession,
  { kind, category, tag, featured, remixed, limit }: ListQuery,
  q: string,
): Promise<FoundCreations> {
  const filter = { q: truncated(q), category, tag: tag === null ? null : tagKey(tag), featuredOnly: featured }
  const { items, matches } = await models.read(lookUp, {
    ...filter,
    limit: kind === null && !remixed ? Math.max(limit, MIN_COMPARED) : PAGE_SIZE,
  })
  const all = items.flatMap((item, at) => {
    const match = matches[at]
    return match === undefined || (remixed && item.remixOf === null) ? [] : [{ item, match }]
  })
  const best = Math.max(0, ...all.slice(0, 3).map(({ match }) => match.share))
  const fitting = all.filter(({ match }) => match.share >= MIN_RELATIVE_SHARE * best)
  const ofKind = fitting.filter(({ item }) => item.kind === kind)
  const listed = (ofKind.length > 0 ? ofKind : fitting).slice(0, limit)
  return { items: listed.map(({ item }) => item), matches: listed.map(({ match }) => match), total: null }
}

/** Pages of the feed, one after the other. */
export async function* feedPages(
  models: ReadSession,
  filter: { locale?: string; sort: Sort; featuredOnly?: boolean },
  most: number,
): AsyncGenerator<CommunityFeedPage> {
  let cursor: string | null = null
  for (let count = 0; count < most; count += 1) {
    const page: CommunityFeedPage = await models.read(getCommunityFeed, { ...filter, limit: PAGE_SIZE, cursor: cursor ?? undefined })
    yield page
    cursor = page.next_cursor
    if (cursor === null) return
  }
}

/** The feed does not filter by creator. */
async function worksOf(
  models: ReadSession,
  handle: string,
  sort: Sort,
  { kind, category, tag, featured, remixed, limit }: ListQuery,
): Promise<FoundCreations> {
  const filter = { kind, category: category?.trim().toLowerCase() ?? null, tag: tag === null ? null : tagKey(tag), featured, remixed }
  const works = await models.find(getCreatorWorks, { handle, sort, ...filter, limit })
  return { items: works?.items ?? [], total: works?.complete === false ? null : (works?.total ?? 0) }
}

const definedFields = (fields: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, truncated(value)]])))

/** Questions may be longer than the feed accepts; the cut must not leave a lone surrogate. */
const truncated = (value: string): string => (value.length <= MAX_TEXT_LENGTH ? value : value.slice(0, MAX_TEXT_LENGTH).toWellFormed())
