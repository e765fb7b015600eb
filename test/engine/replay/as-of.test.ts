import t, { type Test } from 'tap'
import { items, likes } from '../../../readmodels/feed/documents.js'
import { arrivals, integrity } from '../../../readmodels/integrity/documents.js'
import { AsOf, type AsOfOptions } from '../../../src/engine/replay/as-of.js'
import type { Position } from '../../../src/events/index.js'
import type { Collection, Doc } from '../../../src/ports/document-store.js'
import { COMMUNITY } from '../../harness/community.js'
import { but, edited, erased, liked, minutes, played, poison, published, registered, removed, type Told } from '../../spec/events.js'
import { dumpOf, sameDump } from '../../support/dump.js'
import { projectionOf, ReplayFixture } from './fixture.js'

const feed = projectionOf('feed')

const at = (sequence: number, told: Told): Told => but(told, { sequence })

async function asOf(t: Test, fixture: ReplayFixture, options: Pick<AsOfOptions, 'until' | 'from'> = {}, projection = feed): Promise<AsOf> {
  const world = await AsOf.fold({ projection, log: fixture.log, store: fixture.store, scratch: await fixture.scratch(), ...options })
  t.teardown(() => world.close())
  return world
}

async function idsOf(world: AsOf, collection: Collection, key?: string): Promise<string[]> {
  const ids: string[] = []
  for await (const { _id } of world.documents(collection, key)) ids.push(_id)
  return ids
}

/** Everything a picture of the past holds, as text. */
async function pictureOf(world: AsOf): Promise<Map<string, string>> {
  const picture = new Map<string, string>()
  for (const collection of feed.collections) {
    for await (const doc of world.documents(collection)) picture.set(`${collection.name}/${doc._id}`, JSON.stringify(doc))
  }
  return picture
}

await t.test('as of a position, it has the documents of a run that stopped there', async (t) => {
  const fixture = await ReplayFixture.open(t)
  for (const stop of [1, 7, 20, COMMUNITY.length]) {
    const stopped = await ReplayFixture.open(t, ...COMMUNITY.slice(0, stop))
    const world = await asOf(t, fixture, { until: { position: stop as Position } })
    t.equal(world.position, stop)
    const picture = await pictureOf(world)
    const snapshot = await stopped.store.snapshot(['feed'])
    const dump = await dumpOf(feed.collections, snapshot.model('feed'))
    t.doesNotThrow(() => sameDump(picture, dump))
    snapshot.release()
  }
})

await t.test('semantics 19: a time means when the log received it, and the moment itself counts', async (t) => {
  const appendedAt = minutes(10_000)
  const fixture = await ReplayFixture.open(t)
  await fixture.append(
    but(liked('tides', 'late'), { appendedAt, time: minutes(1) }),
    but(liked('tides', 'later'), { appendedAt: appendedAt + 1 }),
  )
  const world = await asOf(t, fixture, { until: { time: appendedAt } })
  t.strictSame(await idsOf(world, likes, 'tides~late'), ['tides~late'])
  t.strictSame(await idsOf(world, likes, 'tides~later'), [])
})

await t.test('semantics 19: key and from choose what is printed, never what is folded', async (t) => {
  const fixture = await ReplayFixture.open(t)
  const before = (await fixture.log.bounds()).last
  await fixture.append(edited('tides', { tags: ['moon'] }), liked('maze', 'zoe'))
  const world = await asOf(t, fixture, { from: { position: before } })
  t.strictSame(await idsOf(world, items), ['maze', 'tides'])
  t.strictSame(await idsOf(world, likes), ['maze~zoe'])
  t.strictSame(await idsOf(world, items, 'maze'), ['maze'])
  t.strictSame(await idsOf(world, items, 'plants'), [], 'it is there, but older')
  for await (const doc of world.documents(items, 'maze')) t.match(doc, { likes: 3 }, 'with everything that came before')
})

await t.test('what is removed later neither counts as written nor leaves a trace of what was not there yet', async (t) => {
  const fixture = await ReplayFixture.open(t)
  const before = (await fixture.log.bounds()).last
  await fixture.append(published('later', { by: 'ben' }), removed('later'), removed('maze'))
  const world = await asOf(t, fixture, { until: { position: before } })
  t.notOk((await idsOf(world, items)).includes('later'))
  t.ok((await idsOf(world, items)).includes('maze'), 'a tombstone of what was there')
  const quiet = await asOf(t, fixture, { from: { position: before }, until: { position: before } })
  for (const collection of feed.collections) t.strictSame(await idsOf(quiet, collection), [], collection.name)
})

await t.test('semantics 19: a picture of the past leaves out what has been erased since', async (t) => {
  const fixture = await ReplayFixture.open(t)
  const before = (await fixture.log.bounds()).last
  await fixture.append(erased('ada'), removed('maze'))
  const world = await asOf(t, fixture, { until: { position: before } })
  t.equal(world.position, before)
  const text = [...(await pictureOf(world)).values()].join('\n')
  for (const trace of ['Ada L.', 'Tide clock', 'Garden maze', 'maze~ada', 'ada-l'])
    t.notMatch(text.toLowerCase(), trace.toLowerCase(), trace)
  t.match(text, 'Winter maze', 'and only that')
})

await t.test('semantics 19: nor does it show what belongs to the erased, though the log said so only later', async (t) => {
  const secret = at(2, edited('one', { title: { en: 'The secret of ada' } }))
  const fixture = await ReplayFixture.open(t, registered('ada'), registered('ben'), secret, at(1, published('one', { by: 'ada' })))
  await fixture.append(published('two', { by: 'ada', title: { en: 'Shared' } }), published('two', { by: 'ben' }), erased('ada'))
  await fixture.append(at(1, published('three', { by: 'ben', title: { en: 'Another' } })), at(2, published('three', { by: 'ada' })))
  for (const position of [3, 4, 5, 6, 7, 8]) {
    const world = await asOf(t, fixture, { until: { position: position as Position } })
    t.notMatch([...(await pictureOf(world)).values()].join('\n'), /secret|Shared|Another/, `at ${position}`)
  }
})

await t.test('what could not be folded is named, and a removal since then releases it', async (t) => {
  const fixture = await ReplayFixture.open(t, registered('ada'), published('one', { by: 'ada' }))
  await fixture.append(poison(played('one')), liked('one', 'ben'), poison(liked('one', 'cleo')), liked('one', 'dan'))
  const seen = async (position: number) => {
    const world = await asOf(t, fixture, { until: { position: position as Position } })
    const parked = (await world.poisonEvents()).map((letter) => letter.position)
    const users = (await idsOf(world, likes)).map((edge) => edge.slice('one~'.length))
    return { parked, users }
  }
  t.strictSame(await seen(3), { parked: [3], users: [] })
  t.strictSame(await seen(6), { parked: [3, 5], users: ['ben', 'dan'] })
  await fixture.append(removed('one'))
  t.strictSame(await seen(6), { parked: [], users: [] })
})

await t.test('a later removal is no arrival yet', async (t) => {
  const fixture = await ReplayFixture.open(t, registered('ada'), published('one', { by: 'ada' }))
  await fixture.append(liked('one', 'ben'), liked('one', 'cleo'), removed('one'))
  const world = await asOf(t, fixture, { until: { position: 3 as Position } }, projectionOf('integrity'))
  const found: Doc[] = []
  for (const collection of [arrivals, integrity]) for await (const doc of world.documents(collection)) found.push(doc)
  t.match(found, [
    { _id: 'creation/one', last: 2, missing: [] },
    { _id: 'creator/ada', last: 1 },
    { aggregates: 2, gaps: 0 },
  ])
})
