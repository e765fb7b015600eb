/**
 * How deep do remixes of remixes go, and is it growing? One row per month:
 *
 *   npx vitrine replay ./examples/remix-depth.ts --out remix-depth.csv
 */
import { collection, living, projection, ref, stateIn, Tombstone, z } from 'vitrine'

const Month = z.object({
  /** 2026-10 */
  _id: z.string(),
  remixes: z.number(),
  /** A remix of an original has depth 1, a remix of that depth 2. */
  deepest: z.number(),
  average: z.number(),
})
const months = collection<z.infer<typeof Month>>({ name: 'months', schema: Month, indexes: [] })

/** How deep each creation lies; also what guards against events delivered twice. */
const Depth = z.object({ ...living, depth: z.number() })
const DepthDoc = z.discriminatedUnion('removed', [Depth, Tombstone])
const depths = collection<z.infer<typeof DepthDoc>>({ name: 'depths', schema: DepthDoc, indexes: [] })

const unseen = (id: string): z.infer<typeof Depth> => ({ _id: id, seq: 0, removed: false, depth: 0 })
const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7)

export default projection({
  name: 'remix-depth',
  version: 1,
  collections: [months, depths],
  state: { creation: stateIn(depths, unseen) },
  on: {
    'creation.published': {
      touches: ({ data, time }) => [ref(months, monthOf(time)), ...(data.remixOf ? [ref(depths, data.remixOf)] : [])],
      apply({ key, data, time }, docs) {
        if (!data.remixOf) return
        const original = docs.get(depths, data.remixOf)
        const depth = original === undefined || original.removed ? 1 : original.depth + 1
        docs.put(depths, { ...unseen(key), depth })
        const month = docs.get(months, monthOf(time)) ?? { _id: monthOf(time), remixes: 0, deepest: 0, average: 0 }
        const remixes = month.remixes + 1
        docs.put(months, {
          _id: month._id,
          remixes,
          deepest: Math.max(month.deepest, depth),
          average: month.average + (depth - month.average) / remixes,
        })
      },
    },
  },
})
