import { z } from 'zod'
import { nearestWord } from '../lib/nearest-word.js'
import * as creation from './creation.js'
import * as creator from './creator.js'
import { CategorySlug, localized, webUrl } from './fields.js'
import { localizeText, type OlderVersion, olderVersion } from './upcasters.js'

export const AGGREGATES = ['creator', 'creation', 'category'] as const
export type AggregateKind = (typeof AGGREGATES)[number]

export interface EventType<S extends z.ZodType = z.ZodType> {
  aggregate: AggregateKind
  /** The field of `data` that holds the aggregate's id. */
  key: string
  version: number
  schema: S
  older: Record<number, OlderVersion>
  summary: string
}

type Spec<S extends z.ZodType> = Pick<EventType<S>, 'schema' | 'summary'> & Partial<Pick<EventType<S>, 'version' | 'older'>>

const eventsOn =
  (aggregate: AggregateKind, key: string) =>
  <S extends z.ZodType>(spec: Spec<S>): EventType<S> => ({ version: 1, older: {}, ...spec, aggregate, key })

const aboutCreator = eventsOn('creator', 'creatorId')
const aboutCreation = eventsOn('creation', 'creationId')
const aboutCategory = eventsOn('category', 'slug')

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
  'creator.registered': aboutCreator({ schema: creator.registered, summary: 'A person joined and chose a handle.' }),
  'creator.profile_changed': aboutCreator({ schema: creator.profileChanged, summary: 'A profile was edited; absent fields stay.' }),
  'creator.handle_changed': aboutCreator({ schema: creator.handleChanged, summary: 'A new handle; the old one stops resolving.' }),
  'creator.followed': aboutCreator({ schema: creator.followed, summary: 'The subject gained a follower.' }),
  'creator.unfollowed': aboutCreator({ schema: creator.unfollowed, summary: 'The subject lost a follower.' }),
  'creator.removed': aboutCreator({ schema: creator.removed, summary: 'Erasure: all public data of the creator goes, everywhere.' }),
  'creation.published': aboutCreation({
    version: 2,
    schema: creation.published,
    older: { 1: olderVersion(creation.publishedV1, localizeText) },
    summary: 'A creation became public for the first time.',
  }),
  'creation.edited': aboutCreation({
    version: 2,
    schema: creation.edited,
    older: { 1: olderVersion(creation.editedV1, localizeText) },
    summary: 'A creation was edited; absent fields stay.',
  }),
  'creation.unpublished': aboutCreation({ schema: creation.unpublished, summary: 'Hidden from readers; its state is kept.' }),
  'creation.republished': aboutCreation({ schema: creation.republished, summary: 'Shown again as it was.' }),
  'creation.removed': aboutCreation({ schema: creation.removed, summary: 'Gone for good.' }),
  'creation.featured': aboutCreation({ schema: creation.featured, summary: 'Chosen by the editors, perhaps for the spotlight.' }),
  'creation.unfeatured': aboutCreation({ schema: creation.unfeatured, summary: 'No longer chosen by the editors.' }),
  'creation.liked': aboutCreation({ schema: creation.liked, summary: 'A person likes the creation.' }),
  'creation.unliked': aboutCreation({ schema: creation.unliked, summary: 'A person took the like back.' }),
  'creation.played': aboutCreation({ schema: creation.played, summary: 'A person used the creation.' }),
  'creation.scored': aboutCreation({ schema: creation.scored, summary: 'A person reached a score in a game.' }),
  'category.defined': aboutCategory({ schema: categoryDefined, summary: 'A category was added or relabelled.' }),
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

/** Every type that decoding accepts, by how it is written: every event looks here. */
export const KNOWN_TYPES: ReadonlyMap<string, { name: EventName; version: number }> = new Map(
  EVENT_NAMES.flatMap((name) =>
    Array.from({ length: catalogue[name].version }, (_, i) => [versionedType(name, i + 1), { name, version: i + 1 }] as const),
  ),
)

/** The type that an unknown one probably means, in the same version if there is one. */
export function nearestType(type: string): string | undefined {
  const { name, version } = splitType(type) ?? { name: type, version: 0 }
  const meant = EVENT_NAMES.find((known) => known === nearestWord(name, EVENT_NAMES))
  return meant && versionedType(meant, version >= 1 && version <= catalogue[meant].version ? version : undefined)
}

/** After these events nothing older may be shown, not even from a cache. They hold with any sequence. */
export const REMOVAL_EVENTS: ReadonlySet<EventName> = new Set(['creator.removed', 'creation.removed'])
