import type { Creation } from '../../../readmodels/feed/creation.js'
import type { Sort } from '../../../readmodels/feed/documents.js'
import { type CommunityFeedPage, getCommunityFeed } from '../../../readmodels/feed/public-reads.js'
import { getCreatorWorks } from '../../../readmodels/profiles/unlisted-reads.js'
import { tagKey } from '../../../readmodels/tags/tag-key.js'
import type { Kind } from '../../events/index.js'
import type { ReadSession } from '../../operations/read-session.js'
import { type TextPage, textPagePath } from '../answer/citations.js'
import { type ListScope, TEMPLATES } from '../answer/templates.js'
import type { Language } from '../languages.js'

/** A list of creations: what the feed can filter by, and what it cannot (`kind`, `remixed`, `creator`). */
export interface ListQuery {
  sort: Sort
  kind: Kind | null
  category: string | null
  tag: string | null
  q: string | null
  featured: boolean
  remixed: boolean
  /** Handle of the one who made them. */
  creator: string | null
  limit: number
}

/** The list that nobody has narrowed. */
export const DEFAULT_LIST: ListQuery = {
  sort: 'liked',
  kind: null,
  category: null,
  tag: null,
  q: null,
  featured: false,
  remixed: false,
  creator: null,
  limit: 5,
}

export interface ListPage {
  page: TextPage
  items: Creation[]
  /** Null when counting would mean reading too much. */
  total: number | null
  heading: string
  /** The sentence that says how many there are. */
  countSentence: string | null
}

const PAGE_SIZE = 48
/** What the feed takes as a tag or a text. */
const MAX_TEXT_LENGTH = 200
/** How many pages are looked through for what the feed itself does not filter by. */
const MAX_PAGES = 10
/** Of a text within one creator's: they are further apart. */
const MAX_PAGES_OF_CREATOR = 100

export async function listPage(
  models: ReadSession,
  query: ListQuery,
  language: Language,
  categoryName: (slug: string) => string,
): Promise<ListPage> {
  const { items, total } = await findCreations(models, query, language)
  const voice = TEMPLATES[language]
  const scope: ListScope = { ...query, category: query.category === null ? null : categoryName(query.category) }
  const heading = voice.heading(query.sort, scope)
  const countSentence = total === null ? null : voice.count(total, scope)
  const lines = [
    heading,
    ...(countSentence === null ? [] : [countSentence]),
    ...items.map((item, place) => `${place + 1}. ${voice.line(item)}`),
  ]
  const { sort, kind, category, tag, q, featured, remixed, creator, limit } = query
  const path = textPagePath('community', { sort, category, tag, q, kind, featured, remixed, creator, limit, locale: language })
  return { page: { path, title: heading, lines }, items, total, heading, countSentence }
}

async function findCreations(models: ReadSession, query: ListQuery, locale: string): Promise<{ items: Creation[]; total: number | null }> {
  const { sort, kind, category, tag, q, featured, remixed, creator, limit } = query
  const filter = { locale, sort, featuredOnly: featured, ...definedFields({ category, tag, q }) }
  if (kind === null && !remixed && creator === null) {
    const { items, total } = await models.read(getCommunityFeed, { ...filter, limit })
    return { items, total }
  }
  const fits = (item: Creation) =>
    (kind === null || item.kind === kind) && (!remixed || item.remixOf !== null) && (creator === null || item.creator.handle === creator)
  if (creator !== null && q === null) {
    const works = await models.find(getCreatorWorks, { handle: creator, sort, locale })
    const found = (works?.items ?? []).filter((item) => fits(item) && matchesFilters(item, query))
    return { items: found.slice(0, limit), total: works?.complete === false ? null : found.length }
  }
  const found: Creation[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < (creator === null ? MAX_PAGES : MAX_PAGES_OF_CREATOR); pages += 1) {
    const page: CommunityFeedPage = await models.read(getCommunityFeed, {
      ...filter,
      limit: PAGE_SIZE,
      cursor: cursor ?? undefined,
    })
    found.push(...page.items.filter(fits))
    cursor = page.next_cursor
    if (cursor === null) return { items: found.slice(0, limit), total: found.length }
    // The rest would only be counted, and that of a whole community takes too long.
    if (found.length >= limit && page.total > PAGE_SIZE * MAX_PAGES) break
  }
  return { items: found.slice(0, limit), total: null }
}

/** What the feed would filter by. */
const matchesFilters = (item: Creation, { category, tag, featured }: ListQuery): boolean =>
  (category === null || item.category === category.trim().toLowerCase()) &&
  (tag === null || item.tags.includes(tagKey(tag))) &&
  (!featured || item.featured)

const definedFields = (fields: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, truncated(value)]])))

/** Questions may be longer than what the feed takes, and a cut must not leave half a character. */
const truncated = (value: string): string => (value.length <= MAX_TEXT_LENGTH ? value : value.slice(0, MAX_TEXT_LENGTH).toWellFormed())
