import { type Decoded, decode, type EventTypes, isEvent, type Position, redacted, START } from '../../events/index.js'
import type { DocumentStore } from '../../ports/document-store.js'
import type { EventLog, LogRecord, Replacement } from '../../ports/event-log.js'
import { DEAD_LETTER_COLLECTIONS, loadParked } from '../definition/dead-letter-collections.js'
import { type Projection, sharedEvents } from '../definition/projection.js'
import { liveGeneration, withGeneration } from '../fold/open-generation.js'
import { RequestStore } from '../requests/request-store.js'
import { checkErased, RedactionError } from './check-erased.js'
import { OwnEventsOf } from './own-events.js'

const PAGE = 2500

export interface Redaction {
  creations: number
  /** Events whose payload was replaced. */
  events: number
}

/**
 * Removes an erased creator's texts from the log: registration, profile, creations, and what event types of own models hold of
 * them. Events of others only hold an opaque id and stay. Can be repeated, so after a crash it is run again.
 */
export async function redactCreator(
  log: EventLog,
  store: DocumentStore,
  projections: readonly Projection[],
  creatorId: string,
  onProgress: (events: number) => void,
): Promise<Redaction> {
  const types = sharedEvents(projections)
  const { removedAt, creations, unreadable, own } = await findRemoval(log, creatorId, types, onProgress)
  if (removedAt === null) throw new RedactionError(`creator/${creatorId} has not been removed: there is no creator.removed in the log`)
  await checkErased(store, projections, creatorId, removedAt)
  const theirs = new Set([`creator/${creatorId}`, ...creations])
  const replacements: Replacement[] = []
  let last = START
  for await (const record of scanLog(log, onProgress)) {
    const { position, subject } = record
    if (!theirs.has(subject) && !unreadable.has(position) && !own.includes(record)) continue
    const payload = redacted(record, types)
    if (payload !== null && payload !== record.payload) replacements.push({ position, payload })
    last = position
  }
  // Even without replacements: an interrupted run may have left the old bytes in the files.
  await log.redact(replacements)
  await replayParkedSubjects(store, projections, new Set([...theirs, ...own.aggregates]), last)
  return { creations: creations.size, events: replacements.length }
}

interface Found {
  removedAt: Position | null
  /** With a publication that names the creator, wherever it stands: in the models all of them are gone. */
  creations: ReadonlySet<string>
  /** Poison that may be a publication and names the creator. It may have come under the id of somebody else's creation, which stays. */
  unreadable: ReadonlySet<Position>
  own: OwnEventsOf
}

async function findRemoval(log: EventLog, creatorId: string, types: EventTypes, onProgress: (events: number) => void): Promise<Found> {
  const creations = new Set<string>()
  const unreadable = new Map<Position, string>()
  const own = new OwnEventsOf(creatorId, types)
  let removedAt: Position | null = null
  for await (const record of scanLog(log, onProgress)) {
    const { subject, payload, position } = record
    // Most events do not contain the id, so they need not be decoded.
    if (!subject.endsWith(creatorId) && !payload.includes(creatorId)) continue
    const decoded = decode(record, types)
    own.note(record, decoded)
    if (mayBePublication(decoded) && payload.includes(`"${creatorId}"`)) unreadable.set(position, subject)
    if (decoded.outcome !== 'event') continue
    const { event } = decoded
    if (isEvent(event, 'creation.published') && event.data.creatorId === creatorId) creations.add(subject)
    if (isEvent(event, 'creator.removed') && event.data.creatorId === creatorId) removedAt ??= position
  }
  for (const creation of await withoutPublication(log, new Set(unreadable.values()), types)) creations.add(creation)
  return { removedAt, creations, unreadable: new Set(unreadable.keys()), own }
}

const mayBePublication = (decoded: Decoded): boolean =>
  decoded.outcome === 'poison' && (decoded.name === null || decoded.name === 'creation.published')

/** Those of these creations that nobody has published: their only author may be the one whom the poison names. */
async function withoutPublication(log: EventLog, subjects: ReadonlySet<string>, types: EventTypes): Promise<string[]> {
  const left = new Set([...subjects].filter((subject) => subject.startsWith('creation/')))
  if (left.size === 0) return []
  for await (const record of scanLog(log, () => {})) {
    if (!left.has(record.subject)) continue
    const decoded = decode(record, types)
    if (decoded.outcome === 'event' && decoded.event.name === 'creation.published') left.delete(record.subject)
  }
  return [...left]
}

/**
 * Redacted events can be folded, so parked aggregates are released. A projector may have read the old payloads and park
 * them later: a second request replays those once it is past `last`.
 */
async function replayParkedSubjects(
  store: DocumentStore,
  projections: readonly Projection[],
  subjects: ReadonlySet<string>,
  last: Position,
): Promise<void> {
  const requests = new RequestStore(store)
  for (const { name, version } of projections) {
    const live = await liveGeneration(store, name)
    if (live === null) continue
    // The position first, so that nothing is parked unseen between the two reads.
    const { position, parked } = await withGeneration(store, live, DEAD_LETTER_COLLECTIONS, async (opened) => ({
      position: (await opened.checkpoint()).position,
      parked: await loadParked(opened),
    }))
    for (const aggregate of parked.keys())
      if (subjects.has(aggregate)) await requests.submit(name, version, { kind: 'replay', aggregate, limit: null })
    if (position < last) await requests.submit(name, version, { kind: 'replay', aggregate: null, limit: null, from: last })
  }
}

async function* scanLog(log: EventLog, onProgress: (events: number) => void): AsyncGenerator<LogRecord, void, void> {
  for (let after = START; ; ) {
    const page = await log.read(after, PAGE)
    yield* page
    onProgress(page.length)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last.position
  }
}
