import t from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { tagsProjection } from '../../projections/tags/index.js'
import { items } from '../../readmodels/feed/documents.js'
import { declared, latest, state, sum } from '../../src/engine/declared/index.js'
import { deadLetters, parkedAggregates } from '../../src/engine/definition/dead-letter-collections.js'
import type { Projection } from '../../src/engine/definition/projection.js'
import type { AnyEvent } from '../../src/events/index.js'
import { but, handleChanged, liked, played, poison, published, registered, type Told, unreadable } from '../spec/events.js'
import { World } from '../spec/world.js'
import { decode } from '../support/decode.js'
import { type Fault, faultyProjection } from '../support/faulty-projection.js'

const two = [registered('ann'), published('c1', { by: 'ann' }), published('c2', { by: 'ann' }), published('c3', { by: 'ann' })]

async function opened(t: { teardown(done: () => Promise<void>): void }, projection: Projection, ...told: Told[]): Promise<World> {
  const world = await World.open(t, projection)
  await world.tell(...told)
  return world
}

const isPlay = ({ name }: AnyEvent) => name === 'creation.played'
const isRenaming = ({ name }: AnyEvent) => name === 'creator.handle_changed'

for (const fault of ['touches', 'also', 'apply', 'unnamed'] as const)
  t.test(`semantics 5: a fold that throws in "${fault}" parks, and leaves none of the changes of its event`, async (t) => {
    const world = await opened(t, faultyProjection(feedProjection, fault, isPlay).projection, ...two)
    await world.tell(liked('c2', 'bob'), played('c1'), liked('c1', 'bob'), liked('c2', 'cyd'))
    t.match(await world.tallies(), { parked: 1, applied: 7 })
    const { items, creators } = await world.dump()
    t.match(items?.c1, { seq: 3, gaps: [[2, 2]], plays: 0, likes: 1 }, 'its sequence is missing')
    t.match(creators?.ann, { plays: 0, likes: 3 }, 'nor has it counted elsewhere')
    t.match(items?.c2, { likes: 2 }, 'the rest of the batch is there')
  })

const IN_FAN_OUTS: Record<string, [Fault, (id?: string) => boolean]> = {
  'each throws at the second': ['each', (id) => id === 'c2'],
  'each writes at the second what does not fit the schema': ['unfit each', (id) => id === 'c2'],
  'also throws': ['also each', () => true],
  'where throws': ['where', () => true],
  'where of a later sweep throws': ['where', (id) => id === 'c1'],
}

t.test('semantics 5: a throw in a fan-out leaves none of the changes of its event either', async (t) => {
  for (const [name, [fault, isAt]] of Object.entries(IN_FAN_OUTS))
    await t.test(name, async (t) => {
      const faulty = faultyProjection(feedProjection, fault, (event, member) => isRenaming(event) && isAt(member?._id))
      const world = await opened(t, faulty.projection, ...two)
      const before = await world.dump()
      await world.tell(handleChanged('ann', 'annie'))
      t.match(await world.tallies(), { parked: 1 })
      const { parked: aggregates, letters: kept, ...after } = await world.dump()
      const { parked: _none, letters: _neither, ...untouched } = before
      t.strictSame(after, untouched)
      t.match(aggregates, { 'creator/ann': { position: 5 } })
      t.equal(Object.keys(kept ?? {}).length, 1)
    })
})

const work = state('creation', { likes: sum(), plays: latest(0), text: latest('') }, { name: 'works' })

/** Whatever a test says of a play. */
const saying = (play: () => { plays?: number; text?: string }): Projection =>
  declared({
    ...{ name: 'works', version: 1, keeps: [work] },
    on: { 'creation.published': () => work({}), 'creation.liked': () => work({ likes: 1 }), 'creation.played': () => work(play()) },
  })

const UNFIT = {
  'the schema': { said: { plays: Number.NaN }, because: /works\/c1: plays/ },
  'well-formed strings': { said: { text: 'half a pair \ud83d' }, because: /works\/c1/ },
  'the size': { said: { text: 'x'.repeat(2_000_000) }, because: /works\/c1 has grown too large/ },
}

t.test('semantics 5: a document that fails its checks parks only its event', async (t) => {
  for (const [name, { said, because }] of Object.entries(UNFIT))
    await t.test(name, async (t) => {
      const world = await opened(
        t,
        saying(() => said),
        ...two,
      )
      await world.tell(liked('c1', 'bob'), liked('c2', 'bob'), played('c1'), liked('c1', 'cyd'), liked('c3', 'bob'))
      t.match(await world.tallies(), { parked: 1, applied: 7 })
      t.match(await world.doc(work.documents, 'c1'), { likes: 2, plays: 0, text: '', seq: 4, gaps: [[3, 3]] }, 'as without the event')
      t.match(await world.doc(work.documents, 'c2'), { likes: 1 })
      t.match(await world.doc(work.documents, 'c3'), { likes: 1 })
      const [letter] = await world.all(deadLetters)
      t.match(letter?.error?.message, because)
      await world.tell(liked('c2', 'cyd'))
      t.match(await world.doc(work.documents, 'c2'), { likes: 2 }, 'and life goes on')
    })
})

t.test('semantics 5: of deferred events, too, only the one that spoils its documents is parked', async (t) => {
  const world = await World.open(t, faultyProjection(feedProjection, 'unfit', isPlay).projection, { loading: true })
  const records = world.script.write(...two, liked('c1', 'bob'), played('c1'), liked('c1', 'cyd'), liked('c2', 'bob'))
  const events = records.map((record) => ({ record, decoded: decode(record) }))
  // As the runner does it: events that were taken back are read again.
  let reached: number
  do {
    for (const event of events) await world.session.advance([event], { defer: true })
    reached = world.session.position
    await world.session.flush()
  } while (world.session.position !== reached)
  t.match(world.session.checkpoint, { position: 8, tallies: { applied: 7, parked: 1 } })
  t.match(await world.doc(items, 'c1'), { likes: 2, plays: 0, seq: 4, gaps: [[3, 3]] })
  t.match(await world.doc(items, 'c2'), { likes: 1 })
})

t.test('semantics 5: a poison event in one projection does not stop another', async (t) => {
  const isPublication = ({ name }: AnyEvent) => name === 'creation.published'
  const world = await opened(t, faultyProjection(tagsProjection, 'apply', isPublication).projection, ...two)
  const other = await World.open(t, feedProjection, { script: world.script })
  await other.deliver(world.script.records)
  t.match(await world.tallies(), { parked: 3, applied: 1 })
  t.match(await other.tallies(), { applied: 4 })
})

t.test(
  'semantics 5: two events that spoil their documents in one batch are both parked, one of them in the middle of a large fan-out',
  async (t) => {
    const many = Array.from({ length: 2100 }, (_, i) => published(`m${i}`, { by: 'ann' }))
    const { projection } = faultyProjection(faultyProjection(feedProjection, 'unfit', isPlay).projection, 'unfit each', isRenaming)
    const world = await World.open(t, projection, { inMemory: true })
    await world.tell(registered('ann'), ...many)
    await world.tell(handleChanged('ann', 'annie'), liked('m1', 'bob'), played('m2'), liked('m3', 'bob'))
    t.strictSame(
      (await world.all(parkedAggregates)).map(({ _id }) => _id),
      ['creation/m2', 'creator/ann'],
    )
    t.match(await world.doc(items, 'm3'), { likes: 1, plays: 0 })
  },
)

t.test('semantics 5: an event whose id is half a character is parked like any other', async (t) => {
  const world = await opened(t, feedProjection, ...two)
  await world.tell(but(unreadable('creation/c1'), { id: 'e\ud800' }), liked('c2', 'bob'))
  t.match(await world.tallies(), { parked: 1, applied: 5 })
  const [letter] = await world.all(deadLetters)
  t.equal(letter?.eventId, 'e\ufffd')
  await world.tell(but(liked('c3', 'bob'), { id: 'f\ud800' }))
  t.match((await world.all(deadLetters))[1]?.error, { message: /envelope: id/ }, 'also when all else of it is right')
})

t.test('semantics 5: an error message of any size fits into its dead letter', async (t) => {
  const loud = saying(() => {
    throw new Error('long story '.repeat(500_000))
  })
  const world = await opened(t, loud, ...two, played('c1'), liked('c2', 'bob'))
  t.match(await world.doc(work.documents, 'c2'), { likes: 1 })
  const many = { ...liked('c2', 'bob'), data: { creationId: 'c2', userId: 'bob', [`${'k'.repeat(100)}`]: 1 } }
  const tagless = published('c9', { by: 'ann' })
  const flood: Told = { ...tagless, data: { ...Object(tagless.data), tags: Array.from({ length: 200_000 }, () => 7) } }
  const key: Told = {
    ...tagless,
    subject: 'creation/c8',
    data: { ...Object(tagless.data), creationId: 'c8', title: { ['k'.repeat(2_000_000)]: 'x' } },
  }
  await world.tell(many, flood, key)
  t.match(await world.tallies(), { parked: 3, applied: 5 })
  for (const { error } of await world.all(deadLetters)) t.ok(JSON.stringify(error).length < 10_000)
})

t.test('semantics 6: dead letters say what and where, and hold no payload', async (t) => {
  const world = await opened(t, feedProjection, ...two)
  await world.tell(unreadable('creation/c1', '"secret"'), poison(liked('c2', 'secret')), liked('c1', 'bob'))
  t.strictSame(await world.all(parkedAggregates), [
    { _id: 'creation/c1', position: 5 },
    { _id: 'creation/c2', position: 6 },
  ])
  t.strictSame(
    (await world.all(deadLetters)).map(({ aggregate, position, error }) => [aggregate, position, error?.message ?? null]),
    [
      ['creation/c1', 5, 'envelope: (root): expected object, received string'],
      ['creation/c2', 6, 'version 999 is unknown'],
    ],
  )
  t.notMatch(JSON.stringify(await world.dump()), 'secret')
})
