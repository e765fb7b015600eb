import { AGGREGATES, type Decoded, decode, type EventTypes, isEvent, type Position, publisherIn, redacted } from '../../events/index.js'
import type { DocumentStore } from '../../ports/document-store.js'
import type { EventLog, LogRecord } from '../../ports/event-log.js'
import { Discards } from '../dead-letters/discards.js'
import { type Projection, sharedEvents } from '../definition/projection.js'
import { checkErased, RedactionError, replaceWords, scanLog } from './replace-words.js'

export interface Redaction {
  creations: number
  /** Events whose words were replaced. */
  events: number
  /** Events about others that mention the creator. Nothing says whose words they hold, so they stay unless asked for. */
  left: LeftEvent[]
}

export interface LeftEvent {
  position: Position
  subject: string
  /** As far as it can be read. */
  type: string | null
}

/**
 * Removes an erased creator's texts from the log: registration, profile, creations, and what event types of custom models hold of
 * them. Events of others only hold an opaque id and stay; of those that cannot be read, the ones at the positions `also` are
 * redacted. Can be repeated, so after a crash it is run again.
 */
export async function redactCreator(
  log: EventLog,
  store: DocumentStore,
  projections: readonly Projection[],
  creatorId: string,
  onProgress: (events: number) => void,
  also: readonly number[] = [],
): Promise<Redaction> {
  const types = sharedEvents(projections)
  const found = await findTheirs(log, creatorId, types, await discardedAnywhere(store, projections), onProgress)
  const { removedAt, creations, unread } = found
  if (removedAt === null) throw new RedactionError(`creator/${creatorId} has not been removed: there is no creator.removed in the log`)
  await checkErased(store, projections, { kind: 'creator', id: creatorId }, removedAt, [...unread])
  const left: LeftEvent[] = []
  const wanted = new Set(also)
  const chosen = choose(scanLog(log, onProgress), found, types, wanted, (each) => left.push(each))
  const events = await replaceWords(log, store, projections, types, chosen)
  return { creations: creations.size, events, left }
}

interface Theirs {
  removedAt: Position | null
  /** The creator, and the creations with a publication that names them, wherever it stands: in the models all of them are gone. */
  aggregates: ReadonlySet<string>
  creations: ReadonlySet<string>
  /** The ids of those that only a publication names theirs which cannot be read. */
  unread: ReadonlySet<string>
  /** Single events of theirs about what is not theirs: discarded publications, and poison that may be one and names no one else. */
  single: ReadonlySet<Position>
  /** Other events that cannot be read or are of an unknown type, and mention them. */
  mentions: ReadonlyMap<Position, string | null>
  own: OwnEventsOf
}

async function findTheirs(
  log: EventLog,
  creatorId: string,
  types: EventTypes,
  isDiscarded: (position: Position) => boolean,
  onProgress: (events: number) => void,
): Promise<Theirs> {
  const creations = new Set<string>()
  const unread = new Set<string>()
  const single = new Set<Position>()
  const mentions = new Map<Position, string | null>()
  const own = new OwnEventsOf(creatorId, types)
  // Ids have no characters that mean something in a pattern.
  const mention = new RegExp(`(?<![\\w-])${creatorId}(?![\\w-])`)
  let removedAt: Position | null = null
  for await (const record of scanLog(log, onProgress)) {
    const { subject, payload, position } = record
    // Most events do not contain the id, so they need not be decoded.
    if (!subject.endsWith(creatorId) && !payload.includes(creatorId)) continue
    const decoded = decode(record, types)
    own.note(record, decoded)
    const publisher = publisherIn(decoded)
    if (publisher === creatorId && !isDiscarded(position)) {
      creations.add(subject)
      if (decoded.outcome === 'poison') unread.add(subject.slice('creation/'.length))
    } else if (publisher === creatorId || (publisher === null && mayBePublication(decoded) && payload.includes(`"${creatorId}"`)))
      single.add(position)
    else if (decoded.outcome !== 'event' && mention.test(payload)) mentions.set(position, typeOf(decoded))
    if (decoded.outcome === 'event' && isEvent(decoded.event, 'creator.removed') && decoded.event.key === creatorId) removedAt ??= position
  }
  return { removedAt, aggregates: new Set([`creator/${creatorId}`, ...creations]), creations, unread, single, mentions, own }
}

/** The events to redact. The others that mention the creator are reported as left. */
async function* choose(
  records: AsyncIterable<LogRecord>,
  { aggregates, single, mentions, own }: Theirs,
  types: EventTypes,
  also: ReadonlySet<number>,
  leave: (event: LeftEvent) => void,
): AsyncGenerator<LogRecord, void, void> {
  const missing = new Set(also)
  for await (const record of records) {
    const { position, subject } = record
    const isTheirs = aggregates.has(subject) || single.has(position) || own.includes(record)
    if (isTheirs || also.has(position)) yield record
    if (isTheirs) missing.delete(position)
    else if (also.has(position) || mentions.has(position)) {
      const isRedacted = redacted(record, types) === record.payload
      // A run that is repeated finds redacted what was asked for.
      if (isRedacted || mentions.has(position)) missing.delete(position)
      if (!isRedacted && !also.has(position)) leave({ position, subject, type: mentions.get(position) ?? null })
    }
  }
  // Thrown before anything is replaced.
  if (missing.size > 0) throw new RedactionError(`no event at position ${[...missing].join(', ')} mentions them and cannot be read`)
}

const mayBePublication = (decoded: Decoded): boolean =>
  decoded.outcome === 'poison' && (decoded.name === null || decoded.name === 'creation.published')

const typeOf = (decoded: Decoded): string | null =>
  decoded.outcome === 'unknown' ? decoded.type : decoded.outcome === 'poison' ? decoded.name : null

/** What any model leaves out makes nothing theirs: elsewhere another person's words are shown. */
async function discardedAnywhere(store: DocumentStore, projections: readonly Projection[]): Promise<(position: Position) => boolean> {
  const discards = await Promise.all(projections.map(({ name }) => Discards.load(store, name)))
  return (position) => discards.some((each) => each.has(position))
}

/**
 * Which events on aggregates of custom models hold data of one person. Those that cannot be read, and those of models that are no
 * longer there, count if any of their aggregate names the person: nothing says whose they are.
 */
export class OwnEventsOf {
  readonly #person: string
  readonly #types: EventTypes
  /** `garden/g_1 garden.planted`: an event of that type names the person there. */
  readonly #naming = new Set<string>()
  /** Aggregates with an unreadable event that names the person. */
  readonly #unreadable = new Set<string>()
  /** Aggregates with any event that names the person. */
  readonly aggregates = new Set<string>()

  constructor(person: string, types: EventTypes) {
    this.#person = person
    this.#types = types
  }

  note({ subject, payload }: LogRecord, decoded: Decoded): void {
    if (!isOwn(subject)) return
    if (decoded.outcome === 'event') {
      const { event } = decoded
      if (!this.#types.peopleIn(event).includes(this.#person)) return
      this.#naming.add(`${subject} ${event.name}`)
    } else if (payload.includes(`"${this.#person}"`)) this.#unreadable.add(subject)
    else return
    this.aggregates.add(subject)
  }

  /** Once all have been noted. */
  includes(record: LogRecord): boolean {
    const { subject } = record
    if (!isOwn(subject)) return false
    const decoded = decode(record, this.#types)
    if (decoded.outcome !== 'event') return this.aggregates.has(subject)
    const { event } = decoded
    const type = this.#types.get(event.name)
    // The unreadable one may be the one that says whose they are.
    if (type !== undefined && 'sameAs' in type.people)
      return this.#naming.has(`${subject} ${type.people.sameAs}`) || this.#unreadable.has(subject)
    return this.#types.peopleIn(event).includes(this.#person)
  }
}

const isOwn = (subject: string): boolean => !AGGREGATES.some((kind) => subject.startsWith(`${kind}/`))

/** Removes the texts of a removed creation from the log: where its publication never came, nothing says whose they are. */
export async function redactCreation(
  log: EventLog,
  store: DocumentStore,
  projections: readonly Projection[],
  id: string,
  onProgress: (events: number) => void,
): Promise<Redaction> {
  const types = sharedEvents(projections)
  const subject = `creation/${id}`
  let removedAt: Position | null = null
  for await (const record of scanLog(log, onProgress)) {
    const decoded = record.subject === subject ? decode(record, types) : null
    if (decoded?.outcome === 'event' && isEvent(decoded.event, 'creation.removed')) removedAt ??= record.position
  }
  if (removedAt === null) throw new RedactionError(`${subject} has not been removed: there is no creation.removed in the log`)
  await checkErased(store, projections, { kind: 'creation', id }, removedAt)
  const events = await replaceWords(log, store, projections, types, eventsOf(log, subject, onProgress))
  return { creations: 1, events, left: [] }
}

async function* eventsOf(log: EventLog, subject: string, onProgress: (events: number) => void): AsyncGenerator<LogRecord, void, void> {
  for await (const record of scanLog(log, onProgress)) if (record.subject === subject) yield record
}
