import t from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { tagsProjection } from '../../projections/tags/index.js'
import { counters, type Item, type ItemDoc, items } from '../../readmodels/feed/documents.js'
import { deadLetters, parkedAggregates } from '../../src/engine/definition/dead-letter-collections.js'
import { type Docs, type Fold, type Projection, ref } from '../../src/engine/definition/projection.js'
import type { EventName } from '../../src/events/index.js'
import { but, liked, played, poison, profileChanged, published, registered, type Told, unreadable } from '../spec/events.js'
import { World } from '../spec/world.js'
import { decode } from '../support/decode.js'
import { sweep } from '../support/sweep.js'

const two = [registered('ann'), published('c1', { by: 'ann' }), published('c2', { by: 'ann' }), published('c3', { by: 'ann' })]

/** The feed, but one type of event means something else. */
function feedWith<N extends EventName>(name: N, fold: Fold<N>): Projection {
  return { ...feedProjection, on: { ...feedProjection.on, [name]: fold } }
}

async function opened(t: { teardown(done: () => Promise<void>): void }, projection: Projection, ...told: Told[]): Promise<World> {
  const world = await World.open(t, projection)
  await world.tell(...told)
  return world
}

const boom = (): never => {
  throw new Error('boom')
}

/** Writes to its own creation, a foreign one and a counter. */
function scribble(docs: Docs, id: string): void {
  for (const target of [id, 'c3']) docs.put(items, changed(docs.get(items, target), { plays: 1000 }))
  docs.put(counters, { _id: '||', count: 77 })
}

function changed(doc: ItemDoc | undefined, change: Partial<Item>): Item {
  if (doc === undefined || doc.removed) throw new Error('the creation is not there')
  return { ...doc, ...change }
}

const c3 = () => [ref(items, 'c3'), ref(counters, '||')]
const ofCreator = ({ key }: { key: string }) => ({ index: 'people', equals: [key] })

const THROWING: Record<string, Projection> = {
  'touches throws': feedWith('creation.played', { touches: boom, apply() {} }),
  'also throws': feedWith('creation.played', { also: boom, apply() {} }),
  'apply throws, having written': feedWith('creation.played', {
    touches: c3,
    apply({ key }, docs) {
      scribble(docs, key)
      boom()
    },
  }),
  'apply reads what it did not name': feedWith('creation.played', { apply: (_event, docs) => void docs.get(items, 'c9') }),
}

t.test('semantics 5: a throwing fold parks, and leaves none of the changes of its event', async (t) => {
  for (const [name, projection] of Object.entries(THROWING))
    await t.test(name, async (t) => {
      const world = await opened(t, projection, ...two)
      const before = await world.dump()
      await world.tell(liked('c2', 'bob'), played('c1'), liked('c1', 'bob'), liked('c2', 'cyd'))
      t.match(await world.tallies(), { parked: 1, applied: 7 })
      const after = await world.dump()
      t.match(after.items?.c1, { seq: 3, gaps: [[2, 2]], plays: 0, likes: 1 }, 'its sequence is missing')
      t.strictSame(after.items?.c3, before.items?.c3)
      t.strictSame(after.counters, before.counters)
      t.match(after.items?.c2, { likes: 2 }, 'the rest of the batch is there')
    })
})

const SWEEPING: Record<string, Fold<'creator.profile_changed'>['fanOut']> = {
  'each throws at the second': [
    sweep(items, {
      where: ofCreator,
      each: (_event, item, docs) => void (item._id === 'c2' ? boom() : docs.put(items, changed(item, { plays: 1000 }))),
    }),
  ],
  'also throws': [sweep(items, { where: ofCreator, also: boom, each() {} })],
  'where throws': [sweep(items, { where: boom, each() {} })],
  'where of the second sweep throws': [
    sweep(items, { where: ofCreator, each: (_event, item, docs) => docs.put(items, changed(item, { plays: 1000 })) }),
    sweep(items, { where: boom, each() {} }),
  ],
  'each writes what does not fit the schema': [
    sweep(items, {
      where: ofCreator,
      // A mistake no compiler can see, as when a number comes out as NaN.
      each: (_event, item, docs) => docs.put(items, changed(item, { plays: item._id === 'c2' ? Number.NaN : 5 })),
    }),
  ],
}

t.test('semantics 5: a throw in a fan-out leaves none of the changes of its event either', async (t) => {
  for (const [name, fanOut] of Object.entries(SWEEPING))
    await t.test(name, async (t) => {
      const rewrite: Fold<'creator.profile_changed'> = {
        touches: () => [ref(counters, '||')],
        apply: (_event, docs) => docs.put(counters, { _id: '||', count: 77 }),
        ...(fanOut === undefined ? {} : { fanOut }),
      }
      const world = await opened(t, feedWith('creator.profile_changed', rewrite), ...two)
      const before = await world.dump()
      await world.tell(profileChanged('ann', { displayName: 'New' }))
      t.match(await world.tallies(), { parked: 1 })
      const { parked: aggregates, letters: kept, ...after } = await world.dump()
      const { parked: _none, letters: _neither, ...untouched } = before
      t.strictSame(after, untouched)
      t.match(aggregates, { 'creator/ann': { position: 5 } })
      t.equal(Object.keys(kept ?? {}).length, 1)
    })
})

const UNFIT: Record<string, { change: Partial<Item>; because: RegExp }> = {
  'the schema': { change: { plays: Number.NaN }, because: /items\/c1: plays/ },
  'well-formed strings': { change: { slug: 'half a pair \ud83d' }, because: /items\/c1/ },
  'the size': { change: { title: { en: 'x'.repeat(2_000_000) } }, because: /items\/c1 has grown too large/ },
}

t.test('semantics 5: a document that fails its checks parks only its event', async (t) => {
  for (const [name, { change, because }] of Object.entries(UNFIT))
    await t.test(name, async (t) => {
      const projection = feedWith('creation.played', {
        apply: ({ key }, docs) => docs.put(items, changed(docs.get(items, key), change)),
      })
      const world = await opened(t, projection, ...two)
      await world.tell(liked('c1', 'bob'), liked('c2', 'bob'), played('c1'), liked('c1', 'cyd'), liked('c3', 'bob'))
      t.match(await world.tallies(), { parked: 1, applied: 8 })
      t.match(await world.doc(items, 'c1'), { likes: 2, plays: 0, seq: 4, gaps: [[3, 3]] }, 'as without the event')
      t.match(await world.doc(items, 'c2'), { likes: 1 })
      t.match(await world.doc(items, 'c3'), { likes: 1 })
      const [letter] = await world.all(deadLetters)
      t.match(letter?.error?.message, because)
      await world.tell(liked('c2', 'cyd'))
      t.match(await world.doc(items, 'c2'), { likes: 2 }, 'and life goes on')
    })
})

t.test('semantics 5: of deferred events, too, only the one that spoils its documents is parked', async (t) => {
  const projection = feedWith('creation.played', {
    apply: ({ key }, docs) => docs.put(items, changed(docs.get(items, key), { plays: Number.NaN })),
  })
  const world = await World.open(t, projection, { loading: true })
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
  const world = await opened(t, { ...tagsProjection, on: { ...tagsProjection.on, 'creation.published': { apply: boom } } }, ...two)
  const other = await World.open(t, feedProjection, { script: world.script })
  await other.deliver(world.script.records)
  t.match(await world.tallies(), { parked: 3, applied: 1 })
  t.match(await other.tallies(), { applied: 4 })
})

t.test(
  'semantics 5: two events that spoil their documents in one batch are both parked, one of them in the middle of a large fan-out',
  async (t) => {
    const many = Array.from({ length: 2100 }, (_, i) => published(`m${i}`, { by: 'ann' }))
    const spoil = (_event: unknown, item: ItemDoc, docs: Docs) => docs.put(items, changed(item, { plays: Number.NaN }))
    const projection: Projection = {
      ...feedProjection,
      on: {
        ...feedProjection.on,
        'creator.profile_changed': { apply() {}, fanOut: [sweep(items, { where: ofCreator, each: spoil })] },
        'creation.played': { apply: ({ key }, docs) => docs.put(items, changed(docs.get(items, key), { plays: Number.NaN })) },
      },
    }
    const world = await World.open(t, projection, { inMemory: true })
    await world.tell(registered('ann'), ...many)
    await world.tell(profileChanged('ann', { bio: 'x' }), liked('m1', 'bob'), played('m2'), liked('m3', 'bob'))
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
  const loud = feedWith('creation.played', {
    apply() {
      throw new Error('long story '.repeat(500_000))
    },
  })
  const world = await opened(t, loud, ...two, played('c1'), liked('c2', 'bob'))
  t.match(await world.doc(items, 'c2'), { likes: 1 })
  const many = { ...liked('c2', 'bob'), data: { creationId: 'c2', userId: 'bob', [`${'k'.repeat(100)}`]: 1 } }
  const tagless = published('c9', { by: 'ann' })
  const flood: Told = { ...tagless, data: { ...Object(tagless.data), tags: Array.from({ length: 200_000 }, () => 7) } }
  const key: Told = {
    ...tagless,
    subject: 'creation/c8',
    data: { ...Object(tagless.data), creationId: 'c8', title: { ['k'.repeat(2_000_000)]: 'x' } },
  }
  await world.tell(many, flood, key)
  t.match(await world.tallies(), { parked: 3, applied: 6 })
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
      ['creation/c1', 5, 'envelope: (root): has the wrong type (expected: object)'],
      ['creation/c2', 6, 'version 999 is unknown'],
    ],
  )
  t.notMatch(JSON.stringify(await world.dump()), 'secret')
})
