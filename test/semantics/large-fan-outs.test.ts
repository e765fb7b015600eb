import t, { type Test } from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { profilesProjection } from '../../projections/profiles/index.js'
import { items, likes } from '../../readmodels/feed/documents.js'
import { EVERYTHING } from '../../readmodels/feed/facets.js'
import { follows, profiles } from '../../readmodels/profiles/documents.js'
import { replayParked } from '../../src/engine/dead-letters/replay-parked.js'
import { declared, first, latest, person as owner, state } from '../../src/engine/declared/index.js'
import { deadLetters, parkedAggregates } from '../../src/engine/definition/dead-letter-collections.js'
import type { Projection } from '../../src/engine/definition/projection.js'
import type { Checkpoint, GenerationStore } from '../../src/ports/document-store.js'
import { erased, followed, handleChanged, liked, published, registered, type Told } from '../spec/events.js'
import { World } from '../spec/world.js'
import { faultyProjection } from '../support/faulty-projection.js'
import { MemoryEventLog } from '../support/memory-log.js'
import { replacing } from '../support/replacing.js'

/** A little more than one step: the engine commits after 2,000 documents. */
const MANY = 2100
/** A little more than two steps, where documents are small. */
const MORE = 4100
const id = (i: number): string => `c${String(i).padStart(5, '0')}`

const FAN_OUTS: Record<
  string,
  { projection: Projection; size: number; before: Told[]; event: Told; check: (world: World, isDone: boolean) => Promise<number> }
> = {
  'a new handle on thousands of creations': {
    size: MANY,
    projection: feedProjection,
    before: [registered('ann'), ...Array.from({ length: MANY }, (_, i) => published(id(i), { by: 'ann' }))],
    event: handleChanged('ann', 'annie'),
    check: async (world, isDone) => count(await world.all(items), (item) => !item.removed && (item.creator?.handle === 'annie') === isDone),
  },
  'the erasure of a creator of thousands': {
    size: MANY,
    projection: feedProjection,
    before: [registered('ann'), ...Array.from({ length: MANY }, (_, i) => published(id(i), { by: 'ann' }))],
    event: erased('ann'),
    check: async (world, isDone) => count(await world.all(items), (item) => item.removed === isDone),
  },
  'the erasure of a person who likes thousands': {
    size: MANY,
    projection: feedProjection,
    before: [
      registered('ann'),
      ...Array.from({ length: MANY }, (_, i) => published(id(i), { by: 'ann' })).flatMap((told, i) => [told, liked(id(i), 'bob')]),
    ],
    event: erased('bob'),
    check: async (world, isDone) => count(await world.all(items), (item) => !item.removed && (item.likes === 0) === isDone),
  },
  'the erasure of a creator whose creation thousands like': {
    size: MORE,
    projection: feedProjection,
    before: [registered('ann'), published('c1', { by: 'ann' }), ...Array.from({ length: MORE }, (_, i) => liked('c1', id(i)))],
    event: erased('ann'),
    check: async (world, isDone) => (isDone ? MORE - (await world.all(likes)).length : (await world.all(likes)).length),
  },
  'the erasure of a creator with thousands of followers': {
    size: MORE,
    projection: profilesProjection,
    before: [registered('ann'), ...Array.from({ length: MORE }, (_, i) => followed('ann', id(i)))],
    event: erased('ann'),
    check: async (world, isDone) => {
      // Followers who are only known from their follow go with it.
      const left = [...(await world.all(follows)), ...(await world.all(profiles)).filter(({ _id }) => /^c\d/.test(_id))]
      return isDone ? MORE - left.length : (await world.all(follows)).length
    },
  },
}

function count<D>(docs: readonly D[], isMeant: (doc: D) => boolean): number {
  return docs.filter(isMeant).length
}

class Killed extends Error {
  override message = 'killed'
}

/** A store under a process that dies at its n-th commit, before the store or after it. */
function crashing(store: GenerationStore, plan: { at: number; when: 'before' | 'after' } | null, seen: Checkpoint[]): GenerationStore {
  let commits = 0
  return replacing(store, {
    async commit(commit) {
      commits += 1
      if (commits === plan?.at && plan.when === 'before') throw new Killed()
      await store.commit(commit)
      seen.push(commit.to)
      if (commits === plan?.at) throw new Killed()
    },
  })
}

// Tens of thousands of documents in all: slow on a busy machine, for no reason that matters here.
t.test('semantics 15: large fan-outs commit in steps, and after a crash between them the next leader resumes there', async (t) => {
  for (const [name, { projection, size, before, event, check }] of Object.entries(FAN_OUTS))
    await t.test(name, async (t) => {
      let undisturbed: string | undefined
      for (const killed of [null, { at: 2, when: 'after' }, { at: 3, when: 'before' }] as const)
        await t.test(killed === null ? 'undisturbed' : `killed ${killed.when} commit ${killed.at}`, async (t) => {
          const seen: Checkpoint[] = []
          const world = await World.open(t, projection, {
            inMemory: true,
            loading: true,
            between: (store) => crashing(store, killed, seen),
          })
          await world.tell(...before)
          t.equal(await check(world, false), size)
          // Other events in the same batch, so that a step commits more than the fan-out.
          const batch = world.script.write(registered('zoe'), event, registered('yan'))
          if (killed === null) await world.deliver(batch)
          else {
            await t.rejects(world.deliver(batch), new Killed())
            await world.restart()
            const { position } = world.session.checkpoint
            await world.deliver(batch.filter((record) => record.position > position))
          }
          t.equal(await check(world, true), size)
          const steps = seen.filter(({ slice }) => slice !== null)
          t.equal(steps.length, Math.floor(size / 2000), 'a commit for every full step')
          for (const { position } of steps) t.equal(position, batch[0]?.position, 'the event itself is not done yet')
          t.match(world.session.checkpoint, { position: batch[2]?.position, slice: null })
          t.match(await world.tallies(), { applied: before.length + 3 })
          t.notOk((await world.tallies()).duplicate)
          const dump = JSON.stringify(await world.dump())
          undisturbed ??= dump
          t.ok(dump === undisturbed, 'the same documents as without a crash')
        })
    })
})

/** The documents that a fan-out visits, and how often. It stops at those in `trips`. */
class Visits {
  readonly trips = new Set<string>()
  readonly #times = new Map<string, number>()

  on(projection: Projection): Projection {
    return faultyProjection(projection, 'each', (_event, { _id } = { _id: '' }) => {
      this.#times.set(_id, this.times(_id) + 1)
      return this.trips.has(_id)
    }).projection
  }

  times(id: string): number {
    return this.#times.get(id) ?? 0
  }
}

const many = [registered('ann'), ...Array.from({ length: MANY }, (_, i) => published(id(i), { by: 'ann' }))]

t.test('semantics 15: no fan-out visits a document twice, in whichever of its parts a crash happens', async (t) => {
  const person = state('creator', { handle: latest('') }, { name: 'authors' })
  const work = state('creation', { byId: first(owner), alsoById: first(owner) }, { name: 'works' })
    .join('by', person.of('byId', ['handle']))
    .join('alsoBy', person.of('alsoById', ['handle']))
  const works = declared({
    ...{ name: 'works', version: 1, keeps: [work, person] },
    on: {
      'creation.published': ({ data: { creatorId } }) => work({ byId: creatorId, alsoById: creatorId }),
      'creator.handle_changed': ({ data: { handle } }) => person({ handle }),
    },
  })
  for (const at of [2, 3]) {
    const seen: Checkpoint[] = []
    const visits = new Visits()
    const world = await World.open(t, visits.on(works), {
      inMemory: true,
      loading: true,
      between: (store) => crashing(store, { at, when: 'after' }, seen),
    })
    await world.tell(...many)
    const batch = world.script.write(handleChanged('ann', 'annie'))
    await t.rejects(world.deliver(batch), new Killed())
    t.equal(seen.at(-1)?.slice?.step, at - 2, `killed in part ${at - 2}`)
    await world.restart()
    await world.deliver(batch)
    const all = await world.all(work.documents)
    t.equal(
      count(all, (doc) => !doc.removed && doc.by.handle === 'annie' && doc.alsoBy.handle === 'annie'),
      MANY,
    )
    t.ok(
      all.every(({ _id }) => visits.times(_id) === 2),
      'once in each part',
    )
  }
})

t.test('semantics 15: a fan-out that fails after its first step resumes there once it is fixed', async (t) => {
  /** Of `ann`, with thousands of creations. The event stops at the hundredth from the end. */
  const stopped = async (t: Test, event: Told) => {
    const visits = new Visits()
    const world = await World.open(t, visits.on(feedProjection), { inMemory: true })
    await world.tell(...many)
    visits.trips.add(id(2050))
    await world.tell(event)
    t.match(await world.all(deadLetters), [{ aggregate: 'creator/ann', slice: { afterId: id(1999) } }])
    const replay = () => {
      const log = new MemoryEventLog(world.script.records)
      const { projection, documents: store, store: generation } = world
      return replayParked({ projection, store, log, generation }, 1, ['creator/ann'])
    }
    const renamed = async () => count(await world.all(items), (item) => !item.removed && item.creator?.handle === 'annie')
    const isSettled = async () => (await world.all(parkedAggregates)).length + (await world.all(deadLetters)).length === 0
    const isErased = async () => (await world.all(items)).every(({ removed }) => removed)
    return { world, visits, replay, renamed, isSettled, isErased }
  }

  await t.test('what is committed is not visited again', async (t) => {
    const { visits, replay, renamed, isSettled } = await stopped(t, handleChanged('ann', 'annie'))
    t.equal(await renamed(), 2000, 'the first step stays committed')
    t.match(await replay(), { events: 1, parked: 1 })
    t.equal(await renamed(), 2000, 'also when it fails again')
    visits.trips.clear()
    t.match(await replay(), { events: 1, parked: 0 })
    t.equal(await renamed(), MANY)
    t.ok(Array.from({ length: 2000 }, (_, i) => visits.times(id(i))).every((times) => times === 1))
    t.ok(await isSettled())
  })

  await t.test('a removal does not wait for it', async (t) => {
    const { world, visits, isErased, isSettled } = await stopped(t, handleChanged('ann', 'annie'))
    visits.trips.clear()
    await world.tell(erased('ann'))
    t.ok(await isErased())
    t.ok(await isSettled())
  })

  await t.test('unless it is a removal itself, which a second removal must not count as done', async (t) => {
    const { world, visits, replay, isErased, isSettled } = await stopped(t, erased('ann'))
    visits.trips.clear()
    await world.tell(erased('ann'))
    t.notOk(await isSettled())
    t.match(await replay(), { events: 1, parked: 0 })
    t.ok(await isErased())
    t.ok(await isSettled())
  })
})

t.test('semantics 15: readers see no erased creator, however large the fan-out', async (t) => {
  const world = await World.open(t, feedProjection, { inMemory: true })
  await world.tell(registered('ann', { handle: 'gone-soon' }), ...Array.from({ length: 2500 }, (_, i) => published(id(i), { by: 'ann' })))
  await world.tell(erased('ann'))
  t.strictSame(await world.ids(items, { index: 'recent', equals: [EVERYTHING] }), [])
  t.notMatch(JSON.stringify(await world.dump()), 'gone-soon')
})
