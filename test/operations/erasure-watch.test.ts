/** How a process hears of removals, and looks up what it keeps. */

import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import t from 'tap'
import { modelSet } from '../../src/compose/models/model-set.js'
import { ModelVersions } from '../../src/operations/cache/model-versions.js'
import { ErasureWatch } from '../../src/operations/erasure-watch.js'
import { Tombstones } from '../../src/operations/tombstones.js'
import { StoreUnavailableError } from '../../src/ports/document-store.js'
import { gardening, gardens } from '../compose/models/fixture.js'
import { STORES } from '../engine/stores.js'
import { eventually, opened } from '../ports/subject.js'
import { liveModels } from '../spec/cached.js'
import { erased, published, registered, removed } from '../spec/events.js'
import { Script } from '../spec/script.js'
import { World } from '../spec/world.js'
import { READ_MODELS, STATE_LOCATIONS } from '../support/built-in-models.js'

const logger = pino({ level: 'silent' })

for (const subject of STORES) {
  await t.test(`removals are found while a custom model is being loaded, but not while one of ours is, on ${subject.name}`, async (t) => {
    const { store } = await opened(t, subject)
    const { stateLocations } = modelSet([gardening()])
    const tombstones = new Tombstones(store, stateLocations)
    const script = new Script()
    const own = await World.open(t, gardens, { documents: store })
    await own.promote()
    await t.rejects(tombstones.among(['ann']), { name: 'ModelUnavailableError', projection: 'feed' })
    await store.demote('gardens')
    const models = await liveModels(t, store)
    await models.deliver(script.write(registered('ann'), erased('ann'), registered('ben')))
    t.strictSame([...(await tombstones.among(['ann', 'ben']))], ['ann'])
    const later = await World.open(t, gardens, { documents: store })
    await later.deliver(script.write(erased('ben')))
    await later.promote()
    t.strictSame([...(await tombstones.among(['ann', 'ben']))], ['ann', 'ben'], 'it is asked, too, once it is loaded')
    store.snapshot = async () => {
      throw new StoreUnavailableError('away')
    }
    await t.rejects(tombstones.among(['ann']), { name: 'StoreUnavailableError' })
  })

  await t.test(`a removal is heard of after failed readings, without a request, on ${subject.name}`, async (t) => {
    const { store } = await opened(t, subject)
    const script = new Script()
    const models = await liveModels(t, store)
    await models.deliver(script.write(registered('ann'), published('c1', { by: 'ann' })))
    const versions = new ModelVersions(store, READ_MODELS)
    t.teardown(() => versions.close())
    await versions.refresh()
    let heard = 0
    versions.onRemoval(() => {
      heard += 1
    })
    const snapshot = store.snapshot.bind(store)
    let failures = 0
    store.snapshot = async (...args) => {
      if (args[1]?.invalidationLogs !== true || failures === 3) return snapshot(...args)
      failures += 1
      throw new Error('away')
    }
    await models.deliver(script.write(removed('c1')))
    await eventually(async () => heard > 0)
    t.equal(failures, 3)
  })

  await t.test(`a removal that was applied late is heard of together with the next event, on ${subject.name}`, async (t) => {
    const { store } = await opened(t, subject)
    const model = await World.open(t, gardens, { documents: store })
    await model.promote()
    await model.tell(registered('ann'), registered('ben'))
    const versions = new ModelVersions(store, ['gardens'])
    t.teardown(() => versions.close())
    await versions.refresh()
    let heard = 0
    versions.onRemoval(() => {
      heard += 1
    })
    // As after a dead letter: at the position of the last event.
    const from = await model.store.checkpoint()
    await model.store.commit({ from, to: { ...from, floor: from.position }, writes: [] })
    await model.restart()
    await model.tell(registered('cleo'))
    await versions.readRemovals()
    t.ok(heard > 0)
  })
}

await t.test('a call to look is never lost, however close to the end of a look it comes', async (t) => {
  for (let distance = 0; distance < 12; distance++) {
    let looks = 0
    const watch = new ErasureWatch({ among: async () => new Set() }, logger)
    watch.add({
      subjects() {
        looks += 1
        return []
      },
      purge() {},
    })
    watch.look()
    for (let i = 0; i < distance; i++) await null
    watch.look()
    await turn()
    t.equal(looks, 2, `after ${distance} steps`)
    await watch.stop()
  }
})

await t.test('many ids are looked up a few at a time, and others have their turn in between', async (t) => {
  const [subject] = STORES
  if (subject === undefined) return
  const { store } = await opened(t, subject)
  const models = await liveModels(t, store)
  await models.deliver(new Script().write(registered('ann'), published('c1', { by: 'ann' }), removed('c1')))
  let given = 0
  let turns = 0
  const mostAtOnce: number[] = []
  function* ids() {
    for (let i = 0; i < 5000; i++) {
      given += 1
      yield i === 4000 ? 'c1' : `other-${i}`
    }
  }
  const count = () => {
    turns += 1
    mostAtOnce.push(given)
    given = 0
    ticking = setImmediate(count)
  }
  let ticking = setImmediate(count)
  t.teardown(() => clearImmediate(ticking))
  const found = await new Tombstones(
    store,
    STATE_LOCATIONS.filter(({ model }) => READ_MODELS.includes(model)),
  ).among(ids())
  t.strictSame([...found], ['c1'])
  t.ok(turns >= 5)
  t.ok(Math.max(...mostAtOnce, given) <= 1000, 'never all at once')
})
