import t from 'tap'
import { items, likes } from '../../../readmodels/feed/documents.js'
import { tags } from '../../../readmodels/tags/documents.js'
import { recordDiscard } from '../../../src/engine/dead-letters/discards.js'
import { verify } from '../../../src/engine/replay/verify.js'
import { followed, liked, played, poison, published, registered } from '../../spec/events.js'
import { projections } from '../../support/built-in-models.js'
import { faultyProjection } from '../../support/faulty-projection.js'
import { brief, projectionOf, ReplayFixture } from './fixture.js'

const feed = projectionOf('feed')

async function verified(fixture: ReplayFixture, projection = feed, sample = 1) {
  return verify({ projection, log: fixture.log, store: fixture.store, scratch: await fixture.scratch(), sample })
}

await t.test('an untouched model matches the log, in every document of every projection', async (t) => {
  const fixture = await ReplayFixture.open(t)
  for (const projection of projections) {
    const found = await verified(fixture, projection)
    t.strictSame(brief(found), [], projection.name)
    t.equal(found.position, (await fixture.log.bounds()).last)
    t.ok(Object.values(found.compared).reduce((sum, count) => sum + count) > 0)
  }
})

await t.test('a damaged document is found, field by field', async (t) => {
  const fixture = await ReplayFixture.open(t)
  await fixture.damage(feed, items, 'maze', (doc) => ({ ...doc, likes: 77, tags: ['puzzle', 'hacked'] }))
  const { discrepancies } = await verified(fixture)
  t.equal(discrepancies.length, 1)
  t.match(discrepancies[0], {
    id: 'maze',
    kind: 'different',
    fields: [
      { path: 'tags[1]', left: 'hacked', right: 'garden' },
      { path: 'likes', left: 77, right: 2 },
    ],
  })
})

await t.test('a missing document, and one that no event explains, are found', async (t) => {
  const fixture = await ReplayFixture.open(t)
  await fixture.damage(feed, likes, 'maze~ada', () => undefined)
  await fixture.damage(projectionOf('tags'), tags, 'invented', () => ({ _id: 'invented', label: 'Invented', count: 3, rank: -3 }))
  t.strictSame(brief(await verified(fixture)), [['likes/maze~ada', 'missing']])
  t.strictSame(brief(await verified(fixture, projectionOf('tags'))), [['tags/invented', 'surplus']])
})

await t.test('an unreadable document, or one with a wrong id, does not hide other damage', async (t) => {
  const fixture = await ReplayFixture.open(t)
  await fixture.runSql(feed, 'UPDATE items SET doc = ? WHERE id = ?', '{"_id":', 'maze')
  await fixture.runSql(feed, 'INSERT INTO items (id, doc) VALUES (?, ?)', 'invented', '[]')
  await fixture.runSql(feed, "UPDATE items SET doc = json_set(doc, '$._id', 'zebra', '$.likes', 'many') WHERE id = ?", 'tides')
  const found = await verified(fixture)
  t.strictSame(brief(found), [
    ['items/invented', 'unreadable'],
    ['items/maze', 'unreadable', ''],
    ['items/tides', 'different', '_id', 'likes'],
  ])
  t.match(found.discrepancies, [
    { reason: 'it is no JSON object', replayed: null },
    { reason: /JSON/, fields: [{ left: undefined, right: { _id: 'maze', likes: 2 } }] },
    {},
  ])
})

await t.test('an index that does not match the documents is found', async (t) => {
  const fixture = await ReplayFixture.open(t)
  const faults = async (sample = 1) => (await verified(fixture, feed, sample)).indexes
  t.strictSame(await faults(), [])
  const harm: [string, object][] = [
    ["DELETE FROM items__trending WHERE id = 'maze' AND k0 = '||'", { collection: 'items', index: 'trending', wrong: 1, such: ['maze'] }],
    ["UPDATE items__liked SET k1 = 77.5 WHERE id = 'tides' AND k0 = '||'", { index: 'liked', wrong: 2, such: ['tides'] }],
    ["INSERT INTO items__people VALUES ('ada', 'nothing')", { index: 'people', wrong: 1, such: ['nothing'] }],
    ["UPDATE terms__byTerm__vocabulary SET documents = -1 WHERE word = 'maze'", { collection: 'terms', index: 'byTerm', such: ['maze'] }],
  ]
  for (const [sql] of harm) await fixture.runSql(feed, sql)
  const expected = ['people', 'trending', 'liked', 'byTerm'].map(
    (name) => harm.find(([, fault]) => 'index' in fault && fault.index === name)?.[1],
  )
  t.match(await faults(), expected)
  t.strictSame(await faults(0.5), [], 'a sample is of documents alone')
})

await t.test('words that are found in another document than holds them', async (t) => {
  const fixture = await ReplayFixture.open(t)
  await fixture.runSql(feed, "UPDATE terms SET n = n + 1000 WHERE id = 'maze'")
  const { indexes, discrepancies } = await verified(fixture)
  t.strictSame(discrepancies, [])
  t.match(indexes, [{ collection: 'terms', index: 'byTerm' }])
  t.ok(indexes[0]?.such.includes('maze'), 'as many documents hold it as are found, but not the same')
})

await t.test('dead letters are no damage', async (t) => {
  const fixture = await ReplayFixture.open(t)
  await fixture.tell(poison(played('maze')), liked('maze', 'zoe'), played('tides'))
  const parked = await verified(fixture)
  t.strictSame(brief(parked), [])
  t.equal(parked.parked, 1, 'the broken event, and not the one after it')
})

await t.test('an event that could be folded by now still counts as parked where the model has parked it', async (t) => {
  const fixture = await ReplayFixture.open(t, registered('ada'), published('one', { by: 'ada' }))
  // An older version of the program, which could not fold something that this one can.
  fixture.code = (projection) => faultyProjection(projection, 'apply', ({ name }) => name === 'creation.liked').projection
  await fixture.tell(liked('one', 'ben'), played('one'))
  const found = await verified(fixture)
  t.equal(found.parked, 1)
  t.strictSame(brief(found), [])
})

await t.test('a discarded event that the model still holds is a difference', async (t) => {
  const fixture = await ReplayFixture.open(t, registered('ada'), published('one', { by: 'ada' }), liked('one', 'ben'))
  await recordDiscard(fixture.store, 'feed', 3, 'a test')
  const found = await verified(fixture)
  t.equal(found.discarded, 1)
  t.ok(brief(found).some(([name]) => name === 'likes/one~ben'))
})

await t.test('a sample compares a part, the same one every time', async (t) => {
  const fixture = await ReplayFixture.open(t)
  const count = async (sample: number) => Object.values((await verified(fixture, feed, sample)).compared).reduce((sum, some) => sum + some)
  const [all, half, again] = [await count(1), await count(0.5), await count(0.5)]
  t.ok(half > 0 && half < all)
  t.equal(half, again)
})

await t.test('damage beyond the detailed list is counted', async (t) => {
  const profiles = projectionOf('profiles')
  const fixture = await ReplayFixture.open(t, registered('ada'), ...Array.from({ length: 10_002 }, (_, i) => followed('ada', `fan${i}`)))
  await fixture.runSql(profiles, 'DELETE FROM follows')
  const { differing, discrepancies } = await verified(fixture, profiles)
  t.equal(differing, 10_002)
  t.equal(discrepancies.length, 10_000)
})
