import { addressOf, type FeedCreator, type FeedCreatorDoc, type Item, type ItemDoc } from '../../readmodels/feed/documents.js'
import { facetsOf } from '../../readmodels/feed/facets.js'
import { NO_HEAT, trendingKey } from '../../readmodels/feed/trending.js'
import { tokenize } from '../../src/lib/tokenize.js'
import { NOT_PUBLISHED } from '../publication.js'

/** A creation of which only the id is known: the original of a remix, or one that is not published yet. */
export const blankItem = (id: string): Item => ({
  _id: id,
  seq: 0,
  removed: false,
  gaps: [],
  ...NOT_PUBLISHED,
  published: false,
  kind: null,
  slug: null,
  slugAt: 0,
  title: {},
  description: {},
  category: null,
  tags: [],
  coverUrl: null,
  featured: false,
  spotlight: false,
  publishedAt: 0,
  updatedAt: 0,
  creator: null,
  remixOf: null,
  original: null,
  originalCreatorId: null,
  derivatives: 0,
  likes: 0,
  plays: 0,
  remixes: 0,
  heat: NO_HEAT,
  trending: 0,
  facets: [],
  publicAddress: null,
  publicCreatorId: null,
  publicRemixOf: null,
})

/** Written out, because nearly every event makes a copy: objects of one literal share a shape, which spreading does not ensure. */
export const copyOfItem = (item: Item): Item => ({
  _id: item._id,
  seq: item.seq,
  removed: item.removed,
  gaps: item.gaps,
  setAt: item.setAt,
  creatorId: item.creatorId,
  alsoBy: item.alsoBy,
  published: item.published,
  kind: item.kind,
  slug: item.slug,
  slugAt: item.slugAt,
  title: item.title,
  description: item.description,
  category: item.category,
  tags: item.tags,
  coverUrl: item.coverUrl,
  featured: item.featured,
  spotlight: item.spotlight,
  publishedAt: item.publishedAt,
  updatedAt: item.updatedAt,
  creator: item.creator,
  remixOf: item.remixOf,
  original: item.original,
  originalCreatorId: item.originalCreatorId,
  derivatives: item.derivatives,
  likes: item.likes,
  plays: item.plays,
  remixes: item.remixes,
  heat: item.heat,
  trending: item.trending,
  facets: item.facets,
  publicAddress: item.publicAddress,
  publicCreatorId: item.publicCreatorId,
  publicRemixOf: item.publicRemixOf,
})

export const itemWith = (item: Item, changes: Partial<Item>): Item => Object.assign(copyOfItem(item), changes)

/** Public = published, not unpublished, not removed, creator registered and not removed. */
export const isPublic = (item: Item): boolean => item.published && item.creator !== null

/** Recomputes the fields that indexes use. Keeps the old arrays where nothing changed, so that no index is rewritten. */
export function withIndexFields(item: Item, before: Item | undefined): Item {
  const trending = item.heat === before?.heat ? item.trending : trendingKey(item.heat)
  const stays = before !== undefined && sameIndexFields(item, before)
  if (stays && trending === item.trending) return item
  const next = copyOfItem(item)
  next.trending = trending
  if (stays) return next
  const shown = isPublic(item)
  next.facets = shown ? facetsOf(item) : []
  next.publicAddress = shown && item.creatorId !== null && item.slug !== null ? addressOf(item.creatorId, item.slug) : null
  next.publicCreatorId = shown ? item.creatorId : null
  next.publicRemixOf = shown ? item.remixOf : null
  return next
}

function sameIndexFields(a: Item, b: Item): boolean {
  return (
    isPublic(a) === isPublic(b) &&
    a.featured === b.featured &&
    a.spotlight === b.spotlight &&
    a.category === b.category &&
    a.tags === b.tags &&
    a.creatorId === b.creatorId &&
    a.slug === b.slug &&
    a.remixOf === b.remixOf
  )
}

/** Bounds the index for long texts in many languages. */
const MAX_TERMS = 600

/** The distinct search terms of a creation: titles and descriptions in every language, and tags. Sorted, so that equal texts give equal documents. */
export function searchTerms(item: Item): string[] {
  const found: string[] = []
  for (const text of [...Object.values(item.title), ...item.tags, ...Object.values(item.description)]) found.push(...tokenize(text))
  // Sorting finds duplicates faster than a set, but loses the order that decides which terms to keep.
  if (found.length > MAX_TERMS) return [...new Set(found)].slice(0, MAX_TERMS).sort()
  return found.sort().filter((term, i) => term !== found[i - 1])
}

export const sameTerms = (a: Item, b: Item): boolean => a.title === b.title && a.description === b.description && a.tags === b.tags

/** How an original appears on its remixes: its card only while it is public. */
export function originalFields(original: ItemDoc | undefined): Pick<Item, 'original' | 'originalCreatorId'> {
  if (original === undefined || original.removed) return { original: null, originalCreatorId: null }
  const { creator, slug, title, creatorId } = original
  const shown = isPublic(original) && creator !== null && slug !== null
  return { original: shown ? { handle: creator.handle, slug, title } : null, originalCreatorId: creatorId }
}

export function creatorCard(creator: FeedCreatorDoc | undefined): Item['creator'] {
  if (creator === undefined || creator.removed || !creator.registered || creator.handle === null) return null
  return { handle: creator.handle, displayName: creator.displayName, avatarUrl: creator.avatarUrl }
}

/** A creator known only by id. */
export const blankFeedCreator = (id: string): FeedCreator => ({
  _id: id,
  seq: 0,
  removed: false,
  setAt: { all: 0 },
  registered: false,
  handle: null,
  handleKey: null,
  handleAt: 0,
  displayName: '',
  avatarUrl: null,
  creations: 0,
  apps: 0,
  likes: 0,
  plays: 0,
  remixes: 0,
})
