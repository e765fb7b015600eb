import type { Position } from '../../events/index.js'
import type { DocumentStore, GenerationStore } from '../../ports/document-store.js'
import type { EventLog, LogRecord } from '../../ports/event-log.js'
import { DEAD_LETTER_COLLECTIONS, type DeadLetterDoc, deadLettersOf, loadParked } from '../definition/dead-letter-collections.js'
import { recordAt } from '../fold/log-reader.js'
import { liveGeneration, withGeneration } from '../fold/open-generation.js'

/** A parked aggregate as people look at it. */
export interface ParkedAggregate {
  projection: string
  aggregate: string
  /** Where the poison event stands in the log, and when the log received it. */
  position: number
  eventId: string
  since: number
  message: string
  waiting: number
}

export interface ParkedDetails extends ParkedAggregate {
  stack: string | null
  /** The event itself, from the log: the models keep no payload. */
  record: LogRecord | null
  /** What waits behind it, in order. */
  behind: { position: number; eventId: string; since: number }[]
}

/** What is parked in the generation readers see, the oldest first. */
export async function listParked(store: DocumentStore, projection: string): Promise<ParkedAggregate[]> {
  const found = await withLiveDeadLetters(store, projection, async (opened) => {
    const parked = [...(await loadParked(opened)).values()].sort((a, b) => a.position - b.position)
    return Promise.all(parked.map(async ({ _id }) => summarizeParked(projection, await deadLettersOf(opened, _id))))
  })
  return (found ?? []).filter((each) => each !== null)
}

/** `null` when this aggregate is not parked. */
export async function findParked(
  store: DocumentStore,
  log: EventLog,
  projection: string,
  aggregate: string,
): Promise<ParkedDetails | null> {
  const letters = (await withLiveDeadLetters(store, projection, (opened) => deadLettersOf(opened, aggregate))) ?? []
  const parked = summarizeParked(projection, letters)
  const [head, ...behind] = letters
  if (parked === null || head === undefined) return null
  return {
    ...parked,
    stack: head.error?.stack ?? null,
    record: await recordAt(log, head.position as Position),
    behind: behind.map(({ position, eventId, appendedAt }) => ({ position, eventId, since: appendedAt })),
  }
}

async function withLiveDeadLetters<T>(
  store: DocumentStore,
  projection: string,
  read: (opened: GenerationStore) => Promise<T>,
): Promise<T | null> {
  const live = await liveGeneration(store, projection)
  return live === null ? null : withGeneration(store, live, DEAD_LETTER_COLLECTIONS, read)
}

function summarizeParked(projection: string, [head, ...behind]: readonly DeadLetterDoc[]): ParkedAggregate | null {
  if (head === undefined) return null
  const { aggregate, position, eventId, appendedAt, error } = head
  return { projection, aggregate, position, eventId, since: appendedAt, message: error?.message ?? '', waiting: behind.length }
}
