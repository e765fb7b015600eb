import type { Position } from '../../events/index.js'
import type { DocumentStore, GenerationStore } from '../../ports/document-store.js'
import type { EventLog, LogRecord } from '../../ports/event-log.js'
import {
  DEAD_LETTER_COLLECTIONS,
  type DeadLetterDoc,
  deadLetterRef,
  deadLetters,
  deadLettersOf,
  loadParked,
} from '../definition/dead-letter-collections.js'
import { scanDocuments } from '../definition/scan-documents.js'
import { recordAt } from '../fold/log-reader.js'
import { liveGeneration, withGeneration } from '../fold/open-generation.js'

interface DeadLetter {
  position: number
  eventId: string
  since: number
}

/** An event that could not be folded, for listing. */
export interface ParkedEvent extends DeadLetter {
  projection: string
  aggregate: string
  message: string
  /** How many later events of the aggregate wait for it. */
  waiting: number
}

export interface ParkedDetails {
  projection: string
  aggregate: string
  /** The events that could not be folded. The records are from the log: dead letters hold no payload. */
  parked: (DeadLetter & { message: string; stack: string | null; record: LogRecord | null })[]
  /** The events that wait for the first of them. */
  waiting: DeadLetter[]
}

/** What could not be folded into the live generation, the oldest first. */
export async function listParked(store: DocumentStore, projection: string, limit = Number.POSITIVE_INFINITY): Promise<ParkedEvent[]> {
  const found = await withLiveDeadLetters(store, projection, async (opened) => {
    const parked = await loadParked(opened)
    const events: ParkedEvent[] = []
    if (parked.size === 0) return events
    for await (const letter of scanDocuments(opened, deadLetters)) {
      const { aggregate, error } = letter
      const holder = parked.get(aggregate)
      const waiting = holder?.position === letter.position ? holder.waiting : 0
      if (error !== null) events.push({ projection, aggregate, ...summaryOf(letter), message: error.message, waiting })
      if (events.length >= limit) break
    }
    return events
  })
  return found ?? []
}

/** `null` when this aggregate has no dead letters. */
export async function findParked(
  store: DocumentStore,
  log: EventLog,
  projection: string,
  aggregate: string,
): Promise<ParkedDetails | null> {
  const found = (await withLiveDeadLetters(store, projection, (opened) => deadLettersOf(opened, aggregate))) ?? []
  if (found.length === 0) return null
  const parked: ParkedDetails['parked'] = []
  for (const { error, ...letter } of found)
    if (error !== null) parked.push({ ...summaryOf(letter), ...error, record: await recordAt(log, letter.position as Position) })
  return { projection, aggregate, parked, waiting: found.filter(({ error }) => error === null).map(summaryOf) }
}

/** What the live generation has set aside at this position. */
export async function deadLetterAt(store: DocumentStore, projection: string, position: number): Promise<DeadLetterDoc | undefined> {
  const { id } = deadLetterRef({ position })
  const found = await withLiveDeadLetters(store, projection, (opened) => opened.get(deadLetters, [id]))
  return found?.[0]
}

async function withLiveDeadLetters<T>(
  store: DocumentStore,
  projection: string,
  read: (opened: GenerationStore) => Promise<T>,
): Promise<T | null> {
  const live = await liveGeneration(store, projection)
  return live === null ? null : withGeneration(store, live, DEAD_LETTER_COLLECTIONS, read)
}

const summaryOf = ({ position, eventId, appendedAt }: Omit<DeadLetterDoc, 'error'>): DeadLetter => ({
  position,
  eventId,
  since: appendedAt,
})
