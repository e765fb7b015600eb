import t from 'tap'
import { z } from 'zod'
import { collection } from '../../readmodels/collection.js'
import { checkReads } from '../../src/cli/commands/models.js'
import { countBy, declared, latest, state } from '../../src/engine/declared/index.js'
import { builtInSet } from '../support/built-in-models.js'

const creation = state('creation', { on: latest(false), category: latest('') })
const counts = collection({ name: 'counts', schema: z.object({ _id: z.string(), count: z.number() }), indexes: [] })

const counting = (reads: readonly ('on' | 'category')[]) =>
  declared({
    name: 'counting',
    version: 1,
    keeps: [creation],
    on: { 'creation.published': ({ data }) => creation({ on: true, category: data.category }) },
    views: [countBy(creation, reads, ({ on, category }) => (on ? [category] : []), { into: counts, doc: (_key, count) => ({ count }) })],
  })

const setWith = (reads: readonly ('on' | 'category')[]) => ({ ...builtInSet, projections: [...builtInSet.projections, counting(reads)] })

t.test('"vitrine models" refuses a declaration that reads a field without naming it', async (t) => {
  await t.resolves(checkReads(setWith(['on', 'category']), 'https://vitrine.example'))
  await t.rejects(checkReads(setWith(['on']), 'https://vitrine.example'), {
    message: /countBy creation into counts reads "category" without naming it/,
  })
})
