import { projection, ref, stateIn } from '../../../src/engine/definition/projection.js'
import { growth, type Seen, seen } from './documents.js'

const unseen = (id: string): Seen => ({ _id: id, seq: 0, removed: false, published: false })

const cell = (category: string, time: number) => `${category}~${new Date(time).toISOString().slice(0, 7)}`

export const growthProjection = projection({
  name: 'growth',
  version: 1,
  collections: [growth, seen],
  state: { creation: stateIn(seen, unseen) },
  on: {
    'creation.published': {
      touches: ({ data, time }) => [ref(growth, cell(data.category, time))],
      apply({ key, data, time }, docs) {
        const creation = docs.get(seen, key) ?? unseen(key)
        if (creation.removed || creation.published) return
        docs.put(seen, { ...creation, published: true })
        const _id = cell(data.category, time)
        const month = _id.slice(-7)
        const published = (docs.get(growth, _id)?.published ?? 0) + 1
        docs.put(growth, { _id, category: data.category, month, published })
      },
    },
  },
})
