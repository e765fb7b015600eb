import { builtInEvents, decode, isEvent, REMOVAL_EVENTS, START } from '../../events/index.js'
import type { DocumentStore } from '../../ports/document-store.js'
import type { EventLog, LogRecord, Replacement } from '../../ports/event-log.js'
import { type Projection, sharedEvents } from '../definition/projection.js'
import { liveGeneration } from '../fold/open-generation.js'
import { type KnownRemoval, tombstonesIn } from '../generations/kept-removals.js'

/**
 * Removals that the models know and the log lacks, as after the loss of its newest events. `sequence` is the next one that
 * neither the models nor the log have seen.
 */
export async function findLostRemovals(log: EventLog, store: DocumentStore, projections: readonly Projection[]): Promise<KnownRemoval[]> {
  const known = await knownRemovals(store, projections)
  const inLog = new Set<string>()
  const owners = new Map<string, Set<string>>()
  const types = sharedEvents(projections)
  for await (const record of log.readSubjects([...known.keys()])) {
    const decoded = decode(record, types)
    const arrival = decoded.outcome === 'event' ? decoded.event : decoded.arrival
    const { subject } = record
    known.set(subject, Math.max(known.get(subject) ?? 0, arrival?.sequence ?? 0))
    if (decoded.outcome !== 'event') continue
    if (REMOVAL_EVENTS.has(decoded.event.name)) inLog.add(subject)
    if (isEvent(decoded.event, 'creation.published'))
      owners.set(subject, (owners.get(subject) ?? new Set()).add(`creator/${decoded.event.data.creatorId}`))
  }
  // A creation goes with its creator, by the creator's removal.
  const goesWithCreator = (aggregate: string) => [...(owners.get(aggregate) ?? [])].some((creator) => known.has(creator))
  return [...known]
    .filter(([aggregate]) => !inLog.has(aggregate) && !goesWithCreator(aggregate))
    .map(([aggregate, sequence]) => ({ aggregate, sequence: Math.min(sequence + 1, Number.MAX_SAFE_INTEGER) }))
    .sort((a, b) => (a.aggregate < b.aggregate ? -1 : 1))
}

/** The highest sequence that any model has applied, by aggregate. */
async function knownRemovals(store: DocumentStore, projections: readonly Projection[]): Promise<Map<string, number>> {
  const known = new Map<string, number>()
  for (const projection of projections) {
    const live = await liveGeneration(store, projection.name)
    if (live === null) continue
    for await (const { aggregate, sequence } of tombstonesIn(store, projection, live))
      known.set(aggregate, Math.max(known.get(aggregate) ?? 0, sequence))
  }
  return known
}

/** The other log did not begin as this one does. */
export class OtherLogError extends Error {
  override name = 'OtherLogError'
}

export interface LaterRemovals {
  /** Removals that the older log did not hold. */
  removals: number
  /** Events whose payload had been redacted since. */
  redactions: number
}

const PAGE = 500

/**
 * Brings an older copy of a log up to date with the erasures of a newer one: what was redacted since is redacted, and the
 * removals that came later are appended. They keep their ids, so publishing them again is harmless.
 */
export async function applyLaterRemovals(older: EventLog, newer: EventLog): Promise<LaterRemovals> {
  const { last } = await older.bounds()
  const replacements: Replacement[] = []
  const removals: LogRecord[] = []
  for (let after = START; ; ) {
    const [page, copies] = await Promise.all([newer.read(after, PAGE), older.read(after, PAGE)])
    const copyAt = new Map(copies.map((copy) => [copy.position, copy]))
    for (const record of page) {
      const copy = copyAt.get(record.position)
      if (record.position > last) {
        if (isRemoval(record)) removals.push(record)
      } else if (copy?.id !== record.id) throw new OtherLogError(`they differ at position ${record.position}`)
      else if (copy.payload !== record.payload) replacements.push({ position: record.position, payload: record.payload })
    }
    const end = page.at(-1)
    if (end === undefined || page.length < PAGE) break
    after = end.position
  }
  if (replacements.length > 0) await older.redact(replacements)
  const { appended } = await older.append(removals.map(({ position: _, ...record }) => record))
  return { removals: appended, redactions: replacements.length }
}

function isRemoval(record: LogRecord): boolean {
  const decoded = decode(record, builtInEvents)
  return decoded.outcome === 'event' && REMOVAL_EVENTS.has(decoded.event.name)
}
