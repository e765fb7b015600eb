/** Semantics 6: a dead letter holds only itself, and is a late event once it can be folded. It can be shown, replayed and discarded. */
import t from 'tap'
import { feedProjection } from '../../../projections/feed/index.js'
import { findParked, listParked } from '../../../src/engine/dead-letters/dead-letter-queries.js'
import { listDiscards } from '../../../src/engine/dead-letters/discards.js'
import {
  DEAD_LETTER_COLLECTIONS,
  deadLetters,
  deadLettersOf,
  parkedAggregates,
} from '../../../src/engine/definition/dead-letter-collections.js'
import type { Projection } from '../../../src/engine/definition/projection.js'
import { START } from '../../../src/events/index.js'
import { eventually } from '../../ports/subject.js'
import { edited, erased, liked, played, poison, published, registered, removed, unliked } from '../../spec/events.js'
import { sameDump, withoutReasons } from '../../support/dump.js'
import { faultyProjection } from '../../support/faulty-projection.js'
import { project } from '../../support/project-log.js'
import { ProjectorFixture } from '../fixture.js'
import { SqliteFolder } from '../sqlite-folder.js'
import { STORES } from '../stores.js'

const base = [registered('ann'), published('c1', { by: 'ann' }), published('c2', { by: 'ann' })]

const stumblingAt = (...positions: number[]): Projection =>
  faultyProjection(feedProjection, 'apply', ({ position }) => positions.includes(position)).projection

/** What a projection makes of the whole log at once. */
const rebuilt = async ({ log }: ProjectorFixture, projection = feedProjection) => project(projection, await log.read(START, 100))

const itemOf = async (fixture: ProjectorFixture, id: string) => JSON.parse((await fixture.dump()).get(`items/${id}`) ?? 'null')

for (const subject of STORES) {
  t.test(`${subject.name}: later events are folded, and what is replayed after the fix comes late`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, base, stumblingAt(4, 8))
    await fixture.tell(
      edited('c1', { title: { en: 'First' }, tags: ['kept'] }),
      liked('c1', 'bob'),
      edited('c1', { title: { en: 'Second' } }),
      unliked('c1', 'bob'),
      played('c1'),
      liked('c1', 'cyd'),
    )
    t.match(await itemOf(fixture, 'c1'), { title: { en: 'Second' }, tags: [], likes: 1, plays: 0, seq: 7 })
    const [seen] = (await fixture.status(feedProjection)).projections
    t.match(seen, { degraded: true, state: 'live', parked: 1, tallies: { parked: 2, applied: 7 } })

    const replay = { kind: 'replay' as const, aggregate: null, limit: null }
    t.match(await fixture.ask(replay), { state: 'done', outcome: 'replayed 2 events of 1 aggregate: 2 still cannot be folded' })
    t.match(await listParked(fixture.store, 'feed'), [{ position: 4 }, { position: 8 }], 'without the fix nothing changes')

    await fixture.lead(stumblingAt(8))
    t.match(await fixture.ask(replay), { outcome: 'replayed 2 events of 1 aggregate: 1 still cannot be folded' })
    t.match(await itemOf(fixture, 'c1'), { title: { en: 'Second' }, tags: ['kept'], plays: 0 }, 'the newer title stays')
    sameDump(withoutReasons(await fixture.dump()), withoutReasons(await rebuilt(fixture, stumblingAt(8))))

    await fixture.lead(feedProjection)
    t.match(await fixture.ask(replay), { outcome: 'replayed 1 event of 1 aggregate' })
    t.match(await fixture.ask(replay), { outcome: 'replayed 0 events of 0 aggregates' })
    t.match(await itemOf(fixture, 'c1'), { title: { en: 'Second' }, plays: 1, gaps: [] })
    sameDump(await fixture.dump(), await rebuilt(fixture))
    t.match((await fixture.status(feedProjection)).projections, [{ degraded: false, tallies: { applied: 9, parked: undefined } }])
    t.match(await fixture.rebuild(), { state: 'done' })
    sameDump(await fixture.dump(), await rebuilt(fixture))
  })

  t.test(`${subject.name}: a replay may be of one aggregate, or of the oldest`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, base, stumblingAt(4, 5, 6))
    await fixture.tell(...['c2', 'c1', 'c1'].map((id) => edited(id, { title: { en: 'New' } })))
    await fixture.lead(feedProjection)
    t.match(await fixture.ask({ kind: 'replay', aggregate: null, limit: 1 }), { outcome: 'replayed 1 event of 1 aggregate' })
    t.match(await listParked(fixture.store, 'feed'), [{ aggregate: 'creation/c1' }, { aggregate: 'creation/c1' }])
    t.match(await fixture.ask({ kind: 'replay', aggregate: 'creation/c1', limit: null }), { outcome: 'replayed 2 events of 1 aggregate' })
    sameDump(await fixture.dump(), await rebuilt(fixture))
  })

  t.test(`${subject.name}: a replay for what is still to come waits for it`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, base, stumblingAt(4))
    const order = { kind: 'replay' as const, aggregate: null, limit: null, from: 5 }
    const { id } = await fixture.requests.submit('feed', feedProjection.version, order)
    t.match(await fixture.ask({ kind: 'prune' }), { state: 'done' }, 'without holding up what is asked later')
    await fixture.tell(edited('c1', { title: { en: 'First' } }))
    t.match(await fixture.ask({ kind: 'prune' }), { state: 'done' })
    t.match(await fixture.requests.open('feed'), [{ order }])
    await fixture.tell(liked('c1', 'bob'))
    await eventually(async () => (await fixture.requests.open('feed')).length === 0)
    t.match(await fixture.requests.find(id), { outcome: 'replayed 1 event of 1 aggregate: 1 still cannot be folded' })
  })

  t.test(`${subject.name}: every dead letter of an aggregate is listed and shown`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, base, stumblingAt(4))
    await fixture.tell(edited('c1', { title: { en: 'First' } }), poison(liked('c2', 'bob')), liked('c1', 'bob'), poison(liked('c1', 'cyd')))
    t.match(await listParked(fixture.store, 'feed'), [
      { projection: 'feed', aggregate: 'creation/c1', position: 4, eventId: 'e4', message: 'out of order' },
      { projection: 'feed', aggregate: 'creation/c2', position: 5, message: 'version 999 is unknown' },
      { projection: 'feed', aggregate: 'creation/c1', position: 7, message: 'version 999 is unknown' },
    ])
    t.match(await listParked(fixture.store, 'feed', 2), [{ position: 4 }, { position: 5 }], 'or only the oldest')
    t.equal((await listParked(fixture.store, 'feed', 2)).length, 2)
    t.match(await findParked(fixture.store, fixture.log, 'feed', 'creation/c1'), {
      parked: [
        { position: 4, stack: /out of order\n +at /, record: { id: 'e4', payload: /"First"/ } },
        { position: 7, stack: null, record: { id: 'e7', payload: /cyd/ } },
      ],
    })
    t.equal(await findParked(fixture.store, fixture.log, 'feed', 'creation/c9'), null)
    t.strictSame(await listParked(fixture.store, 'tags'), [])
  })

  t.test(`${subject.name}: a discard ends one dead letter and leaves the others`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, base)
    await fixture.tell(poison(liked('c1', 'bob')), liked('c1', 'cyd'), poison(liked('c1', 'dan')), liked('c1', 'eve'))
    t.match(await itemOf(fixture, 'c1'), { likes: 2 })
    t.match(await fixture.ask({ kind: 'discard', position: 4, reason: 'broken' }), {
      state: 'done',
      outcome: 'discarded creation/c1 at position 4: 1 dead letter is left',
    })
    t.match(await listParked(fixture.store, 'feed'), [{ position: 6 }])
    t.match(JSON.parse((await fixture.dump()).get('parked/creation/c1') ?? ''), { position: 6 })
    t.match(await fixture.ask({ kind: 'discard', position: 5, reason: 'mistyped' }), {
      state: 'failed',
      outcome: 'the event of creation/c1 at position 5 is no dead letter, and no rebuild has tripped over it: nothing was discarded',
    })
    t.match(await fixture.ask({ kind: 'discard', position: 4, reason: 'again' }), { state: 'done', outcome: /that was decided before$/ })
    t.match(await fixture.ask({ kind: 'discard', position: 99, reason: 'never was' }), {
      state: 'failed',
      outcome: 'the log has no event at position 99',
    })
    t.match(await listDiscards(fixture.store, 'feed'), [{ position: 4, reason: 'broken' }])
    t.match(await fixture.ask({ kind: 'discard', position: 5, reason: 'meant', folded: true }), {
      state: 'done',
      outcome: /: it is no dead letter, so only rebuilds will leave it out$/,
    })
    t.match(await listParked(fixture.store, 'feed'), [{ position: 6 }], 'which touches no other dead letter')
    t.match(await fixture.ask({ kind: 'discard', position: 6, reason: 'broken too' }), {
      state: 'done',
      outcome: 'discarded creation/c1 at position 6: no dead letter is left',
    })
    t.match(await itemOf(fixture, 'c1'), { likes: 2 })
    t.match(await fixture.rebuild(), { state: 'done' })
    t.match(await itemOf(fixture, 'c1'), { likes: 1 }, 'a rebuild leaves out what was discarded')
    t.strictSame(await listParked(fixture.store, 'feed'), [])
  })

  t.test(`${subject.name}: a removal releases the dead letters when it is applied, not before`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, base, stumblingAt(5))
    await fixture.tell(poison(liked('c1', 'bob')), removed('c1'), liked('c1', 'cyd'))
    t.match(await listParked(fixture.store, 'feed'), [{ position: 4 }, { position: 5, message: 'out of order' }])
    t.match(await itemOf(fixture, 'c1'), { removed: false, likes: 1 }, 'the removal is itself a dead letter')
    await fixture.lead(feedProjection)
    t.match(await fixture.ask({ kind: 'replay', aggregate: null, limit: null }), { outcome: 'replayed 2 events of 1 aggregate' })
    t.match(await itemOf(fixture, 'c1'), { removed: true })
    const snapshot = await fixture.store.snapshot(['feed'])
    t.equal(snapshot.model('feed').checkpoint.floor, 6, 'nothing cached before may be shown')
    snapshot.release()
    sameDump(await fixture.dump(), await rebuilt(fixture))
    t.strictSame(await listParked(fixture.store, 'feed'), [])

    await fixture.tell(poison(liked('c1', 'dan')), removed('c1'))
    t.strictSame(await listParked(fixture.store, 'feed'), [], 'nothing can change what is removed, so nothing has to be replayed')
    sameDump(await fixture.dump(), await rebuilt(fixture))
  })

  t.test(`${subject.name}: a creation that goes with its creator leaves no dead letters, whichever comes first`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, base, stumblingAt(6))
    await fixture.tell(poison(liked('c1', 'bob')), poison(liked('c2', 'bob')), erased('ann'), poison(liked('c1', 'cyd')))
    const letters = async () => (await listParked(fixture.store, 'feed')).map(({ position }) => position)
    t.strictSame(await letters(), [4, 5, 6, 7], 'while the removal is itself a dead letter')
    await fixture.lead(feedProjection)
    t.match(await fixture.ask({ kind: 'replay', aggregate: 'creator/ann', limit: null }), { state: 'done' })
    t.strictSame(await letters(), [])
    await fixture.tell(poison(liked('c2', 'cyd')), poison(published('c2', { by: 'ann' })))
    t.strictSame(await letters(), [])
    sameDump(await fixture.dump(), await rebuilt(fixture))
  })
}

t.test('events that waited for another in release 1.0 are dead letters like any other', async (t) => {
  const fixture = await ProjectorFixture.open(t, new SqliteFolder(), [...base, liked('c1', 'bob'), liked('c1', 'cyd')], stumblingAt(4, 5))
  await fixture.stop()
  const [live] = await fixture.generations()
  if (live === undefined) throw new Error('nothing is live')
  const opened = await fixture.store.openGeneration(live, DEAD_LETTER_COLLECTIONS)
  const [, second] = await deadLettersOf(opened, 'creation/c1')
  const [parked] = await opened.get(parkedAggregates, ['creation/c1'])
  if (second === undefined || parked === undefined) throw new Error('nothing is parked')
  const waited = { ...second, error: null }
  const holder = { ...parked, waiting: 1 }
  const checkpoint = await opened.checkpoint()
  const writes = [
    { collection: deadLetters, id: second._id, before: second, after: waited },
    { collection: parkedAggregates, id: parked._id, before: parked, after: holder },
  ]
  await opened.commit({ from: checkpoint, to: checkpoint, writes })
  await opened.close()
  await fixture.lead(feedProjection)
  t.match(await listParked(fixture.store, 'feed'), [{ position: 4 }, { position: 5, message: 'waits for an earlier event' }])
  t.match(await findParked(fixture.store, fixture.log, 'feed', 'creation/c1'), { parked: [{ position: 4 }, { position: 5, stack: null }] })
  await fixture.tell(poison(liked('c1', 'dan')))
  t.match(await fixture.ask({ kind: 'replay', aggregate: null, limit: null }), {
    outcome: /^replayed 3 events .*: 1 still cannot be folded/,
  })
  t.match(await itemOf(fixture, 'c1'), { likes: 2 })
})
