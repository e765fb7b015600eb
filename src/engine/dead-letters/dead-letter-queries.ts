import type { Position } from '../../events/index.js'
import type { DocumentStore, GenerationStore } from '../../ports/document-store.js'
import type { EventLog, LogRecord } from '../../ports/event-log.js'
import {
  DEAD_LETTER_COLLECTIONS,
  type DeadLetterDoc,
  deadLetterRef,
  deadLetters,
  deadLettersOf,
} from '../definition/dead-letter-collections.js'
import { scanDocuments } from '../definition/scan-documents.js'
import { recordAt } from '../fold/log-page.js'
import { liveGeneration, withGeneration } from '../fold/open-generation.js'

interface DeadLetter {
  position: number
  eventId: string
  since: number
  message: string
  stack: string | null
}

/** An event that could not be folded, for listing. */
export interface ParkedEvent extends Omit<DeadLetter, 'stack'> {
  projection: string
  aggregate: string
}

export interface ParkedDetails {
  projection: string
  aggregate: string
  /** The events that could not be folded. The records are from the log: dead letters hold no payload. */
  parked: (DeadLetter & { record: LogRecord | null })[]
}

/** What could not be folded into the live generation, the oldest first. */
export async function listParked(store: DocumentStore, projection: string, limit = Number.POSITIVE_INFINITY): Promise<ParkedEvent[]> {
  const found = await withLiveDeadLetters(store, projection, async (opened) => {
    const events: ParkedEvent[] = []
    for await (const letter of scanDocuments(opened, deadLetters)) {
      const { stack: _, ...summary } = summaryOf(letter)
      events.push({ projection, aggregate: letter.aggregate, ...summary })
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
  for (const letter of found) parked.push({ ...summaryOf(letter), record: await recordAt(log, letter.position as Position) })
  return { projection, aggregate, parked }
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

/** In release 1.0 events waited for an earlier one, without an error. */
type AnyDeadLetter = Omit<DeadLetterDoc, 'error'> & { error: DeadLetterDoc['error'] | null }

const summaryOf = ({ position, eventId, appendedAt, error }: AnyDeadLetter): DeadLetter => ({
  ...{ position, eventId, since: appendedAt },
  ...(error ?? { message: 'waits for an earlier event', stack: null }),
})
