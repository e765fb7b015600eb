import { z } from 'zod'
import type { Position } from '../../events/index.js'
import type { Collection, Reads, Slice } from '../../ports/document-store.js'
import type { LogRecord } from '../../ports/event-log.js'
import { type Docs, type Ref, ref } from './projection.js'

/**
 * A poison event parks its aggregate: later events of it wait behind, everything else flows. Both are kept as
 * letters, which hold positions and reasons but no payload: the payload is in the log, and an erased creator must
 * not live on here.
 */
const ParkedDoc = z.object({
  /** The aggregate, `creation/c_81`. */
  _id: z.string(),
  position: z.number(),
  waiting: z.number(),
  /** How far the fan-out of the poison event had been committed: it goes on from there, and cannot be taken back. */
  slice: z.object({ step: z.number(), afterId: z.string().nullable() }).optional(),
})
export type ParkedDoc = z.infer<typeof ParkedDoc>

const LetterDoc = z.object({
  _id: z.string(),
  aggregate: z.string(),
  position: z.number(),
  eventId: z.string(),
  /** When the log received the event. */
  appendedAt: z.number(),
  /** `null` for an event that only waits. */
  error: z.object({ message: z.string(), stack: z.string().nullable() }).nullable(),
})
export type LetterDoc = z.infer<typeof LetterDoc>

export const parked: Collection<ParkedDoc> = { name: 'parked', schema: ParkedDoc, indexes: [] }
export const letters: Collection<LetterDoc> = {
  name: 'letters',
  schema: LetterDoc,
  indexes: [{ name: 'byAggregate', fields: ['aggregate'], use: 'fold' }],
  edges: true,
  seldom: true,
}
export const DEAD_LETTERS: readonly Collection[] = [parked, letters]

/** Positions sort as text. */
const letterId = (position: Position): string => String(position).padStart(16, '0')

export const letterRef = ({ position }: LogRecord): Ref => ref(letters, letterId(position))

export class PoisonError extends Error {
  override name = 'PoisonError'
}

export const countParked = (reads: Reads): Promise<number> => reads.count(parked, { index: '_id', equals: [] })

export async function loadParked(reads: Reads): Promise<Map<string, ParkedDoc>> {
  const found = new Map<string, ParkedDoc>()
  for (let after: string | null = null; ; ) {
    const page: ParkedDoc[] = await reads.range(parked, {
      index: '_id',
      equals: [],
      limit: 1000,
      ...(after === null ? {} : { after: [after] }),
    })
    for (const doc of page) found.set(doc._id, doc)
    const last = page.at(-1)
    if (last === undefined || page.length < 1000) return found
    after = last._id
  }
}

/** An aggregate's letters in the order of the log: the poison event first, then what waits behind it. */
export async function lettersOf(reads: Reads, aggregate: string): Promise<LetterDoc[]> {
  const found: LetterDoc[] = []
  for (;;) {
    const last = found.at(-1)
    const page = await reads.range(letters, {
      index: 'byAggregate',
      equals: [aggregate],
      limit: 1000,
      ...(last === undefined ? {} : { after: [last._id] }),
    })
    found.push(...page)
    if (page.length < 1000) return found
  }
}

export function park(docs: Docs, record: LogRecord, cause: Error, slice: Slice | null): ParkedDoc {
  const doc: ParkedDoc = { _id: record.subject, position: record.position, waiting: 0, ...(slice === null ? {} : { slice }) }
  docs.put(parked, doc)
  const stack = cause instanceof PoisonError ? null : (cause.stack ?? null)
  docs.put(letters, letterOf(record, { message: excerpt(cause.message), stack: stack && excerpt(stack) }))
  return doc
}

export function waitBehind(docs: Docs, record: LogRecord, behind: ParkedDoc): ParkedDoc {
  const doc: ParkedDoc = { ...behind, waiting: behind.waiting + 1 }
  docs.put(parked, doc)
  docs.put(letters, letterOf(record, null))
  return doc
}

function letterOf(record: LogRecord, error: LetterDoc['error']): LetterDoc {
  return {
    _id: letterId(record.position),
    aggregate: record.subject,
    position: record.position,
    eventId: excerpt(record.id),
    appendedAt: record.appendedAt,
    error,
  }
}

/** A letter must always be fit to be written: one that is not would stop the projection it is there to keep going. */
const excerpt = (text: string): string => text.slice(0, 2000).toWellFormed()
