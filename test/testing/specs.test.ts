/** That the specs of `vitrine/testing` fail where they should. */
import t from 'tap'
import { type Docs, type Projection, projection, sweep } from '../../src/engine/definition/projection.js'
import { erases, given, happened } from '../../src/testing/index.js'
import { beds, gardens, planted, renamed } from '../compose/models/fixture.js'

const bed = (bedId: string, creatorId: string, title: string) => happened(planted, { bedId, creatorId, title })

const planting = (apply: (docs: Docs, key: string, title: string) => void): Projection => ({
  ...gardens,
  on: {
    ...gardens.on,
    'bed.planted': { apply: (event, docs) => apply(docs, event.key, String(Object(event.data).title)) },
  },
})

t.test('documents that are others, too many or too few', async (t) => {
  const one = given(gardens, bed('b_1', 'ann', 'Roses'))
  await t.resolves(one.then({ beds: { b_1: { title: 'Roses' } } }))
  await t.rejects(one.then({ beds: { b_1: { title: 'Lilies' } } }), /Lilies/)
  await t.rejects(one.then({ beds: {} }), /documents of beds/)
  await t.rejects(one.then({ plots: {} }), /there is no collection "plots", only beds, gardeners/)
})

t.test('a model that depends on how the log is cut into batches', async (t) => {
  let folded = 0
  const counting = planting((docs, key) => {
    folded += 1
    docs.put(beds, { _id: key, seq: 0, removed: false, creatorId: '', title: String(folded) })
  })
  await t.rejects(given(counting, bed('b_1', 'ann', 'Roses')).then({ beds: { b_1: { title: '1' } } }), /leaves other documents/)
})

t.test('an event that cannot be folded', async (t) => {
  const failing = planting(() => {
    throw new Error('thorns')
  })
  await t.rejects(given(failing, bed('b_1', 'ann', 'Roses')).then({}), /an event of bed\/b_1 cannot be folded: thorns/)
})

t.test('a fold that is async', async (t) => {
  const late = async () => {}
  // As in plain JavaScript: the compiler refuses it.
  const apply: (...args: unknown[]) => undefined = Object(late)
  const folding = { ...gardens, on: { ...gardens.on, 'bed.planted': { apply } } }
  const event = bed('b_1', 'ann', 'Roses')
  await t.rejects(given(folding, event).then({}), /an event of bed\/b_1 cannot be folded: apply must not be async/)
  await t.rejects(erases(folding, 'ann', event), /apply must not be async/)
  const sweeping = sweep(beds, { where: () => ({ index: '_id', equals: [], limit: 9 }), each: apply })
  const removing = { ...gardens, on: { ...gardens.on, 'creator.removed': { apply() {}, fanOut: [sweeping] } } }
  const removal = happened('creator.removed', { creatorId: 'ann' })
  await t.rejects(given(removing, event).when(removal).then({}), /each must not be async/)
  const { name, version, collections, state } = gardens
  const basics = { name, version, collections, state: { bed: state.bed, creator: state.creator } }
  projection({ ...basics, events: [planted], on: { 'bed.planted': { apply: () => undefined } } })
  // @ts-expect-error: a fold returns nothing, not a promise
  projection({ ...basics, events: [planted], on: { 'bed.planted': { apply: late } } })
})

t.test('an erasure that leaves words, or the name of a person', async (t) => {
  await t.rejects(erases(gardens, 'ann', bed('b_1', 'ann', 'Roses')), /still (shows "Roses"|names ann)/)
  await t.resolves(erases(gardens, 'bob', bed('b_1', 'ann', 'Roses')), 'of somebody who has none')
})

t.test('an unknown event name is an error of the compiler', async (t) => {
  const { name, version, collections, state } = gardens
  const basics = { name, version, collections, state: { bed: state.bed, creator: state.creator } }
  // @ts-expect-error: there is no event "bed.plantd"
  projection({ ...basics, events: [planted, renamed], on: { 'bed.plantd': { apply() {} } } })
  // @ts-expect-error: an own type must be among the projection's events
  projection({ ...basics, on: { 'bed.planted': { apply() {} } } })
  // @ts-expect-error: the data of an event have the types of its schema
  const wrong = () => happened(planted, { bedId: 1, creatorId: 'ann', title: 'Roses' })
  t.throws(wrong, /have no "bedId"/)
})
