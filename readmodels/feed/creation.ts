import { z } from 'zod'
import type { Localizer } from '../../src/contract/locale.js'
import { isoTime, KINDS } from '../../src/events/index.js'
import { RAILS } from '../landing/documents.js'
import { type Item, SORTS } from './documents.js'

/** What readers get. Each schema with an id becomes a named schema of the published descriptions. */
const named = <S extends z.ZodType>(id: string, schema: S, description: string): S => schema.meta({ id, description })

const isoDateTime = z.iso.datetime()
const count = z.int().nonnegative()

const CreatorCard = named(
  'CreatorCard',
  z.object({ handle: z.string(), displayName: z.string(), avatarUrl: z.string().nullable() }),
  'A creator as shown beside a creation.',
)

const creationFields = {
  id: z.string(),
  slug: z.string(),
  url: z.string().meta({ description: 'Public address: the handle is the subdomain, the slug the path.' }),
  kind: z.enum(KINDS),
  title: z.string(),
  description: z.string(),
  category: z.string(),
  tags: z.array(z.string()),
  coverUrl: z.string().nullable(),
  featured: z.boolean(),
  creator: CreatorCard,
  stats: z.object({ likes: count, remixes: count, plays: count }),
  remixOf: z
    .object({ handle: z.string(), slug: z.string(), title: z.string() })
    .nullable()
    .meta({ description: 'The original, while it is public.' }),
  publishedAt: isoDateTime,
  updatedAt: isoDateTime,
}

export const Creation = named('Creation', z.object(creationFields), 'A public creation, in the best available language.')
export type Creation = z.infer<typeof Creation>

const cursor = z.string().nullable().meta({ description: 'Pass unchanged as `cursor` to get the next page; null on the last page.' })

export const CommunityFeedPage = named(
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

export const PopularTags = named(
  'PopularTags',
  z.object({
    items: z.array(z.object({ key: z.string(), label: z.string(), count })),
    total: count.meta({ description: 'How many different tags are in use.' }),
  }),
  'The most used tags, most frequent first.',
)

export const CommunityLanding = named(
  'CommunityLanding',
  z.object({
    spotlight: z.array(Creation),
    rails: z.array(z.object({ key: z.enum(RAILS), title: z.string(), items: z.array(Creation) })),
    categories: z.array(z.object({ slug: z.string(), label: z.string(), count, coverUrl: z.string().nullable() })),
  }),
  'Spotlight, themed rails and category tiles.',
)

export const CreatorProfile = named(
  'CreatorProfile',
  z.object({
    handle: z.string(),
    displayName: z.string(),
    bio: z.string(),
    avatarUrl: z.string().nullable(),
    url: z.string(),
    links: z.array(z.object({ label: z.string(), url: z.string() })),
    joinedAt: isoDateTime,
    stats: z.object({ apps: count, likes: count, remixes: count, plays: count, followers: count, following: count }),
    apps: z.array(Creation).meta({ description: 'The newest public creations, at most 48.' }),
    topScores: z.array(z.object({ handle: z.string(), slug: z.string(), title: z.string(), score: z.number(), achievedAt: isoDateTime })),
  }),
  'A public creator profile with aggregate stats, public apps and top scores.',
)

export const CreatorList = named(
  'CreatorList',
  z.object({
    items: z.array(
      z.object({
        handle: z.string().nullable().meta({ description: 'Null for somebody without a public profile.' }),
        displayName: z.string().nullable(),
        avatarUrl: z.string().nullable(),
        url: z.string().nullable(),
        since: isoDateTime,
      }),
    ),
    total: count,
    limit: z.int(),
  }),
  'A preview of followers or followed creators, newest first.',
)

export const AppShare = named(
  'AppShare',
  z.object({
    ...creationFields,
    remixes: z.array(Creation).meta({ description: 'The most liked public remixes, at most 12.' }),
    leaderboard: z
      .array(z.object({ handle: z.string().nullable(), displayName: z.string().nullable(), score: z.number(), achievedAt: isoDateTime }))
      .meta({ description: 'The ten best scores: higher first, then earlier.' }),
    share: z.object({ title: z.string(), description: z.string(), imageUrl: z.string().nullable(), url: z.string() }),
  }),
  'Everything a share page shows of one creation.',
)

/** Public addresses, all under one domain. */
export class PublicUrls {
  readonly #scheme: string
  readonly #domain: string

  constructor(publicDomain: string) {
    this.#domain = publicDomain
    // Nobody has a certificate for localhost; everywhere else creators' pages are served over TLS.
    this.#scheme = /(^|\.)localhost(:\d+)?$/.test(publicDomain) ? 'http' : 'https'
  }

  creator(handle: string): string {
    return `${this.#scheme}://${handle.toLowerCase()}.${this.#domain}/`
  }

  creation(handle: string, slug: string): string {
    return this.creator(handle) + slug
  }
}

/** A public creation as readers get it. */
export function renderCreation(item: Item, reader: Localizer, addresses: PublicUrls): Creation {
  const { creator, slug, kind, category, original } = item
  if (creator === null || slug === null || kind === null || category === null)
    throw new Error(`creation ${item._id} is listed but not public`)
  return {
    id: item._id,
    slug,
    url: addresses.creation(creator.handle, slug),
    kind,
    title: reader.text(item.title),
    description: reader.text(item.description),
    category,
    tags: item.tags,
    coverUrl: item.coverUrl,
    featured: item.featured,
    creator,
    stats: { likes: item.likes, remixes: item.remixes, plays: item.plays },
    remixOf: original === null ? null : { handle: original.handle, slug: original.slug, title: reader.text(original.title) },
    publishedAt: isoTime(item.publishedAt),
    updatedAt: isoTime(item.updatedAt),
  }
}
