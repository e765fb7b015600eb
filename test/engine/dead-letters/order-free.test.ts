/** Semantics 6: in an order-free projection a dead letter holds only itself, and is a late event once it can be folded. */
import t from 'tap'
import { feedProjection } from '../../../projections/feed/index.js'
import { findParked, listParked } from '../../../src/engine/dead-letters/dead-letter-queries.js'
import type { Projection } from '../../../src/engine/definition/projection.js'
import { START } from '../../../src/events/index.js'
import { but, edited, erased, liked, played, poison, published, registered, removed, unliked } from '../../spec/events.js'
import { sameDump, withoutReasons } from '../../support/dump.js'
import { faultyProjection } from '../../support/faulty-projection.js'
import { ordered } from '../../support/ordered-projection.js'
import { project } from '../../support/project-log.js'
import { ProjectorFixture } from '../fixture.js'
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
    t.match(seen, { degraded: true, state: 'live', waiting: 0, tallies: { parked: 2, applied: 7, waiting: undefined } })

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

  t.test(`${subject.name}: every dead letter of an aggregate is listed and shown`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, base, stumblingAt(4))
    await fixture.tell(edited('c1', { title: { en: 'First' } }), poison(liked('c2', 'bob')), liked('c1', 'bob'), poison(liked('c1', 'cyd')))
    t.match(await listParked(fixture.store, 'feed'), [
      { projection: 'feed', aggregate: 'creation/c1', position: 4, eventId: 'e4', message: 'out of order', waiting: 0 },
      { projection: 'feed', aggregate: 'creation/c2', position: 5, message: 'version 999 is unknown', waiting: 0 },
      { projection: 'feed', aggregate: 'creation/c1', position: 7, message: 'version 999 is unknown', waiting: 0 },
    ])
    t.match(await listParked(fixture.store, 'feed', 2), [{ position: 4 }, { position: 5 }], 'or only the oldest')
    t.equal((await listParked(fixture.store, 'feed', 2)).length, 2)
    t.match(await findParked(fixture.store, fixture.log, 'feed', 'creation/c1'), {
      parked: [
        { position: 4, stack: /out of order\n +at /, record: { id: 'e4', payload: /"First"/ } },
        { position: 7, stack: null, record: { id: 'e7', payload: /cyd/ } },
      ],
      waiting: [],
    })
  })

  t.test(`${subject.name}: a discard ends one dead letter and leaves the others`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, base)
    await fixture.tell(poison(liked('c1', 'bob')), liked('c1', 'cyd'), poison(liked('c1', 'dan')), liked('c1', 'eve'))
    t.match(await itemOf(fixture, 'c1'), { likes: 2 })
    t.match(await fixture.ask({ kind: 'discard', position: 4, reason: 'broken' }), {
      state: 'done',
      outcome: 'discarded creation/c1 at position 4: 1 dead letter is left',
    })
    t.match(await listParked(fixture.store, 'feed'), [{ position: 6, waiting: 0 }])
    t.match(JSON.parse((await fixture.dump()).get('parked/creation/c1') ?? ''), { position: 6, waiting: 0 })
    t.match(await fixture.ask({ kind: 'discard', position: 5, reason: 'mistyped' }), { state: 'failed', outcome: /is no dead letter/ })
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

  t.test(`${subject.name}: a removal is applied whatever its sequence, also where later events wait`, async (t) => {
    const late = [registered('ann'), but(published('c1', { by: 'ann' }), { sequence: 5 }), poison(liked('c1', 'bob')), liked('c1', 'cyd')]
    for (const projection of [feedProjection, ordered(feedProjection)]) {
      const fixture = await ProjectorFixture.open(t, subject, late, projection)
      t.match(await listParked(fixture.store, 'feed'), [{ position: 3, waiting: projection.orderFree ? 0 : 1 }])
      await fixture.tell(but(removed('c1'), { sequence: 2 }))
      t.match(await itemOf(fixture, 'c1'), { removed: true })
      t.strictSame(await listParked(fixture.store, 'feed'), [])
      sameDump(await fixture.dump(), await rebuilt(fixture, projection))
    }
  })
}
