import { z } from 'zod'
import { counts } from '../../src/engine/declared/index.js'
import { collection } from '../collection.js'

export const TagDoc = z.object({
  _id: z.string(),
  label: z.string(),
  count: z.number().positive(),
  /** The count negated: ascending order then puts frequent tags first and breaks ties by key. */
  rank: z.number(),
})
export type TagDoc = z.infer<typeof TagDoc>

export const tags = collection<TagDoc>({
  name: 'tags',
  schema: TagDoc,
  indexes: [{ name: 'popular', fields: ['rank'], use: 'query' }],
})

export const TAG_TOTAL = 'total'
export const tagTotal = counts('tagTotal', {}).documents
