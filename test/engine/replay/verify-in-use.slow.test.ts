/** Verifying models in use: events and fan-outs change them, and their dead letters are replayed at the same time. */
import t from 'tap'
import { follows } from '../../../readmodels/profiles/documents.js'
import { deadLetters } from '../../../src/engine/definition/dead-letter-collections.js'
import { verify } from '../../../src/engine/replay/verify.js'
import { vitrine } from '../../harness/command.js'
import { erased, followed, liked, played, poison, published, registered, removed } from '../../spec/events.js'
import { faultyProjection } from '../../support/faulty-projection.js'
import { brief, projectionOf, ReplayFixture } from './fixture.js'

const [feed, profiles] = [projectionOf('feed'), projectionOf('profiles')]

await t.test('a model that moves while it is compared is not damaged by that', async (t) => {
  const fixture = await ReplayFixture.open(t)
  const moving: Promise<void>[] = []
  let told = 0
  const found = await verify({
    projection: feed,
    log: fixture.log,
    store: fixture.store,
    scratch: await fixture.scratch(),
    onCompared: () => {
      // Between two documents, the log and the model go on.
      if (told++ < 3) moving.push(fixture.tell(liked('tides', `fan${told}`), played('maze')))
    },
  })
  await Promise.all(moving)
  t.strictSame(brief(found), [])
})

await t.test('damage is found even if more documents have changed since than are kept in memory', async (t) => {
  const fixture = await ReplayFixture.open(t, registered('ada'), registered('zoe'), followed('zoe', 'ada'))
  await fixture.damage(profiles, follows, 'zoe~ada', () => undefined)
  let [comparing, moved] = [false, false]
  const store = fixture.seenAfter(async () => {
    if (!comparing || moved) return
    moved = true
    await fixture.tell(...Array.from({ length: 10_001 }, (_, i) => followed('ada', `fan${i}`)))
  })
  const found = await verify({
    ...{ projection: profiles, log: fixture.log, store, scratch: await fixture.scratch() },
    onCompared: () => {
      comparing = true
    },
  })
  t.ok((found.compared.follows ?? 0) > 10_000)
  t.equal(found.differing, 1)
  t.strictSame(brief(found), [['follows/zoe~ada', 'missing']])
})

/** More than a slice: the engine commits after 2,000 documents. */
const CROWD = [registered('ada'), ...Array.from({ length: 2100 }, (_, i) => followed('ada', `fan${i}`))]

await t.test('verify waits for a running fan-out', async (t) => {
  const fixture = await ReplayFixture.open(t, ...CROWD)
  let comparing = false
  let looks = 0
  const store = fixture.seenAfter(async () => {
    if (comparing) looks += 1
    if (looks === 1) await fixture.tellHalf(profiles, erased('ada'))
    // All documents have been compared by then, so verify compares once more.
    if (looks === 30) await fixture.folder.project()
  })
  const found = await verify({
    ...{ projection: profiles, log: fixture.log, store, scratch: await fixture.scratch() },
    onCompared: () => {
      comparing = true
    },
  })
  t.strictSame(brief(found), [])
  t.equal(found.position, (await fixture.log.bounds()).last)
})

await t.test('a fan-out that was parked half-way is reported, because only a replay can end it', async (t) => {
  const fixture = await ReplayFixture.open(t)
  const letter = { _id: '0000000000000001', aggregate: 'creator/ada', position: 1, eventId: 'e1', appendedAt: 0 }
  const halfDone = { ...letter, error: { message: 'tripped', stack: null }, slice: { step: 0, afterId: 'fan' } }
  await fixture.damage(profiles, deadLetters, halfDone._id, () => halfDone)
  const options = { projection: profiles, log: fixture.log, store: fixture.store, scratch: await fixture.scratch() }
  const message =
    /position 1 has stopped half-way through the documents of creator\/ada: "vitrine dead-letters replay profiles creator\/ada"/
  await t.rejects(verify(options), { name: 'ModelBusyError', message })
})

await t.test('a fan-out that no leader continues is reported', async (t) => {
  const fixture = await ReplayFixture.open(t, ...CROWD)
  await fixture.tellHalf(profiles, erased('ada'))
  const options = { projection: profiles, log: fixture.log, store: fixture.store, scratch: await fixture.scratch(), fanOutTimeoutMs: 0 }
  const message = /a fan-out of profiles is under way: the event after position 2101 /
  await t.rejects(verify(options), { name: 'ModelBusyError', message })
})

/** Verifies the feed while something happens as soon as documents are compared. */
async function verifiedWhile(fixture: ReplayFixture, happening: () => Promise<unknown>) {
  let [comparing, happened] = [false, false]
  const store = fixture.seenAfter(async () => {
    if (!comparing || happened) return
    happened = true
    await happening()
  })
  return verify({
    ...{ projection: feed, log: fixture.log, store, scratch: await fixture.scratch() },
    onCompared: () => {
      comparing = true
    },
  })
}

await t.test('verify gives up when an event that it left out is discarded or folded meanwhile, and says so', async (t) => {
  const fixture = await ReplayFixture.open(t, registered('ada'), published('one', { by: 'ada' }))
  const { last } = await fixture.log.bounds()
  await fixture.tell(poison(played('one')))
  const message = new RegExp(`changed meanwhile: the event at position ${last + 1} is no longer parked. Try again`)
  const discarded = verifiedWhile(fixture, () => fixture.discard(feed, 'creation/one', last + 1))
  await t.rejects(discarded, { name: 'ModelBusyError', message }, 'a discard')

  fixture.code = (projection) => faultyProjection(projection, 'apply', ({ name }) => name === 'creation.liked').projection
  await fixture.tell(liked('one', 'ben'))
  const rebuilt = verifiedWhile(fixture, async () =>
    t.match(await vitrine(['rebuild', 'feed', '--data-dir', fixture.folder.path]), { code: 0 }),
  )
  await t.rejects(rebuilt, { name: 'ModelBusyError', message: /position \d+ is no longer parked/ }, 'a rebuild')
})

await t.test('new dead letters, and those deleted by a removal, do not make it give up', async (t) => {
  const fixture = await ReplayFixture.open(t)
  await fixture.tell(poison(played('maze')))
  const found = await verifiedWhile(fixture, () => fixture.tell(removed('maze'), poison(played('tides')), liked('tides', 'zoe')))
  t.strictSame(brief(found), [])
  t.equal(found.parked, 1)
})
