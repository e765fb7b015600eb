import { z } from 'zod'
import { collection, living, Tombstone } from '../../../readmodels/collection.js'

export const GrowthDoc = z.object({ _id: z.string(), category: z.string(), month: z.string(), published: z.number() })
export type GrowthDoc = z.infer<typeof GrowthDoc>

export const growth = collection<GrowthDoc>({
  name: 'growth',
  schema: GrowthDoc,
  indexes: [{ name: 'byCategory', fields: ['category', 'month'], use: 'query' }],
})

/** The state document of each creation: it guards against duplicates. */
const Seen = z.object({ ...living, published: z.boolean() })
export type Seen = z.infer<typeof Seen>
export const SeenDoc = z.discriminatedUnion('removed', [Seen, Tombstone])
export type SeenDoc = z.infer<typeof SeenDoc>

export const seen = collection<SeenDoc>({ name: 'seen', schema: SeenDoc, indexes: [] })
