import {
  AGGREGATES,
  type AnyEvent,
  type Decoded,
  decode,
  type EventTypes,
  isEvent,
  type Position,
  publisherIn,
  redacted,
} from '../../events/index.js'
import type { DocumentStore } from '../../ports/document-store.js'
import type { EventLog, LogRecord } from '../../ports/event-log.js'
import { Discards } from '../dead-letters/discards.js'
import { type Projection, sharedEvents } from '../definition/projection.js'
import { recordAt } from '../fold/log-page.js'
import { checkNoneLeft, type Erased, notErased, RedactionError, type Removal, subjectOf } from './check-erased.js'
import { replaceWords, scanLog } from './replace-words.js'

export interface Redaction {
  creations: number
  /** Events whose words were replaced. */
  events: number
  /** Events about others that mention a creator. Nothing says whose words they hold, so they stay unless asked for. */
  left: LeftEvent[]
  /** How many people and creations were asked for and are done, and why others have to wait. */
  erased: number
  waiting: string[]
}

export interface RedactOptions {
  /** Positions of events that were left before. */
  also?: readonly number[]
  /** Leave out whoever is not erased in every model yet, instead of refusing all. */
  asFarAsErased?: boolean
}

export interface LeftEvent {
  position: Position
  subject: string
  /** As far as it can be read. */
  type: string | null
}

/**
 * Removes from the log the texts of erased creators (registration, profile, creations, and what event types of custom models hold of
 * them) and of removed creations, of any number in the same two passes. Events of others only hold an opaque id and stay; of those
 * that cannot be read, the ones at the positions `also` are redacted. Can be repeated, so after a crash it is run again.
 */
export async function redact(
  log: EventLog,
  store: DocumentStore,
  projections: readonly Projection[],
  erased: readonly Erased[],
  onProgress: (events: number) => void,
  { also = [], asFarAsErased = false }: RedactOptions = {},
): Promise<Redaction> {
  const types = sharedEvents(projections)
  const found = await findTheirs(log, erased, types, await discardedAnywhere(store, projections), onProgress)
  const removals = erased.map((each): Removal => {
    const removedAt = found.removedAt.get(subjectOf(each))
    if (removedAt !== undefined) return { ...each, removedAt }
    throw new RedactionError(`${subjectOf(each)} has not been removed: there is no ${each.kind}.removed in the log`)
  })
  const refusals = await notErased(store, projections, removals)
  const [refusal] = refusals.values()
  if (refusal !== undefined && !asFarAsErased) throw new RedactionError(refusal)
  if (refusal !== undefined) {
    // What is theirs must be found anew: some of it may be of those who have to wait.
    const done = await redact(
      log,
      store,
      projections,
      erased.filter((each) => !refusals.has(subjectOf(each))),
      onProgress,
      { also },
    )
    return { ...done, waiting: [...refusals.values()] }
  }
  await checkNoneLeft(store, projections, [...found.unreadableCreationIds])
  await checkChosen(log, found, types, also)
  const left: LeftEvent[] = []
  const chosen = choose(scanLog(log, onProgress), found, types, new Set(also), (each) => left.push(each))
  const events = await replaceWords(log, store, projections, types, chosen)
  return { creations: found.creationSubjects.size, events, left, erased: erased.length, waiting: [] }
}

/** All creators whose removal is in the log. */
export async function removedCreators(log: EventLog, types: EventTypes, onProgress: (events: number) => void): Promise<Erased[]> {
  const found = new Map<string, Erased>()
  for await (const record of scanLog(log, onProgress)) {
    if (!record.subject.startsWith('creator/') || !record.payload.includes('creator.removed')) continue
    const { event } = { event: null, ...decode(record, types) }
    if (event !== null && isEvent(event, 'creator.removed')) found.set(event.key, { kind: 'creator', id: event.key })
  }
  return [...found.values()]
}

interface Theirs {
  /** By subject. */
  removedAt: ReadonlyMap<string, Position>
  /** What was removed, and the creations with a publication that names an erased creator, wherever it stands: in the models all of them are gone. */
  subjects: ReadonlySet<string>
  creationSubjects: ReadonlySet<string>
  /** The ids of those that only a publication names theirs which cannot be read. */
  unreadableCreationIds: ReadonlySet<string>
  /** Single events of theirs about what is not theirs: discarded publications, and poison that may be one and names no one else. */
  singlePositions: ReadonlySet<Position>
  /** The types of other events that cannot be read or are of an unknown type, and mention them. */
  mentioningTypes: ReadonlyMap<Position, string | null>
  ownEvents: OwnEventsOf
}

async function findTheirs(
  log: EventLog,
  erased: readonly Erased[],
  types: EventTypes,
  isDiscarded: (position: Position) => boolean,
  onProgress: (events: number) => void,
): Promise<Theirs> {
  const erasedSubjects = new Set(erased.map(subjectOf))
  const creatorIds = new Set(erased.flatMap(({ kind, id }) => (kind === 'creator' ? [id] : [])))
  const creationSubjects = new Set(erased.flatMap((each) => (each.kind === 'creation' ? [subjectOf(each)] : [])))
  const unreadableCreationIds = new Set<string>()
  const singlePositions = new Set<Position>()
  const mentioningTypes = new Map<Position, string | null>()
  const ownEvents = new OwnEventsOf(creatorIds, types)
  const removedAt = new Map<string, Position>()
  for await (const record of scanLog(log, onProgress)) {
    const { subject, payload, position } = record
    // Most events name none of them, so they need not be decoded.
    const named = namedIn(payload, creatorIds)
    if (!erasedSubjects.has(subject) && named.length === 0) continue
    const decoded = decode(record, types)
    if (decoded.outcome === 'event' && isRemovalOf(decoded.event, erasedSubjects) && !removedAt.has(subject))
      removedAt.set(subject, position)
    ownEvents.note(record, decoded)
    const publisher = publisherIn(decoded)
    const isTheirs = publisher !== null && creatorIds.has(publisher)
    if (isTheirs && !isDiscarded(position)) {
      creationSubjects.add(subject)
      if (decoded.outcome === 'poison') unreadableCreationIds.add(subject.slice('creation/'.length))
    } else if (isTheirs || (publisher === null && mayBePublication(decoded) && named.some((id) => payload.includes(`"${id}"`))))
      singlePositions.add(position)
    else if (decoded.outcome !== 'event' && named.length > 0) mentioningTypes.set(position, typeOf(decoded))
  }
  const subjects = new Set([...erasedSubjects, ...creationSubjects])
  return { removedAt, subjects, creationSubjects, unreadableCreationIds, singlePositions, mentioningTypes, ownEvents }
}

const isRemovalOf = (event: AnyEvent, subjects: ReadonlySet<string>): boolean =>
  (isEvent(event, 'creator.removed') || isEvent(event, 'creation.removed')) && subjects.has(event.aggregate)

/** So few that looking for each is faster than to take a text apart. */
const FEW_PEOPLE = 8

/** The ids that a text holds as words of their own. */
function namedIn(text: string, ids: ReadonlySet<string>): string[] {
  if (ids.size <= FEW_PEOPLE && ![...ids].some((id) => text.includes(id))) return []
  return [...new Set(text.match(/[\w-]+/g))].filter((word) => ids.has(word))
}

/** Throws before anything is replaced, unless each of these positions holds an event that may be redacted. */
async function checkChosen(log: EventLog, theirs: Theirs, types: EventTypes, also: readonly number[]): Promise<void> {
  const missing: number[] = []
  for (const position of also) {
    const record = await recordAt(log, position as Position)
    // A run that is repeated finds redacted what was asked for.
    const isFit = record !== null && (isAmong(theirs, record) || theirs.mentioningTypes.has(record.position) || isRedacted(record, types))
    if (!isFit) missing.push(position)
  }
  if (missing.length > 0) throw new RedactionError(`no event at position ${missing.join(', ')} mentions them and cannot be read`)
}

const isAmong = ({ subjects, singlePositions, ownEvents }: Theirs, record: LogRecord): boolean =>
  subjects.has(record.subject) || singlePositions.has(record.position) || ownEvents.includes(record)

const isRedacted = (record: LogRecord, types: EventTypes): boolean => redacted(record, types) === record.payload

/** The events to redact. The others that mention them are reported as left. */
async function* choose(
  records: AsyncIterable<LogRecord>,
  theirs: Theirs,
  types: EventTypes,
  also: ReadonlySet<number>,
  leave: (event: LeftEvent) => void,
): AsyncGenerator<LogRecord, void, void> {
  for await (const record of records) {
    const { position, subject } = record
    const type = theirs.mentioningTypes.get(position)
    if (isAmong(theirs, record) || also.has(position)) yield record
    else if (type !== undefined && !isRedacted(record, types)) leave({ position, subject, type })
  }
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
 * Which events on aggregates of custom models hold data of some people. Those that cannot be read, and those of models that are no
 * longer there, count if any of their aggregate names one of them: nothing says whose they are.
 */
export class OwnEventsOf {
  readonly #creatorIds: ReadonlySet<string>
  readonly #types: EventTypes
  /** `garden/g_1 garden.planted`: an event of that type names one of them there. */
  readonly #namingTypes = new Set<string>()
  /** Aggregates with an unreadable event that names one of them. */
  readonly #subjectsWithUnreadable = new Set<string>()
  /** Aggregates with any event that names one of them. */
  readonly #subjects = new Set<string>()

  constructor(creatorIds: ReadonlySet<string>, types: EventTypes) {
    this.#creatorIds = creatorIds
    this.#types = types
  }

  note({ subject, payload }: LogRecord, decoded: Decoded): void {
    if (!isOwn(subject)) return
    if (decoded.outcome === 'event') {
      const { event } = decoded
      if (!this.#namesOneOf(event)) return
      this.#namingTypes.add(`${subject} ${event.name}`)
    } else if (namedIn(payload, this.#creatorIds).some((id) => payload.includes(`"${id}"`))) this.#subjectsWithUnreadable.add(subject)
    else return
    this.#subjects.add(subject)
  }

  /** Once all have been noted. */
  includes(record: LogRecord): boolean {
    const { subject } = record
    if (!isOwn(subject)) return false
    const decoded = decode(record, this.#types)
    if (decoded.outcome !== 'event') return this.#subjects.has(subject)
    const { event } = decoded
    const type = this.#types.get(event.name)
    // The unreadable one may be the one that says whose they are.
    if (type !== undefined && 'sameAs' in type.people)
      return this.#namingTypes.has(`${subject} ${type.people.sameAs}`) || this.#subjectsWithUnreadable.has(subject)
    return this.#namesOneOf(event)
  }

  #namesOneOf(event: AnyEvent): boolean {
    return this.#types.peopleIn(event).some((id) => this.#creatorIds.has(id))
  }
}

const isOwn = (subject: string): boolean => !AGGREGATES.some((kind) => subject.startsWith(`${kind}/`))
