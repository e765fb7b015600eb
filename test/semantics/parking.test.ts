import t from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { creators, items } from '../../readmodels/feed/documents.js'
import { deadLetters, parkedAggregates } from '../../src/engine/definition/dead-letter-collections.js'
import type { Projection } from '../../src/engine/definition/projection.js'
import type { Commit } from '../../src/ports/document-store.js'
import { edited, erased, liked, poison, published, registered, removed, type Told } from '../spec/events.js'
import { World } from '../spec/world.js'
import { faultyProjection } from '../support/faulty-projection.js'
import { replacing } from '../support/replacing.js'

const two = [registered('ann'), published('c1', { by: 'ann' }), published('c2', { by: 'ann' })]

interface Tearing {
  teardown(done: () => Promise<void>): void
}

async function opened(t: Tearing, told: readonly Told[], projection: Projection = feedProjection): Promise<World> {
  const world = await World.open(t, projection)
  await world.tell(...told)
  return world
}

t.test('semantics 6: a dead letter holds only itself', async (t) => {
  const world = await opened(t, two)
  await world.tell(poison(edited('c1', { title: { en: 'x' } })), liked('c1', 'bob'), poison(liked('c1', 'cyd')), liked('c2', 'bob'))
  await world.restart()
  await world.tell(liked('c1', 'dan'))
  t.match(await world.tallies(), { parked: 2, applied: 6 })
  t.strictSame(await world.all(parkedAggregates), [{ _id: 'creation/c1', position: 4 }])
  t.strictSame(
    (await world.all(deadLetters)).map(({ position, error }) => [position, error !== null]),
    [
      [4, true],
      [6, true],
    ],
  )
  t.match(await world.doc(items, 'c1'), { likes: 2 })
  await world.tell(removed('c1'))
  t.strictSame(await world.all(deadLetters), [], 'a removal ends them')
})

t.test('semantics 6: dead letters, parked set and checkpoint are one commit', async (t) => {
  const commits: Commit[] = []
  const world = await World.open(t, feedProjection, {
    between: (store) =>
      replacing(store, {
        commit: async (commit) => {
          commits.push(commit)
          await store.commit(commit)
        },
      }),
  })
  await world.tell(...two, poison(liked('c1', 'bob')), liked('c2', 'bob'))
  t.equal(commits.length, 1)
  const [commit] = commits
  const written = commit?.writes.map(({ collection, id }) => `${collection.name}/${id}`) ?? []
  for (const doc of ['parked/creation/c1', 'letters/0000000000000004', 'items/c2']) t.ok(written.includes(doc), doc)
  t.match(commit?.to, { position: 5, tallies: { parked: 1, applied: 4 } })
})

t.test('semantics 6: when the commit fails, nothing is parked', async (t) => {
  let failures = 0
  const world = await World.open(t, feedProjection, {
    between: (store) =>
      replacing(store, {
        commit: async (commit) => {
          if (commit.to.position === 4 && failures++ === 0) throw new Error('disk full')
          await store.commit(commit)
        },
      }),
  })
  await world.tell(...two)
  const records = world.script.write(poison(liked('c1', 'bob')))
  await t.rejects(world.deliver(records), /disk full/)
  t.strictSame(await world.all(parkedAggregates), [])
  t.equal((await world.store.checkpoint()).position, 3)
  await world.restart()
  t.equal(world.session.parkedCount, 0)
  await world.deliver(records)
  t.strictSame(await world.all(parkedAggregates), [{ _id: 'creation/c1', position: 4 }])
})

t.test('semantics 8: a removal deletes all dead letters of the aggregate', async (t) => {
  const cases: Record<string, (world: World) => Promise<unknown>> = {
    'in the same batch': (world) => world.tell(poison(liked('c1', 'bob')), liked('c1', 'bob'), removed('c1'), liked('c2', 'bob')),
    'in a later batch': async (world) => {
      await world.tell(poison(liked('c1', 'bob')), liked('c1', 'bob'))
      await world.tell(removed('c1'), liked('c2', 'bob'))
    },
    'after a restart': async (world) => {
      await world.tell(poison(liked('c1', 'bob')), liked('c1', 'bob'))
      await world.restart()
      await world.tell(removed('c1'), liked('c2', 'bob'))
    },
  }
  for (const [name, happens] of Object.entries(cases))
    await t.test(name, async (t) => {
      const world = await opened(t, two)
      await happens(world)
      t.strictSame(await world.all(parkedAggregates), [])
      t.strictSame(await world.all(deadLetters), [])
      t.equal(world.session.parkedCount, 0)
      t.strictSame(await world.doc(items, 'c1'), { _id: 'c1', seq: 4, removed: true })
      await world.tell(liked('c1', 'cyd'))
      t.strictSame(await world.all(parkedAggregates), [], 'a removed aggregate has none')
    })
})

t.test('semantics 8: the erasure of a parked creator goes through', async (t) => {
  const world = await opened(t, two)
  await world.tell(poison(registered('ann')), registered('ann'), erased('ann'))
  t.strictSame(await world.all(deadLetters), [])
  t.match(await world.doc(creators, 'ann'), { removed: true })
  t.match(await world.doc(items, 'c1'), { removed: true })
})

t.test('semantics 6: a removal that throws keeps the aggregate parked with all its dead letters', async (t) => {
  const { projection: stubborn } = faultyProjection(feedProjection, 'apply', ({ name }) => name === 'creation.removed')
  const world = await opened(t, two, stubborn)
  await world.tell(poison(liked('c1', 'bob')), liked('c1', 'bob'))
  await world.tell(removed('c1'))
  t.strictSame(await world.all(parkedAggregates), [{ _id: 'creation/c1', position: 4 }])
  t.strictSame(
    (await world.all(deadLetters)).map(({ position }) => position),
    [4, 6],
  )
  t.match(await world.doc(items, 'c1'), { removed: false, likes: 1 })
})
