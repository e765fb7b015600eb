import type { Creation } from '../../../readmodels/feed/creation.js'
import type { Sort } from '../../../readmodels/feed/documents.js'
import { tagKey } from '../../../readmodels/tags/tag-key.js'
import type { Kind } from '../../events/index.js'
import { pathOf, type Readout } from '../answer/citations.js'
import { VOICES } from '../answer/index.js'
import type { Scope } from '../answer/templates.js'
import type { Language } from '../languages.js'
import type { Models } from './live-models.js'

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
export const LIST: ListQuery = {
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

export interface Listing {
  readout: Readout
  items: Creation[]
  /** Null when counting would mean reading too much. */
  total: number | null
  heading: string
  /** The sentence that says how many there are. */
  counted: string | null
}

const PAGE = 48
/** What the feed takes as a tag or a text. */
const LONGEST = 200
/** How many pages are looked through for what the feed itself does not filter by. */
const PAGES = 10
/** Of a text within one creator's: they are further apart. */
const PAGES_OF_CREATOR = 100

export async function listing(
  models: Models,
  query: ListQuery,
  language: Language,
  categoryName: (slug: string) => string,
): Promise<Listing> {
  const { items, total } = await find(models, query, language)
  const voice = VOICES[language]
  const scope: Scope = { ...query, category: query.category === null ? null : categoryName(query.category) }
  const heading = voice.heading(query.sort, scope)
  const counted = total === null ? null : voice.count(total, scope)
  const lines = [heading, ...(counted === null ? [] : [counted]), ...items.map((item, place) => `${place + 1}. ${voice.line(item)}`)]
  const { sort, kind, category, tag, q, featured, remixed, creator, limit } = query
  const path = pathOf('community', { sort, category, tag, q, kind, featured, remixed, creator, limit, locale: language })
  return { readout: { path, title: heading, lines }, items, total, heading, counted }
}

async function find(models: Models, query: ListQuery, locale: string): Promise<{ items: Creation[]; total: number | null }> {
  const { sort, kind, category, tag, q, featured, remixed, creator, limit } = query
  const filter = { locale, sort, featuredOnly: featured, ...optional({ category, tag, q }) }
  if (kind === null && !remixed && creator === null) {
    const { items, total } = await models.feed({ ...filter, limit })
    return { items, total }
  }
  const fits = (item: Creation) =>
    (kind === null || item.kind === kind) && (!remixed || item.remixOf !== null) && (creator === null || item.creator.handle === creator)
  if (creator !== null && q === null) {
    const works = await models.works({ handle: creator, sort, locale })
    const found = (works?.items ?? []).filter((item) => fits(item) && isWithin(item, query))
    return { items: found.slice(0, limit), total: works?.complete === false ? null : found.length }
  }
  const found: Creation[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < (creator === null ? PAGES : PAGES_OF_CREATOR); pages += 1) {
    const page = await models.feed({ ...filter, limit: PAGE, ...(cursor === null ? {} : { cursor }) })
    found.push(...page.items.filter(fits))
    cursor = page.next_cursor
    if (cursor === null) return { items: found.slice(0, limit), total: found.length }
    // The rest would only be counted, and that of a whole community takes too long.
    if (found.length >= limit && page.total > PAGE * PAGES) break
  }
  return { items: found.slice(0, limit), total: null }
}

/** What the feed would filter by. */
const isWithin = (item: Creation, { category, tag, featured }: ListQuery): boolean =>
  (category === null || item.category === category.trim().toLowerCase()) &&
  (tag === null || item.tags.includes(tagKey(tag))) &&
  (!featured || item.featured)

const optional = (fields: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, fitting(value)]])))

/** Questions may be longer than what the feed takes, and a cut must not leave half a character. */
const fitting = (value: string): string => (value.length <= LONGEST ? value : value.slice(0, LONGEST).toWellFormed())
