/** The documents of the feed: what events say of creations and their creators, and all that pages, filters and sorts need. */
import { z } from 'zod'
import {
  claimed,
  counts,
  type DocumentOf,
  edge,
  first,
  idOf,
  latest,
  max,
  own,
  person,
  state,
  sum,
  total,
} from '../../src/engine/declared/index.js'
import { handleKey, KINDS } from '../../src/events/index.js'
import type { Collection } from '../../src/ports/document-store.js'
import { type FieldGroup, fieldGroup, LocalizedText, type Tombstone } from '../collection.js'
import { facetsOf } from './facets.js'
import { heatSum, trendingKey } from './trending.js'

/** What a card shows of a creator. Without the totals, which change with every play. */
const CARD_FIELDS = ['removed', 'registered', 'handle', 'displayName', 'avatarUrl'] as const

/** A creator in the feed: the card that their creations show, and the totals of what is public. */
export const creator = state(
  'creator',
  {
    registered: latest(false),
    handle: latest(z.string()),
    /** The newest claim to a handle wins. */
    handleAt: claimed('handle'),
    displayName: latest(''),
    avatarUrl: latest(z.string().nullable(), null),
    /** Creations that name this creator, public or not. */
    creations: total(),
    apps: total(),
    likes: total(),
    plays: total(),
    remixes: total(),
  },
  {
    name: 'creators',
    fieldGroups: { card: CARD_FIELDS },
    indexes: [{ name: 'byHandle', fields: ['handleKey', 'handleAt'], order: 'desc', use: 'query' }],
  },
)
  // Without an address until registered.
  .derive('handleKey', z.string().nullable(), ['registered', 'handle'], ({ registered, handle }) =>
    registered && handle !== null ? handleKey(handle) : null,
  )

export const creators = creator.documents
export type FeedCreator = DocumentOf<typeof creator>

export const creatorCards = fieldGroup(creators, 'card', CARD_FIELDS)
export type FeedCreatorCard = FieldGroup<FeedCreator, (typeof CARD_FIELDS)[number]>

/** The field that each sort follows, highest first. */
export const SORT_FIELDS = { trending: 'trending', recent: 'publishedAt', popular: 'plays', remixed: 'remixes', liked: 'likes' } as const
export type Sort = keyof typeof SORT_FIELDS
export const SORTS = Object.keys(SORT_FIELDS) as [Sort, ...Sort[]]

const sortIndex = (sort: Sort) =>
  ({ name: sort, fields: ['facets', SORT_FIELDS[sort]], each: 'facets', order: 'desc', use: 'query' }) as const

/** What a reference to a creation shows, such as a score in it. */
const SUMMARY_FIELDS = ['removed', 'publicAddress', 'slug', 'title', 'creator'] as const

const CreatorCard = z.object({ handle: z.string(), displayName: z.string(), avatarUrl: z.string().nullable() })
export type CreatorCard = z.infer<typeof CreatorCard>

const OriginalCard = z.object({ handle: z.string(), slug: z.string(), title: LocalizedText })
export type OriginalCard = z.infer<typeof OriginalCard>

/** A creation: what events say of it, its counts, and everything a page shows of it. */
export const creation = state(
  'creation',
  {
    creatorId: first(person.countedIn('creations')),
    remixOf: first(idOf('creation').countedIn('derivatives')),
    publishedAt: first(0),
    /** Published and not unpublished. */
    published: latest(false),
    kind: latest(z.enum(KINDS)),
    slug: latest(z.string()),
    /** The newest claim to an address wins. */
    slugAt: claimed('slug'),
    title: latest(LocalizedText, {}),
    description: latest(LocalizedText, {}),
    category: latest(z.string()),
    tags: latest(z.array(z.string()), []),
    coverUrl: latest(z.string().nullable(), null),
    featured: latest(false),
    spotlight: latest(false),
    updatedAt: max(0),
    plays: sum(),
    /** The exact sum that `trending` is rounded from. */
    heat: sum(heatSum),
    likes: total(),
    remixes: total(),
    /** Creations that name this one as their original, public or not. */
    derivatives: total(),
  },
  {
    name: 'items',
    fieldGroups: { mention: SUMMARY_FIELDS },
    indexes: [
      ...SORTS.map(sortIndex),
      { name: 'byAddress', fields: ['publicAddress', 'slugAt'], order: 'desc', use: 'query' },
      { name: 'ofCreator', fields: ['publicCreatorId', 'publishedAt'], order: 'desc', use: 'query' },
      { name: 'remixesOf', fields: ['publicRemixOf', 'likes'], order: 'desc', use: 'query' },
    ],
  },
)
  // The creator as shown; null until registered.
  .join(
    'creator',
    creator.of('creatorId', ['registered', 'handle', 'displayName', 'avatarUrl'], CreatorCard.nullable(), (c) =>
      c.registered && c.handle !== null ? { handle: c.handle, displayName: c.displayName, avatarUrl: c.avatarUrl } : null,
    ),
  )
  // The original as shown; null while it is not public.
  .join(
    'original',
    (self) =>
      self.of('remixOf', ['published', 'creator', 'slug', 'title'], OriginalCard.nullable(), ({ published, creator, slug, title }) =>
        published && creator !== null && slug !== null ? { handle: creator.handle, slug, title } : null,
      ),
    { subjectsIn: 'originalCreatorId' },
  )
  .derive('isPublic', z.boolean(), ['published', 'creator'], ({ published, creator }) => published && creator !== null)
  .derive('quality', z.int(), ['likes'], ({ likes }) => qualityOf(likes))
  .derive('trending', z.number(), ['heat'], ({ heat }) => trendingKey(heat))
  // From here on: index keys for readers. Empty while the creation is not public.
  .derive('facets', z.array(z.string()), ['isPublic', 'featured', 'spotlight', 'category', 'tags'], (c) => (c.isPublic ? facetsOf(c) : []))
  .derive('publicAddress', z.string().nullable(), ['isPublic', 'creatorId', 'slug'], ({ isPublic, creatorId, slug }) =>
    isPublic && creatorId !== null && slug !== null ? addressOf(creatorId, slug) : null,
  )
  .derive('publicCreatorId', z.string().nullable(), ['isPublic', 'creatorId'], (c) => (c.isPublic ? c.creatorId : null))
  .derive('publicRemixOf', z.string().nullable(), ['isPublic', 'remixOf'], (c) => (c.isPublic ? c.remixOf : null))

export const items = creation.documents
export type Item = DocumentOf<typeof creation>
export type ItemDoc = Item | Tombstone

export const itemSummaries = fieldGroup(items, 'mention', SUMMARY_FIELDS)
export type ItemSummary = FieldGroup<Item, (typeof SUMMARY_FIELDS)[number]>

/** Grows by one with four times as many likes, so that few likes change what searches read. */
export const qualityOf = (likes: number): number => QUALITY_STEPS.filter((step) => likes >= step).length
const QUALITY_STEPS = [4, 16, 64, 256]

export const addressOf = (creatorId: string, slug: string): string => `${creatorId}/${slug}`

/** Who likes what. Only the first like raises `trending`, and taking it back lowers nothing. */
export const like = edge('creation', 'likes', { creationId: own, userId: person }, { active: latest(false), firstAt: first(z.number()) })

export const likes = like.documents

/** How many public creations a facet holds. */
export const counters = counts('counters', {}).documents

export const category = state(
  'category',
  { label: latest(LocalizedText, {}), order: latest(0), coverUrl: latest(z.string().nullable(), null) },
  { name: 'categories', indexes: [{ name: 'byOrder', fields: ['order'], use: 'query' }] },
)

export type CategoryDoc = DocumentOf<typeof category>
// No event removes a category.
export const categories = category.documents as Collection as Collection<CategoryDoc>
