import { z } from 'zod'
import type { Position } from '../../events/index.js'
import type { Collection, FanOutProgress, Reads } from '../../ports/document-store.js'
import type { LogRecord } from '../../ports/event-log.js'
import { type Docs, type Projection, type Ref, ref } from './projection.js'
import { scanDocuments } from './scan-documents.js'

/**
 * An event that cannot be folded parks its aggregate, and later events of it wait. Both are kept as dead letters, with
 * positions and reasons but no payload: an erased creator's data must not remain here.
 */
const ParkedDoc = z.object({
  /** The aggregate, `creation/c_81`. */
  _id: z.string(),
  position: z.number(),
  waiting: z.number(),
  /** How far the event's fan-out was committed. A replay continues from there. */
  slice: z.object({ step: z.number(), afterId: z.string().nullable() }).optional(),
})
export type ParkedDoc = z.infer<typeof ParkedDoc>

const DeadLetterDoc = z.object({
  _id: z.string(),
  aggregate: z.string(),
  position: z.number(),
  eventId: z.string(),
  /** When the log received the event. */
  appendedAt: z.number(),
  /** `null` for an event that only waits. */
  error: z.object({ message: z.string(), stack: z.string().nullable() }).nullable(),
})
export type DeadLetterDoc = z.infer<typeof DeadLetterDoc>

export const parkedAggregates: Collection<ParkedDoc> = { name: 'parked', schema: ParkedDoc, indexes: [] }
export const deadLetters: Collection<DeadLetterDoc> = {
  name: 'letters',
  schema: DeadLetterDoc,
  indexes: [{ name: 'byAggregate', fields: ['aggregate'], use: 'fold' }],
  edges: true,
  uncached: true,
}
export const DEAD_LETTER_COLLECTIONS: readonly Collection[] = [parkedAggregates, deadLetters]

/** A projection with the collections the engine keeps for it. */
export const withDeadLetters = (projection: Projection): Projection => ({
  ...projection,
  collections: [...projection.collections, ...DEAD_LETTER_COLLECTIONS],
})

/** Padded, so that positions sort as text. */
const deadLetterId = (position: Position): string => String(position).padStart(16, '0')

export const deadLetterRef = ({ position }: LogRecord): Ref => ref(deadLetters, deadLetterId(position))

export class PoisonError extends Error {
  override name = 'PoisonError'
}

export const countParked = (reads: Reads): Promise<number> => reads.count(parkedAggregates, { index: '_id', equals: [] })

export async function loadParked(reads: Reads): Promise<Map<string, ParkedDoc>> {
  const found = new Map<string, ParkedDoc>()
  for await (const doc of scanDocuments(reads, parkedAggregates)) found.set(doc._id, doc)
  return found
}

/** An aggregate's dead letters in log order: the poison event first, then the events that wait for it. */
export async function deadLettersOf(reads: Reads, aggregate: string): Promise<DeadLetterDoc[]> {
  const found: DeadLetterDoc[] = []
  for await (const doc of scanDocuments(reads, deadLetters, { index: 'byAggregate', equals: [aggregate] })) found.push(doc)
  return found
}

export function park(docs: Docs, record: LogRecord, cause: Error, slice: FanOutProgress | null): ParkedDoc {
  const doc: ParkedDoc = { _id: record.subject, position: record.position, waiting: 0, ...(slice === null ? {} : { slice }) }
  docs.put(parkedAggregates, doc)
  const stack = cause instanceof PoisonError ? null : (cause.stack ?? null)
  docs.put(deadLetters, toDeadLetter(record, { message: excerpt(cause.message), stack: stack && excerpt(stack) }))
  return doc
}

export function addWaiting(docs: Docs, record: LogRecord, parked: ParkedDoc): ParkedDoc {
  const doc: ParkedDoc = { ...parked, waiting: parked.waiting + 1 }
  docs.put(parkedAggregates, doc)
  docs.put(deadLetters, toDeadLetter(record, null))
  return doc
}

function toDeadLetter(record: LogRecord, error: DeadLetterDoc['error']): DeadLetterDoc {
  return {
    _id: deadLetterId(record.position),
    aggregate: record.subject,
    position: record.position,
    eventId: excerpt(record.id),
    appendedAt: record.appendedAt,
    error,
  }
}

/** A dead letter must always be valid: an invalid one would stop the projection. */
const excerpt = (text: string): string => text.slice(0, 2000).toWellFormed()
