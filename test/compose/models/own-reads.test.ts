/** What own reads may read, and whose words their answers are known to show. */
import t, { type Test } from 'tap'
import type { Read } from '../../../src/compose/models/define-models.js'
import { modelSet } from '../../../src/compose/models/model-set.js'
import type { ReadContext } from '../../../src/contract/operation.js'
import { PublicUrls } from '../../../src/contract/public-urls.js'
import { withDeadLetters } from '../../../src/engine/definition/dead-letter-collections.js'
import { stateIn } from '../../../src/engine/definition/projection.js'
import { GenerationWriter } from '../../../src/engine/fold/generation-writer.js'
import { decode } from '../../../src/events/index.js'
import { collection, living, Tombstone, z } from '../../../src/index.js'
import { ReadExecutor } from '../../../src/operations/read-executor.js'
import { openedStore } from '../../spec/live.js'
import { Script } from '../../spec/script.js'
import { gardening, gardens, planted } from './fixture.js'

const Bed = z.discriminatedUnion('removed', [
  z.object({ ...living, creatorId: z.string(), helperIds: z.array(z.string()), title: z.string() }),
  Tombstone,
])
const beds = collection({ name: 'beds', schema: Bed, indexes: [], shows: ['creatorId', 'helperIds'] })
const blank = (_id: string) => ({ _id, seq: 0, removed: false as const, creatorId: '', helperIds: ['u_2', 'u_3'], title: '' })

/** Runs a read over one bed, of one creator with two helpers. */
async function reading(t: Test, run: Read['run']) {
  const [, gardeners] = gardens.collections
  const model = {
    ...gardens,
    collections: [beds, ...(gardeners === undefined ? [] : [gardeners])],
    state: { ...gardens.state, bed: stateIn(beds, blank) },
    on: {
      ...gardens.on,
      'bed.planted': {
        apply: ({ key, sequence: seq }, docs) => docs.put(beds, { ...blank(key), seq, creatorId: 'u_1', title: 'Roses' }),
      },
    } satisfies typeof gardens.on,
  }
  const { projections, reads } = modelSet([gardening({ model: { projection: model }, read: { run } })])
  const [projection, operation] = [projections.at(-1), reads.at(-1)]
  if (projection === undefined || operation === undefined) throw new Error('there are no own models')
  const store = await openedStore(t)
  const folded = withDeadLetters(projection)
  const generation = await store.createGeneration(folded.name, folded.version, folded.collections)
  const opened = await store.openGeneration(generation, folded.collections)
  t.teardown(() => opened.close())
  await opened.buildIndexes()
  const writer = await GenerationWriter.open(folded, opened, 1, false)
  const records = new Script().write({ subject: 'bed/b_1', type: 'bed.planted.v1', data: planted.example, over: {} })
  await writer.advance(records.map((record) => ({ record, decoded: decode(record, folded.events) })))
  await store.promote(generation)
  return new ReadExecutor(store, new PublicUrls('vitrine.example')).execute(operation, { bedId: 'b_1' })
}

t.test('a field that shows people may hold a list of them', async (t) => {
  const { data, subjects } = await reading(t, async ({ model }) => {
    const [bed] = await model('gardens').get(beds, ['b_1'])
    return { title: bed === undefined || bed.removed ? '' : bed.title }
  })
  t.strictSame(data, { title: 'Roses' })
  t.strictSame([...subjects], ['u_1', 'u_2', 'u_3'])
})

t.test('a read cannot use a collection that its model does not declare', async (t) => {
  const silent = collection({ ...beds, shows: [] })
  const message = /"gardens" does not declare this collection "beds"/
  const all = { index: '_id', equals: [], limit: 1 }
  for (const read of [
    ({ model }) => model('gardens').get(silent, ['b_1']),
    ({ model }) => model('gardens').range(silent, all),
    ({ model }) => model('gardens').ids(silent, all),
    ({ model }) => model('gardens').count(silent, all),
  ] satisfies ((context: ReadContext) => Promise<unknown>)[])
    await t.rejects(
      reading(t, async (context) => ({ title: String(await read(context)) })),
      { cause: { message } },
    )
})

t.test('nor a model that it does not name', async (t) => {
  await t.rejects(
    reading(t, async ({ model }) => ({ title: String(model('profiles')) })),
    { cause: { message: /the snapshot does not include profiles/ } },
  )
})
