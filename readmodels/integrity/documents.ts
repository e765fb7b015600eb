import { z } from 'zod'
import { SequenceGaps } from '../../src/lib/sequence-gaps.js'
import { collection } from '../collection.js'

/** Which sequences of one aggregate have arrived. */
export const ArrivalsDoc = z.object({
  /** The aggregate, `creation/c_81`. */
  _id: z.string(),
  last: z.number(),
  /** Missing sequences below `last`, as inclusive ranges. */
  missing: SequenceGaps,
  /** Where the first gap was seen, while something is missing; the index finds those aggregates. */
  gapSince: z.number().nullable(),
  /** Missing sequences that were dropped from `missing` because there were too many ranges. */
  givenUp: z.number(),
  late: z.number(),
  /** The position of the newest one that came late. */
  lateAt: z.number().nullable(),
  duplicates: z.number(),
  conflicts: z.number(),
  /** Nothing is missing of what was removed: no event would change it. */
  removed: z.boolean(),
  /** Hashes of the event ids of the newest sequences, see `shortHash`. */
  ids: z.string(),
})
export type ArrivalsDoc = z.infer<typeof ArrivalsDoc>

export const arrivals = collection<ArrivalsDoc>({
  name: 'arrivals',
  schema: ArrivalsDoc,
  indexes: [
    { name: 'gaps', fields: ['gapSince'], use: 'query' },
    { name: 'late', fields: ['lateAt'], order: 'desc', use: 'query' },
  ],
})

/** Hashes of the event ids of older sequences, some for each document. Read only where a sequence comes again. */
export const ArrivedIdsDoc = z.object({ _id: z.string(), ids: z.string() })
export type ArrivedIdsDoc = z.infer<typeof ArrivedIdsDoc>

export const arrivedIds = collection<ArrivedIdsDoc>({ name: 'arrivedIds', schema: ArrivedIdsDoc, indexes: [], edges: true, uncached: true })

/** An event whose sequence another one has already. Named until one of them is discarded. */
export const ConflictDoc = z.object({
  _id: z.string(),
  aggregate: z.string(),
  sequence: z.number(),
  /** Of the event that came second. */
  position: z.number(),
  eventId: z.string(),
})
export type ConflictDoc = z.infer<typeof ConflictDoc>

export const conflicts = collection<ConflictDoc>({
  name: 'conflicts',
  schema: ConflictDoc,
  indexes: [{ name: 'byPosition', fields: ['position'], use: 'query' }],
})

export const SUMMARY = 'summary'

export const IntegrityDoc = z.object({
  _id: z.literal(SUMMARY),
  aggregates: z.number(),
  /** Aggregates with something missing. */
  gaps: z.number(),
  givenUp: z.number(),
  late: z.number(),
  duplicates: z.number(),
  conflicts: z.number(),
})
export type IntegrityDoc = z.infer<typeof IntegrityDoc>

export const BLANK_SUMMARY: IntegrityDoc = { _id: SUMMARY, aggregates: 0, gaps: 0, givenUp: 0, late: 0, duplicates: 0, conflicts: 0 }

export const integrity = collection<IntegrityDoc>({ name: 'integrity', schema: IntegrityDoc, indexes: [] })
