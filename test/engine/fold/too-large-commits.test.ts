import { setImmediate as turn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { feedProjection } from '../../../projections/feed/index.js'
import { items } from '../../../readmodels/feed/documents.js'
import type { Projection } from '../../../src/engine/definition/projection.js'
import { type Commit, CommitTooLargeError, type GenerationStore } from '../../../src/ports/document-store.js'
import { edited, liked, played, published, registered, removed, unliked } from '../../spec/events.js'
import { World } from '../../spec/world.js'
import { decode } from '../../support/decode.js'

const ids = Array.from({ length: 12 }, (_, i) => `c${i}`)

/** With fan-outs (a title shown on many remixes, the likes of what is removed), and totals that count twice what is folded twice. */
const told = [
  registered('ada'),
  registered('bob'),
  ...ids.map((id) => published(id, { by: id === 'c0' ? 'ada' : 'bob', remixOf: id === 'c0' ? null : 'c0' })),
  ...ids.flatMap((id) => [liked(id, 'ada'), liked(id, 'bob'), played(id)]),
  edited('c0', { title: { en: 'A new name' } }),
  unliked('c1', 'ada'),
  removed('c2'),
  ...ids.map((id) => played(id)),
]

/** A store that takes only so many changes at once, and says so after a while. */
class Narrow {
  largest = 0
  refused = 0

  constructor(public room: number) {}

  around = (store: GenerationStore): GenerationStore => {
    const commit = store.commit.bind(store)
    const narrow = async (given: Commit) => {
      const changes = given.writes.length
      await turn()
      if (changes > this.room) {
        this.refused += 1
        throw new CommitTooLargeError(changes)
      }
      this.largest = Math.max(this.largest, changes)
      await commit(given)
    }
    return Object.assign(store, { commit: narrow })
  }
}

async function opened(t: Test, narrow: Narrow, loading: boolean, projection: Projection = feedProjection): Promise<World> {
  const world = await World.open(t, projection, { loading, between: narrow.around })
  return world
}

/** As the engine does it: on from where the session is, until it is at the end. */
async function fold(world: World, defer: boolean, page = 20): Promise<void> {
  const events = world.script.records.map((record) => ({ record, decoded: decode(record) }))
  while (world.session.position < events.length || world.session.position > world.session.checkpoint.position) {
    const next = events.filter(({ record }) => record.position > world.session.position).slice(0, page)
    await world.session.advance(next, { defer })
    if (next.length < page) await world.session.flush()
  }
}

for (const loading of [true, false]) {
  t.test(`a commit that is too large for the store is split, ${loading ? 'loading' : 'live'}`, async (t) => {
    const narrow = new Narrow(24)
    const world = await opened(t, narrow, loading)
    world.script.write(...told)
    await fold(world, loading, 100)
    t.ok(narrow.refused > 0, 'some was too large')
    const ample = await opened(t, new Narrow(Number.POSITIVE_INFINITY), loading)
    ample.script.write(...told)
    await fold(ample, loading, 100)
    t.strictSame(await world.dump(), await ample.dump(), 'nothing is missing, nothing is there twice')
    t.strictSame(await world.tallies(), await ample.tallies())
  })
}

t.test('when a commit in flight is refused, what was folded during it is taken back', async (t) => {
  const narrow = new Narrow(24)
  const between = narrow.around
  const world = await World.open(t, feedProjection, {
    loading: true,
    between: (store) => Object.assign(between(store), { preferredCommitSize: 26 }),
  })
  world.script.write(...told)
  await fold(world, true, 5)
  t.ok(narrow.refused > 0)
  t.match(await world.doc(items, 'c3'), { likes: 2, plays: 2, original: { title: { en: 'A new name' } } })
  t.match(await world.doc(items, 'c0'), { likes: 2, plays: 2, derivatives: 10 })
})

t.test('once there is room again commits grow again', async (t) => {
  const narrow = new Narrow(24)
  const world = await opened(t, narrow, true)
  world.script.write(...told)
  await fold(world, true)
  narrow.room = Number.POSITIVE_INFINITY
  const { refused } = narrow
  for (let round = 0; narrow.largest <= 28 && round < 100; round++) {
    world.script.write(...ids.map((id) => liked(id, `user-${round}`)))
    await fold(world, true)
  }
  t.ok(narrow.largest > 28)
  t.equal(narrow.refused, refused)
})

t.test('a store that refuses every commit is not retried for ever', async (t) => {
  const world = await opened(t, new Narrow(0), false)
  world.script.write(registered('ada'))
  await t.rejects(fold(world, false), CommitTooLargeError)
})
