import { z } from 'zod'
import { collection } from '../collection.js'

/** Which sequences of one aggregate have arrived. */
export const ArrivalsDoc = z.object({
  /** The aggregate, `creation/c_81`. */
  _id: z.string(),
  last: z.number(),
  /** Missing sequences below `last`, as inclusive ranges. */
  missing: z.array(z.tuple([z.number(), z.number()])),
  /** Set while something is missing; the index finds those aggregates. */
  gapSince: z.number().nullable(),
  late: z.number(),
  duplicates: z.number(),
})
export type ArrivalsDoc = z.infer<typeof ArrivalsDoc>

export const arrivals = collection<ArrivalsDoc>({
  name: 'arrivals',
  schema: ArrivalsDoc,
  indexes: [{ name: 'gaps', fields: ['gapSince'], use: 'query' }],
})

export const SUMMARY = 'summary'

export const IntegrityDoc = z.object({
  _id: z.literal(SUMMARY),
  aggregates: z.number(),
  /** Aggregates with something missing. */
  gaps: z.number(),
  late: z.number(),
  duplicates: z.number(),
})
export type IntegrityDoc = z.infer<typeof IntegrityDoc>

export const integrity = collection<IntegrityDoc>({ name: 'integrity', schema: IntegrityDoc, indexes: [] })
