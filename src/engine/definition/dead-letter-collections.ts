import { z } from 'zod'
import type { Collection, Reads } from '../../ports/document-store.js'
import { type Projection, type Ref, ref } from './projection.js'
import { scanDocuments } from './scan-documents.js'

/** An aggregate with dead letters. */
const ParkedDoc = z.object({
  /** The aggregate, `creation/c_81`. */
  _id: z.string(),
  /** Of its first event that could not be folded. */
  position: z.number(),
  /** The people named by its publications that could not be folded: what is known of it goes with them. */
  publishers: z.array(z.string()).optional(),
})
export type ParkedDoc = z.infer<typeof ParkedDoc>

/**
 * An event that was set aside, with position and reason but no payload, because an erased creator's data must not remain
 * here.
 */
const DeadLetterDoc = z.object({
  _id: z.string(),
  aggregate: z.string(),
  position: z.number(),
  eventId: z.string(),
  /** When the log received the event. */
  appendedAt: z.number(),
  error: z.object({ message: z.string(), stack: z.string().nullable() }),
  /** How far the event's fan-out was committed. A replay continues from there. */
  slice: z.object({ step: z.number(), afterId: z.string().nullable() }).optional(),
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
export const deadLetterRef = ({ position }: { position: number }): Ref => ref(deadLetters, String(position).padStart(16, '0'))

export class PoisonError extends Error {
  override name = 'PoisonError'
}

export const countParked = (reads: Reads): Promise<number> => reads.count(parkedAggregates, { index: '_id', equals: [] })

/** What a writer keeps in memory of the aggregates with dead letters: how many there are, and the people whom publications name. */
export interface Parked {
  count: number
  readonly publishers: Map<string, readonly string[]>
}

export async function loadParked(reads: Reads): Promise<Parked> {
  const parked: Parked = { count: 0, publishers: new Map() }
  for await (const { _id, publishers } of scanDocuments(reads, parkedAggregates)) {
    parked.count += 1
    if (publishers !== undefined) parked.publishers.set(_id, publishers)
  }
  return parked
}

/** The aggregates with dead letters, the oldest first. */
export async function listParkedAggregates(reads: Reads): Promise<string[]> {
  const found: [aggregate: string, position: number][] = []
  for await (const { _id, position } of scanDocuments(reads, parkedAggregates)) found.push([_id, position])
  return found.sort(([, a], [, b]) => a - b).map(([aggregate]) => aggregate)
}

/** An aggregate's dead letters in log order. */
export async function deadLettersOf(reads: Reads, aggregate: string): Promise<DeadLetterDoc[]> {
  const found: DeadLetterDoc[] = []
  for await (const doc of scanDocuments(reads, deadLetters, { index: 'byAggregate', equals: [aggregate] })) found.push(doc)
  return found
}
