import { z } from 'zod'
import * as creation from './creation.js'
import * as creator from './creator.js'
import { type EventSpec, type EventType, eventType, olderVersion } from './event-type.js'
import { CategorySlug, localized, webUrl } from './fields.js'

export const AGGREGATES = ['creator', 'creation', 'category'] as const
export type AggregateKind = (typeof AGGREGATES)[number]

const eventsOn =
  (aggregate: AggregateKind, key: string) =>
  <S extends z.ZodType>(spec: EventSpec<S>): EventType<S> =>
    eventType(aggregate, key, spec)

const aboutCreator = eventsOn('creator', 'creatorId')
const aboutCreation = eventsOn('creation', 'creationId')
const aboutCategory = eventsOn('category', 'slug')

/** Replaces a person's text. It is a valid handle, slug and text. */
const PLACEHOLDER = 'redacted'

const byCreator = { sameAs: 'creation.published' } as const
const onlyCreatorId = ({ creatorId }: { creatorId: string }) => ({ creatorId })
const onlyCreationId = ({ creationId }: { creationId: string }) => ({ creationId })

const categoryDefined = z.object({
  slug: CategorySlug,
  label: localized(100),
  order: z.number().int().min(0).max(10_000),
  coverUrl: webUrl.nullable().default(null),
})

/**
 * Every event the backend publishes, by name. This one table feeds parsing, the types of the projections, the
 * AsyncAPI document and the demo data.
 */
export const catalogue = {
  'creator.registered': aboutCreator({
    schema: creator.registered,
    summary: 'A person joined and chose a handle.',
    people: ['creatorId'],
    redact: ({ creatorId }) => ({ creatorId, handle: PLACEHOLDER, displayName: PLACEHOLDER }),
  }),
  'creator.profile_changed': aboutCreator({
    schema: creator.profileChanged,
    summary: 'A profile was edited; absent fields stay.',
    people: ['creatorId'],
    redact: onlyCreatorId,
  }),
  'creator.handle_changed': aboutCreator({
    schema: creator.handleChanged,
    summary: 'A new handle; the old one stops resolving.',
    people: ['creatorId'],
    redact: ({ creatorId }) => ({ creatorId, handle: PLACEHOLDER }),
  }),
  'creator.followed': aboutCreator({
    schema: creator.followed,
    summary: 'The subject gained a follower.',
    people: ['creatorId', 'followerId'],
    redact: null,
  }),
  'creator.unfollowed': aboutCreator({
    schema: creator.unfollowed,
    summary: 'The subject lost a follower.',
    people: ['creatorId', 'followerId'],
    redact: null,
  }),
  'creator.removed': aboutCreator({
    schema: creator.removed,
    summary: 'Erasure: all public data of the creator goes, everywhere.',
    people: ['creatorId'],
    redact: onlyCreatorId,
  }),
  'creation.published': aboutCreation({
    version: 2,
    schema: creation.published,
    older: { 1: olderVersion(creation.publishedV1, creation.localizeText) },
    summary: 'A creation became public for the first time.',
    people: ['creatorId'],
    redact: ({ creationId, creatorId, kind, category, remixOf }) => ({
      ...{ creationId, creatorId, kind, category, remixOf },
      ...{ slug: PLACEHOLDER, title: { en: PLACEHOLDER }, description: { en: '' } },
    }),
  }),
  'creation.edited': aboutCreation({
    version: 2,
    schema: creation.edited,
    older: { 1: olderVersion(creation.editedV1, creation.localizeText) },
    summary: 'A creation was edited; absent fields stay.',
    people: byCreator,
    redact: ({ creationId, category }) => ({ creationId, ...(category === undefined ? {} : { category }) }),
  }),
  'creation.unpublished': aboutCreation({
    schema: creation.unpublished,
    summary: 'Hidden from readers; its state is kept.',
    people: byCreator,
    redact: onlyCreationId,
  }),
  'creation.republished': aboutCreation({
    schema: creation.republished,
    summary: 'Shown again as it was.',
    people: byCreator,
    redact: onlyCreationId,
  }),
  'creation.removed': aboutCreation({
    schema: creation.removed,
    summary: 'Gone for good.',
    people: byCreator,
    redact: onlyCreationId,
  }),
  'creation.featured': aboutCreation({
    schema: creation.featured,
    summary: 'Chosen by the editors, perhaps for the spotlight.',
    people: byCreator,
    redact: null,
  }),
  'creation.unfeatured': aboutCreation({
    schema: creation.unfeatured,
    summary: 'No longer chosen by the editors.',
    people: byCreator,
    redact: null,
  }),
  'creation.liked': aboutCreation({
    schema: creation.liked,
    summary: 'A person likes the creation.',
    people: ['userId'],
    redact: null,
  }),
  'creation.unliked': aboutCreation({
    schema: creation.unliked,
    summary: 'A person took the like back.',
    people: ['userId'],
    redact: null,
  }),
  'creation.played': aboutCreation({
    schema: creation.played,
    summary: 'A person used the creation.',
    people: ['userId'],
    redact: null,
  }),
  'creation.scored': aboutCreation({
    schema: creation.scored,
    summary: 'A person reached a score in a game.',
    people: ['userId'],
    redact: null,
  }),
  'category.defined': aboutCategory({
    schema: categoryDefined,
    summary: 'A category was added or relabelled.',
    people: [],
    redact: null,
  }),
} satisfies Record<string, EventType>

export type EventName = keyof typeof catalogue
export type EventData<N extends EventName> = z.infer<(typeof catalogue)[N]['schema']>
export const EVENT_NAMES = Object.keys(catalogue) as EventName[]

export const isEventName = (name: string): name is EventName => Object.hasOwn(catalogue, name)

/** The type as written in an envelope: `creation.published.v2`. */
export const versionedType = (name: EventName, version = catalogue[name].version): string => `${name}.v${version}`

const VERSIONED_TYPE = /^(.+)\.v([0-9]+)$/

/** The name and the version that an envelope's type consists of; `null` for another form. */
export function splitType(type: string): { name: string; version: number } | null {
  const [, name, version] = VERSIONED_TYPE.exec(type) ?? []
  return name === undefined ? null : { name, version: Number(version) }
}

/** After these events nothing older may be shown, not even from a cache. They hold with any sequence. */
export const REMOVAL_EVENTS: ReadonlySet<string> = new Set(['creator.removed', 'creation.removed'])
