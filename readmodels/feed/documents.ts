import { z } from 'zod'
import { KINDS } from '../../src/events/index.js'
import { FieldVersions } from '../../src/lib/field-versions.js'
import { SequenceGaps } from '../../src/lib/sequence-gaps.js'
import { collection, type FieldGroup, fieldGroup, LocalizedText, living, publication, Tombstone } from '../collection.js'

const CreatorCard = z.object({ handle: z.string(), displayName: z.string(), avatarUrl: z.string().nullable() })
export type CreatorCard = z.infer<typeof CreatorCard>

const OriginalCard = z.object({ handle: z.string(), slug: z.string(), title: LocalizedText })
export type OriginalCard = z.infer<typeof OriginalCard>

/** A creation: its state, its counts, and everything a page shows of it. */
const Item = z.object({
  ...living,
  ...publication,
  /** The sequences below `seq` that are missing: events that add to a count apply once. */
  gaps: SequenceGaps,
  /** Published and not unpublished. */
  published: z.boolean(),
  kind: z.enum(KINDS).nullable(),
  slug: z.string().nullable(),
  /** Position of the event that claimed the slug: the newest claim wins. */
  slugAt: z.number(),
  title: LocalizedText,
  description: LocalizedText,
  category: z.string().nullable(),
  tags: z.array(z.string()),
  coverUrl: z.string().nullable(),
  featured: z.boolean(),
  spotlight: z.boolean(),
  publishedAt: z.number(),
  updatedAt: z.number(),
  /** The creator as shown; null until registered. */
  creator: CreatorCard.nullable(),
  remixOf: z.string().nullable(),
  /** The original as shown; null while it is not public. */
  original: OriginalCard.nullable(),
  originalCreatorId: z.string().nullable(),
  /** Creations that name this one as their original, public or not. */
  derivatives: z.number(),
  likes: z.number(),
  plays: z.number(),
  remixes: z.number(),
  /** The exact sum that `trending` is rounded from, in hexadecimal. */
  heat: z.string(),
  trending: z.number(),
  /** From here on: index keys for readers. Empty while the creation is not public. */
  facets: z.array(z.string()),
  publicAddress: z.string().nullable(),
  publicCreatorId: z.string().nullable(),
  publicRemixOf: z.string().nullable(),
})
export type Item = z.infer<typeof Item>

export const ItemDoc = z.discriminatedUnion('removed', [Item, Tombstone])
export type ItemDoc = z.infer<typeof ItemDoc>

/** The field that each sort follows, highest first. */
export const SORT_FIELDS = { trending: 'trending', recent: 'publishedAt', popular: 'plays', remixed: 'remixes', liked: 'likes' } as const
export type Sort = keyof typeof SORT_FIELDS
export const SORTS = Object.keys(SORT_FIELDS) as [Sort, ...Sort[]]

/** What a reference to a creation shows, such as a score in it. */
const SUMMARY_FIELDS = ['removed', 'publicAddress', 'slug', 'title', 'creator'] as const

export const items = collection<ItemDoc>({
  name: 'items',
  schema: ItemDoc,
  // A remix keeps the id of its original when that is removed, but not its words.
  shows: ['_id', 'creatorId', { id: 'remixOf', words: 'original' }, { id: 'originalCreatorId', words: 'original' }],
  fieldGroups: { mention: SUMMARY_FIELDS },
  indexes: [
    { name: 'byCreator', fields: ['creatorId'], use: 'fold' },
    { name: 'byOtherCreator', fields: ['alsoBy'], each: 'alsoBy', use: 'fold' },
    { name: 'byRemixOf', fields: ['remixOf'], use: 'fold' },
    { name: 'byOriginalCreator', fields: ['originalCreatorId'], use: 'fold' },
    ...SORTS.map((sort) => ({
      name: sort,
      fields: ['facets', SORT_FIELDS[sort]],
      each: 'facets',
      order: 'desc' as const,
      use: 'query' as const,
    })),
    { name: 'byAddress', fields: ['publicAddress', 'slugAt'], order: 'desc', use: 'query' },
    { name: 'ofCreator', fields: ['publicCreatorId', 'publishedAt'], order: 'desc', use: 'query' },
    { name: 'remixesOf', fields: ['publicRemixOf', 'likes'], order: 'desc', use: 'query' },
  ],
})

export const itemSummaries = fieldGroup(items, 'mention', SUMMARY_FIELDS)
export type ItemSummary = FieldGroup<Item, (typeof SUMMARY_FIELDS)[number]>

export const addressOf = (creatorId: string, slug: string): string => `${creatorId}/${slug}`

/** A creator in the feed: the card that their creations show, and the totals of what is public. */
const FeedCreator = z.object({
  ...living,
  setAt: FieldVersions,
  registered: z.boolean(),
  handle: z.string().nullable(),
  handleKey: z.string().nullable(),
  handleAt: z.number(),
  displayName: z.string(),
  avatarUrl: z.string().nullable(),
  /** Creations that name this creator, public or not. */
  creations: z.number(),
  apps: z.number(),
  likes: z.number(),
  plays: z.number(),
  remixes: z.number(),
})
export type FeedCreator = z.infer<typeof FeedCreator>

export const FeedCreatorDoc = z.discriminatedUnion('removed', [FeedCreator, Tombstone])
export type FeedCreatorDoc = z.infer<typeof FeedCreatorDoc>

/** What a card shows of a creator. Without the totals, which change with every play. */
const CARD_FIELDS = ['removed', 'registered', 'handle', 'displayName', 'avatarUrl'] as const

export const creators = collection<FeedCreatorDoc>({
  name: 'creators',
  schema: FeedCreatorDoc,
  shows: ['_id'],
  fieldGroups: { card: CARD_FIELDS },
  indexes: [{ name: 'byHandle', fields: ['handleKey', 'handleAt'], order: 'desc', use: 'query' }],
})

export const creatorCards = fieldGroup(creators, 'card', CARD_FIELDS)
export type FeedCreatorCard = FieldGroup<FeedCreator, (typeof CARD_FIELDS)[number]>

export const LikeDoc = z.object({
  _id: z.string(),
  userId: z.string(),
  /** The highest sequence of a like or unlike, which decides `active`. */
  seq: z.number(),
  active: z.boolean(),
  /** The lowest sequence of a like, and its time: only the first like raises `trending`. 0 while only an unlike has come. */
  firstSeq: z.number(),
  firstAt: z.number(),
})
export type LikeDoc = z.infer<typeof LikeDoc>

export const likes = collection<LikeDoc>({
  name: 'likes',
  schema: LikeDoc,
  indexes: [{ name: 'byUser', fields: ['userId'], use: 'fold' }],
  edges: true,
  uncached: true,
})

/** Search terms are a collection of their own, so that a like does not rewrite them. */
export const TermsDoc = z.object({ _id: z.string(), terms: z.array(z.string()) })
export type TermsDoc = z.infer<typeof TermsDoc>

export const terms = collection<TermsDoc>({
  name: 'terms',
  schema: TermsDoc,
  indexes: [{ name: 'byTerm', fields: ['terms'], each: 'terms', use: 'query', fullText: true }],
  uncached: true,
})

/** How many public creations a facet holds. */
export const CounterDoc = z.object({ _id: z.string(), count: z.number().positive() })
export type CounterDoc = z.infer<typeof CounterDoc>

export const counters = collection<CounterDoc>({ name: 'counters', schema: CounterDoc, indexes: [] })

export const CategoryDoc = z.object({ ...living, label: LocalizedText, order: z.number(), coverUrl: z.string().nullable() })
export type CategoryDoc = z.infer<typeof CategoryDoc>

export const categories = collection<CategoryDoc>({
  name: 'categories',
  schema: CategoryDoc,
  indexes: [{ name: 'byOrder', fields: ['order'], use: 'query' }],
})
