/** What custom reads may read, and whose words their answers are known to show. */
import t, { type Test } from 'tap'
import type { Read } from '../../../src/compose/models/define-models.js'
import { modelSet } from '../../../src/compose/models/model-set.js'
import type { ReadContext } from '../../../src/contract/operation.js'
import { PublicUrls } from '../../../src/contract/public-urls.js'
import { declared, first, latest, person, state } from '../../../src/index.js'
import { ReadExecutor } from '../../../src/operations/read-executor.js'
import { foldLive } from '../../../src/testing/fold.js'
import { happened, toRecords } from '../../../src/testing/happened.js'
import { openedStore } from '../../spec/opened-store.js'
import { bed, gardening, planted } from './fixture.js'

const beds = bed.documents

/** Runs a read over one bed, which events give to two people. */
async function reading(t: Test, run: Read['run'], version = 1) {
  const { projections, reads } = modelSet([gardening({ read: { run } })])
  const [projection, operation] = [projections.at(-1), reads.at(-1)]
  if (projection === undefined || operation === undefined) throw new Error('there are no custom models')
  const store = await openedStore(t)
  const events = ['u_1', 'u_2'].map((creatorId) => happened(planted, { bedId: 'b_1', creatorId, title: 'Roses' }))
  await foldLive(store, projection, [toRecords(events)])
  return new ReadExecutor(store, new PublicUrls('vitrine.example')).execute(
    { ...operation, versions: new Map([['gardens', version]]) },
    { bedId: 'b_1' },
  )
}

t.test('a field that shows people may hold a list of them', async (t) => {
  const { data, subjects } = await reading(t, async ({ model }) => {
    const [bed] = await model('gardens').get(beds, ['b_1'])
    return { title: bed === undefined || bed.removed ? '' : bed.title }
  })
  t.strictSame(data, { title: 'Roses' })
  t.strictSame([...subjects], ['u_1', 'u_2'])
})

t.test('a read cannot use a collection that its model does not declare', async (t) => {
  const silent = { ...beds, shows: [] }
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

t.test('on documents of another version a read that fails is not ready yet; what it can answer it answers', async (t) => {
  const wrong: Read['run'] = async () => ({ title: 7 }) as never
  const throws: Read['run'] = async () => {
    throw new Error('no such table')
  }
  for (const run of [wrong, throws]) {
    await t.rejects(reading(t, run), { name: 'ServiceError', status: 500 })
    await t.rejects(reading(t, run, 7), { name: 'ModelUnavailableError', message: 'the gardens model is still being loaded' })
  }
  t.match(await reading(t, async () => ({ title: 'as before' }), 7), { data: { title: 'as before' } })
})

t.test('an index with other fields under its name is not ready until it is built, also without a new version', async (t) => {
  const keep = (edited: typeof bed) => declared({ name: 'gardens', version: 1, events: [planted], keeps: [edited], on: {} })
  const byTitle = (...order: ['asc' | 'desc'] | []) =>
    state('bed', { creatorId: first(person), title: latest('') }, { name: 'beds' }).index('byTitle', ['title'], ...order)
  const store = await openedStore(t)
  await foldLive(store, keep(byTitle()), [toRecords([])])
  const titles = async (edited: typeof bed) => {
    const snapshot = await store.snapshot(['gardens'])
    t.teardown(() => snapshot.release())
    return snapshot.model('gardens').range(edited.documents, { index: 'byTitle', equals: [], limit: 9 })
  }
  t.strictSame(await titles(bed), [])
  await t.rejects(titles(byTitle('desc')), { name: 'ModelUnavailableError' })
  const [live] = await store.generations('gardens')
  if (live === undefined) throw new Error('nothing is live')
  const leader = await store.openGeneration(live, keep(byTitle('desc')).collections)
  t.teardown(() => leader.close())
  await leader.fence(9)
  t.strictSame(await titles(byTitle('desc')), [])
})
