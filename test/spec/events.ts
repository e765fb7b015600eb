import type { z } from 'zod'
import { type catalogue, type EventName, versionedType } from '../../src/events/index.js'

/** An event as a test writes it: type, subject and data. The script adds sequence, position, time and id. */
export interface Told {
  subject: string
  type: string
  data: unknown
  /** Replaces the whole envelope, for events that cannot be decoded. */
  payload?: string
  over: Overrides
}

export interface Overrides {
  id?: string
  sequence?: number
  /** Milliseconds since 1970. */
  time?: number
  appendedAt?: number
  /** Versioned: `creation.published.v1`. */
  type?: string
  /** The subject inside the envelope, when it is not the log's. */
  subject?: string
}

export const but = (told: Told, over: Overrides): Told => ({ ...told, over: { ...told.over, ...over } })

export const DAY = 86_400_000

/** When the first event of every spec happens. */
export const DAWN = Date.UTC(2026, 0, 1)

export const minutes = (count: number): number => DAWN + count * 60_000

type Input<N extends EventName> = z.input<(typeof catalogue)[N]['schema']>

function tell<N extends EventName>(name: N, key: string, data: Input<N>): Told {
  return { subject: `${name.slice(0, name.indexOf('.'))}/${key}`, type: versionedType(name), data, over: {} }
}

type Rest<N extends EventName, K extends string> = Partial<Omit<Input<N>, K>>

export const registered = (creatorId: string, rest: Rest<'creator.registered', 'creatorId'> = {}): Told =>
  tell('creator.registered', creatorId, { creatorId, handle: creatorId, displayName: `${creatorId} in full`, ...rest })

export const profileChanged = (creatorId: string, rest: Rest<'creator.profile_changed', 'creatorId'>): Told =>
  tell('creator.profile_changed', creatorId, { creatorId, ...rest })

export const handleChanged = (creatorId: string, handle: string): Told => tell('creator.handle_changed', creatorId, { creatorId, handle })

export const followed = (creatorId: string, followerId: string): Told => tell('creator.followed', creatorId, { creatorId, followerId })

export const unfollowed = (creatorId: string, followerId: string): Told => tell('creator.unfollowed', creatorId, { creatorId, followerId })

export const erased = (creatorId: string): Told => tell('creator.removed', creatorId, { creatorId })

export const published = (
  creationId: string,
  { by, ...rest }: { by: string } & Rest<'creation.published', 'creationId' | 'creatorId'>,
): Told =>
  tell('creation.published', creationId, {
    creationId,
    creatorId: by,
    slug: `${creationId}-slug`,
    kind: 'game',
    title: { en: `${creationId} title` },
    description: { en: '' },
    category: 'puzzles',
    ...rest,
  })

export const edited = (creationId: string, rest: Rest<'creation.edited', 'creationId'>): Told =>
  tell('creation.edited', creationId, { creationId, ...rest })

export const unpublished = (creationId: string): Told => tell('creation.unpublished', creationId, { creationId })

export const republished = (creationId: string): Told => tell('creation.republished', creationId, { creationId })

export const removed = (creationId: string): Told => tell('creation.removed', creationId, { creationId })

export const featured = (creationId: string, spotlight = false): Told => tell('creation.featured', creationId, { creationId, spotlight })

export const unfeatured = (creationId: string): Told => tell('creation.unfeatured', creationId, { creationId })

export const liked = (creationId: string, userId: string): Told => tell('creation.liked', creationId, { creationId, userId })

export const unliked = (creationId: string, userId: string): Told => tell('creation.unliked', creationId, { creationId, userId })

export const played = (creationId: string, userId = 'somebody'): Told =>
  tell('creation.played', creationId, { creationId, userId, seconds: 30 })

export const scored = (creationId: string, userId: string, score: number): Told =>
  tell('creation.scored', creationId, { creationId, userId, score })

export const defined = (slug: string, rest: Rest<'category.defined', 'slug'> = {}): Told =>
  tell('category.defined', slug, { slug, label: { en: `${slug} label` }, order: 1, ...rest })

/** A known name with an unknown version: the simplest poison event. */
export const poison = (told: Told): Told => but(told, { type: told.type.replace(/v\d+$/, 'v999') })

export const unreadable = (subject: string, payload = '{'): Told => ({ subject, type: '', data: null, payload, over: {} })
