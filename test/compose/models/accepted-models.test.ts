import t from 'tap'
import {
  acceptedSets,
  acceptModels,
  describeSet,
  onlyWhileAccepted,
  requireAccepted,
  requireNoRollout,
} from '../../../src/compose/models/accepted-models.js'
import { defineModels } from '../../../src/compose/models/define-models.js'
import { modelSet } from '../../../src/compose/models/model-set.js'
import { declared, event, text, z } from '../../../src/index.js'
import { eventually } from '../../ports/subject.js'
import { openedStore } from '../../spec/opened-store.js'
import { gardening, gardens, getBed, planted, renamed } from './fixture.js'

const none = modelSet()
const mine = modelSet([gardening()])
const others = modelSet([gardening({ namespace: 'gardens', model: { projection: { ...gardens, name: 'gardens-two' } } })])

t.test('the first set of an installation is remembered, and another one refused', async (t) => {
  const store = await openedStore(t)
  await t.resolves(requireAccepted(store, none, { remember: true }))
  t.equal(await acceptedSets(store), null, 'without custom models there is nothing to remember')
  await t.resolves(requireAccepted(store, mine), 'a command only looks')
  t.equal(await acceptedSets(store), null)
  await requireAccepted(store, mine, { remember: true })
  await t.resolves(requireAccepted(store, mine))
  await t.rejects(requireAccepted(store, none), { name: 'ModelsError', message: /missing here: gardens, bed.planted.v1, bed.renamed.v1/ })
  await t.rejects(requireAccepted(store, others), { message: /missing here: gardens; new: gardens-two/ })
})

t.test('a refusal names what is another one', async (t) => {
  const store = await openedStore(t)
  await requireAccepted(store, mine, { remember: true })
  const refused = (models: ReturnType<typeof gardening>) => requireAccepted(store, modelSet([models])).catch(({ message }) => message)
  const reads = [
    { ...getBed, path: '/plots/{bedId}' },
    { ...getBed, name: 'other' },
  ]
  t.match(await refused(gardening({ model: { reads } })), /\(new: x_gardens_other; of another schema or path: x_gardens_get_bed\)/)
  const other = { ...renamed, schema: z.object({ ...renamed.schema.shape, title: text(9) }) }
  t.match(await refused(gardening({ events: [planted, other] })), /\(of another schema or path: bed.renamed.v1\)/)
  const [record] = await store.controlRecords('models')
  const { parts: _, ...former } = describeSet(mine)
  await store.putControlRecord({ kind: 'models', id: 'accepted', revision: record?.revision ?? 0, value: { sets: [former] } })
  t.match(await refused(gardening({ model: { reads } })), /\(a schema or a path changed\)/, 'stored by an earlier release')
})

t.test('what makes a set another one', async (t) => {
  const { fingerprint } = describeSet(mine)
  const same = (models: ReturnType<typeof gardening>) => describeSet(modelSet([models])).fingerprint === fingerprint
  t.ok(same(gardening({ model: { projection: { ...gardens, version: 2 } } })), 'not a version: both run side by side')
  t.ok(same(gardening({ read: { description: 'Other words.' } })))
  t.notOk(same(gardening({ read: { path: '/plots/{bedId}' } })))
  const other = { ...planted, people: ['creatorId', 'creatorId'] }
  t.notOk(same(gardening({ events: [other, renamed] })))
})

t.test('neither order nor words make a set another one', async (t) => {
  const of = (...all: ReturnType<typeof gardening>[]) => describeSet(modelSet(all)).fingerprint
  const withSchema = (schema: z.ZodObject) => {
    const events = [event({ ...planted, key: 'bedId', schema }), renamed]
    return of(gardening({ events }))
  }
  t.equal(of(gardening({ events: [renamed, planted] })), of(gardening()))
  const tools = declared({ name: 'tools', version: 1, keeps: [], on: {} })
  const second = defineModels({ namespace: 'tools', models: [{ projection: tools, reads: [getBed] }] })
  t.equal(of(second, gardening()), of(gardening(), second))
  const { bedId, creatorId, title } = planted.schema.shape
  t.equal(withSchema(z.object({ title: title.describe('On the sign.'), creatorId, bedId }).meta({ title: 'A bed' })), of(gardening()))
  t.not(withSchema(z.object({ bedId, creatorId })), of(gardening()), 'a field may be called "title"')
  t.not(withSchema(z.object({ bedId, creatorId, title: text(9) })), of(gardening()))
  t.not(withSchema(z.object({ bedId, creatorId, title: title.default('Roses') })), of(gardening()))
})

t.test('a change is rolled out beside the former set, and finished', async (t) => {
  const store = await openedStore(t)
  await requireAccepted(store, mine, { remember: true })
  t.match(await acceptModels(store, others, { beside: true }), { dropped: [] })
  await t.resolves(requireAccepted(store, mine))
  await t.resolves(requireAccepted(store, others))
  await t.rejects(requireNoRollout(store), /is being rolled out/)
  const live = await store.createGeneration('gardens', 1, [])
  await store.promote(live)
  await store.createGeneration('gardens', 1, [])
  const lease = await store.acquireLease('gardens', 'a projector', 60_000)
  await t.rejects(acceptModels(store, others), /a process still folds "gardens"/)
  t.equal((await store.generations('gardens')).length, 2, 'nothing was dropped')
  if (lease !== null) await store.releaseLease(lease)
  t.match(await acceptModels(store, others), { dropped: ['gardens'] })
  t.strictSame(await store.generations('gardens'), [])
  await t.resolves(requireNoRollout(store))
  await t.rejects(requireAccepted(store, mine), /new: gardens/)
})

t.test('a process that runs on with a former set leads nothing and makes no generation', async (t) => {
  const store = await openedStore(t)
  const running = onlyWhileAccepted(store, mine)
  const lease = await running.acquireLease('gardens', 'slow', 1)
  t.ok(lease)
  t.strictSame(await acceptedSets(store), [describeSet(mine)], 'also remembered if the store was away at the start')
  await running.createGeneration('gardens', 1, [])
  const taken = () => acceptModels(store, none).catch((error) => (/still folds/.test(error.message) ? null : Promise.reject(error)))
  t.match(await eventually(taken), { dropped: ['gardens'] }, 'its lease ran out')
  t.notOk(lease && (await running.renewLease(lease, 60_000)))
  await t.rejects(running.acquireLease('gardens', 'slow', 60_000), { name: 'ModelsError', message: /works with other models/ })
  await t.rejects(running.createGeneration('gardens', 1, []), { name: 'ModelsError' })
  t.strictSame(await store.projections(), [])
  t.ok(await store.acquireLease('gardens', 'another', 60_000), 'the lease was given back')
})

t.test('accepting a set drops whatever the store has beside it', async (t) => {
  const store = await openedStore(t)
  await store.createGeneration('feed', 1, [])
  await store.createGeneration('gardens', 1, [])
  t.match(await acceptModels(store, mine), { dropped: [] })
  await acceptModels(store, none)
  // By a process that was only slow.
  await store.createGeneration('gardens', 1, [])
  t.match(await acceptModels(store, mine, { beside: true }), { dropped: [] })
  t.match(await acceptModels(store, none), { dropped: ['gardens'] })
  t.strictSame(await store.projections(), ['feed'])
})
