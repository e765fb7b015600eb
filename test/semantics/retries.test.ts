import t, { type Test } from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { tagsProjection } from '../../projections/tags/index.js'
import { items } from '../../readmodels/feed/documents.js'
import { parkedAggregates } from '../../src/engine/definition/dead-letter-collections.js'
import { Projector } from '../../src/engine/leader/projector.js'
import { type Order, type Request, RequestStore } from '../../src/engine/requests/request-store.js'
import type { DocumentStore, GenerationStore } from '../../src/ports/document-store.js'
import { eventually } from '../ports/subject.js'
import { liked, published, registered } from '../spec/events.js'
import { ToldLog } from '../spec/log.js'
import { memoryStore } from '../support/memory-store.js'
import { replacing } from '../support/replacing.js'

const told = [registered('ann'), published('c1', { by: 'ann', tags: ['x'] }), liked('c1', 'bob')]

/** What fails, and whether it does this time. */
type Failing = (what: keyof GenerationStore, projection: string, generation: number) => boolean

/** A store whose disk or network gives up now and then. */
function flaky(store: DocumentStore, fails: Failing): DocumentStore {
  const openGeneration: DocumentStore['openGeneration'] = async (generation, collections) => {
    const opened = await store.openGeneration(generation, collections)
    const unless = async <T>(what: keyof GenerationStore, work: () => Promise<T>): Promise<T> => {
      if (fails(what, generation.projection, generation.number)) throw new Error(`${what}: connection lost`)
      return work()
    }
    return replacing(opened, {
      get: (collection, ids) => unless('get', () => opened.get(collection, ids)),
      ids: (collection, query) => unless('ids', () => opened.ids(collection, query)),
      commit: (commit) => unless('commit', () => opened.commit(commit)),
    })
  }
  return replacing(store, { openGeneration })
}

const silent = { info() {}, warn() {}, error() {} }

function started(t: Test, projector: Projector): Projector {
  // The projector's own timers keep no process alive.
  const alive = setInterval(() => {}, 60_000)
  t.teardown(async () => {
    clearInterval(alive)
    await projector.stop()
  })
  projector.start()
  return projector
}

async function itemIn(store: DocumentStore, id: string) {
  const live = (await store.generations('feed')).some(({ state }) => state === 'live')
  if (!live) return undefined
  const snapshot = await store.snapshot(['feed'])
  try {
    const model = snapshot.model('feed')
    const [item] = await model.get(items, [id])
    return { item, parked: await model.range(parkedAggregates, { index: '_id', equals: [], limit: 1 }), ...model.checkpoint }
  } finally {
    snapshot.release()
  }
}

t.test('semantics 5: a store error is retried until it is over, and parks nothing', async (t) => {
  for (const what of ['get', 'commit'] as const)
    await t.test(what, async (t) => {
      // A load that begins with nothing asks for nothing.
      let left = what === 'commit' ? 2 : 0
      const store = memoryStore()
      const failing = flaky(store, (method, projection) => method === what && projection === 'feed' && left-- > 0)
      const log = new ToldLog(...told)
      const projector = started(t, new Projector([feedProjection], log, failing, silent))
      const [runner] = projector.runners
      const retried = async () => {
        await eventually(async () => runner?.health.state === 'retrying')
        t.match(runner?.health, { reason: 'other', lastError: 'Error' }, 'without the message, which may quote a document')
      }
      if (left > 0) await retried()
      const found = await eventually(() => itemIn(store, 'c1'))
      t.ok(left <= 0, 'it did fail')
      t.match(found, { item: { likes: 1 }, parked: [], position: 3, tallies: { applied: 3 } })
      await eventually(async () => runner?.health.state === 'live' && runner.health.lastError === null)

      left = 2
      await log.tell(liked('c1', 'cyd'))
      await retried()
      const later = await eventually(async () => {
        const now = await itemIn(store, 'c1')
        return now?.position === 4 && now
      })
      t.ok(left <= 0, 'it did fail')
      t.match(later, { item: { likes: 2 }, parked: [], tallies: { applied: 4 } })
      await eventually(async () => runner?.health.state === 'live' && runner.health.lastError === null)
    })
})

t.test('semantics 5: a store that cannot even say who leads is asked again, with pauses', async (t) => {
  const store = memoryStore()
  const acquire = store.acquireLease.bind(store)
  const backAt = Date.now() + 500
  let refused = 0
  store.acquireLease = async (...lease) => {
    if (Date.now() >= backAt) return acquire(...lease)
    refused += 1
    throw new Error('lease: connection lost')
  }
  const projector = started(t, new Projector([feedProjection], new ToldLog(...told), store, silent))
  const found = await eventually(() => itemIn(store, 'c1'))
  t.match(found, { item: { likes: 1 }, parked: [], position: 3 })
  await eventually(async () => projector.runners[0]?.health.lastError === null)
  t.ok(refused > 0 && refused < 20, `refused ${refused} times in half a second`)
})

t.test('a rebuild goes on while the live generation cannot be written, and mends it; so does an abort', async (t) => {
  const store = memoryStore()
  const broken = new Set<number>()
  const failing = flaky(store, (method, _projection, generation) => method === 'commit' && broken.has(generation))
  const log = new ToldLog(...told)
  const projector = started(t, new Projector([feedProjection], log, failing, silent))
  await eventually(async () => projector.runners[0]?.health.state === 'live')
  broken.add(1)
  await log.tell(liked('c1', 'cyd'))
  await eventually(async () => projector.runners[0]?.health.state === 'retrying')
  const requests = new RequestStore(store)
  const submit = (order: Order) => requests.submit('feed', feedProjection.version, order)
  const outcome = ({ id }: Request) =>
    eventually(async () => {
      const found = await requests.find(id)
      return found !== null && found.state !== 'open' && found.state
    })
  const slow = await submit({ kind: 'rebuild', maxRate: 1 })
  await eventually(async () => (await requests.find(slow.id))?.phase === 'loading')
  t.strictSame([await outcome(await submit({ kind: 'abort' })), await outcome(slow)], ['done', 'failed'])
  t.equal(await outcome(await submit({ kind: 'rebuild', maxRate: null })), 'done')
  t.match(await itemIn(store, 'c1'), { item: { likes: 2 }, position: 4 })
  await eventually(async () => projector.runners[0]?.health.state === 'live')
})

t.test('semantics 5: a projection whose store is gone for good stops nothing else', async (t) => {
  const store = memoryStore()
  const failing = flaky(store, (_method, projection) => projection === 'tags')
  const log = new ToldLog(...told)
  const projector = started(t, new Projector([tagsProjection, feedProjection], log, failing, silent))
  t.match(await eventually(() => itemIn(store, 'c1')), { item: { likes: 1 } })
  await log.tell(liked('c1', 'cyd'))
  await eventually(async () => (await itemIn(store, 'c1'))?.position === 4)
  t.strictSame(
    projector.runners.map((runner) => runner.health.state),
    ['retrying', 'live'],
  )
})
