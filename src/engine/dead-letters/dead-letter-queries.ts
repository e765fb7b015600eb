import type { Position } from '../../events/index.js'
import type { DocumentStore, GenerationStore } from '../../ports/document-store.js'
import type { EventLog, LogRecord } from '../../ports/event-log.js'
import { DEAD_LETTER_COLLECTIONS, type DeadLetterDoc, deadLettersOf, loadParked } from '../definition/dead-letter-collections.js'
import { recordAt } from '../fold/log-reader.js'
import { liveGeneration, withGeneration } from '../fold/open-generation.js'

/** A parked aggregate, for listing. */
export interface ParkedAggregate {
  projection: string
  aggregate: string
  /** Of the poison event. */
  position: number
  eventId: string
  since: number
  message: string
  waiting: number
}

export interface ParkedDetails extends ParkedAggregate {
  stack: string | null
  /** From the log: dead letters hold no payload. */
  record: LogRecord | null
  /** The events that wait for it, in order. */
  behind: { position: number; eventId: string; since: number }[]
}

/** What is parked in the live generation, the oldest first. */
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
  const found = (await withLiveDeadLetters(store, projection, (opened) => deadLettersOf(opened, aggregate))) ?? []
  const parked = summarizeParked(projection, found)
  const [head, ...behind] = found
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
