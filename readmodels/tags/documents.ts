import { z } from 'zod'
import { collection, living, publication, Tombstone } from '../collection.js'

/** A creation's tags and whether they count. */
const Tagged = z.object({
  ...living,
  ...publication,
  published: z.boolean(),
  creatorRegistered: z.boolean(),
  tags: z.array(z.string()),
})
export type Tagged = z.infer<typeof Tagged>

export const TaggedDoc = z.discriminatedUnion('removed', [Tagged, Tombstone])
export type TaggedDoc = z.infer<typeof TaggedDoc>

export const tagged = collection<TaggedDoc>({
  name: 'tagged',
  schema: TaggedDoc,
  indexes: [
    { name: 'byCreator', fields: ['creatorId'], use: 'fold' },
    { name: 'byOtherCreator', fields: ['alsoBy'], each: 'alsoBy', use: 'fold' },
  ],
})

/** Creators, only to know whether their creations are public. */
const TagCreator = z.object({ ...living, registered: z.boolean() })
export const TagCreatorDoc = z.discriminatedUnion('removed', [TagCreator, Tombstone])
export type TagCreatorDoc = z.infer<typeof TagCreatorDoc>

export const tagCreators = collection<TagCreatorDoc>({ name: 'tagCreators', schema: TagCreatorDoc, indexes: [] })

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
export const TagTotalDoc = z.object({ _id: z.literal(TAG_TOTAL), count: z.number() })
export type TagTotalDoc = z.infer<typeof TagTotalDoc>

export const tagTotal = collection<TagTotalDoc>({ name: 'tagTotal', schema: TagTotalDoc, indexes: [] })
