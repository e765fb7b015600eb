import { decode, isEvent, REMOVAL_EVENTS } from '../../events/index.js'
import type { DocumentStore } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import { type Projection, sharedEvents } from '../definition/projection.js'
import { liveGeneration } from '../fold/open-generation.js'
import { type KnownRemoval, tombstonesIn } from '../generations/tombstones.js'

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
