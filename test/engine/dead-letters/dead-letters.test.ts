/** Semantics 6: in a projection that needs order, what is parked can be looked at, replayed in order after the fix, or discarded. */
import t from 'tap'
import { feedProjection } from '../../../projections/feed/index.js'
import { findParked, listParked } from '../../../src/engine/dead-letters/dead-letter-queries.js'
import { listDiscards } from '../../../src/engine/dead-letters/discards.js'
import type { Projection } from '../../../src/engine/definition/projection.js'
import { START } from '../../../src/events/index.js'
import { eventually } from '../../ports/subject.js'
import { edited, liked, poison, published, registered, removed, unliked } from '../../spec/events.js'
import { sameDump } from '../../support/dump.js'
import { faultyProjection } from '../../support/faulty-projection.js'
import { ordered } from '../../support/ordered-projection.js'
import { project } from '../../support/project-log.js'
import { ProjectorFixture } from '../fixture.js'
import { STORES } from '../stores.js'

const base = [registered('ann'), published('c1', { by: 'ann' }), published('c2', { by: 'ann' })]
const feed = ordered(feedProjection)
/** Trips over edits, and over nothing else. */
const stumbling: Projection = faultyProjection(feed, 'apply', ({ name }) => name === 'creation.edited').projection

for (const subject of STORES) {
  t.test(`${subject.name}: replayed after the fix, the waiting events are folded in order`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, base, stumbling)
    await fixture.tell(
      edited('c1', { title: { en: 'First' } }),
      liked('c1', 'bob'),
      edited('c1', { title: { en: 'Second' } }),
      unliked('c1', 'bob'),
      liked('c2', 'bob'),
      edited('c2', { title: { en: 'Other' } }),
    )
    t.match((await fixture.reader.feed({ sort: 'recent' })).items.map(({ title }) => title).sort(), ['c1 title', 'c2 title'])
    const seen = await fixture.status(feed)
    t.match(seen.projections, [{ degraded: true, parked: 2, waiting: 3, state: 'live' }], 'degraded, not stopped')

    t.match(await fixture.ask({ kind: 'replay', aggregate: null, limit: null }), {
      state: 'done',
      outcome: 'replayed 5 events of 2 aggregates: 2 still cannot be folded, 3 still wait',
    })
    t.match((await fixture.status(feed)).projections, [{ parked: 2, waiting: 3 }], 'without the fix nothing changes')

    await fixture.lead(feed)
    t.match(await fixture.ask({ kind: 'replay', aggregate: null, limit: 1 }), { outcome: 'replayed 4 events of 1 aggregate' })
    t.match(await listParked(fixture.store, 'feed'), [{ aggregate: 'creation/c2' }], 'the oldest first')
    t.match(await fixture.ask({ kind: 'replay', aggregate: 'creation/c2', limit: null }), { outcome: 'replayed 1 event of 1 aggregate' })
    t.match(await fixture.ask({ kind: 'replay', aggregate: 'creation/c2', limit: null }), { outcome: 'replayed 0 events of 0 aggregates' })
    t.match((await fixture.status(feed)).projections, [{ degraded: false, parked: 0, tallies: { applied: 9 } }])
    sameDump(await fixture.dump(), await project(feed, await fixture.log.read(START, 100)))
    await fixture.tell(liked('c1', 'dan'))
    t.equal((await fixture.reader.feed({ sort: 'liked' })).items[0]?.stats.likes, 1, 'and the aggregate goes on')
  })

  t.test(`${subject.name}: a replay for what is still to come waits for it`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, base, stumbling)
    const { id } = await fixture.requests.submit('feed', feed.version, { kind: 'replay', aggregate: null, limit: null, from: 5 })
    t.match(await fixture.ask({ kind: 'prune' }), { state: 'done' }, 'without holding up what is asked later')
    await fixture.tell(edited('c1', { title: { en: 'First' } }))
    t.match(await fixture.ask({ kind: 'prune' }), { state: 'done' })
    t.match(await fixture.requests.open('feed'), [{ order: { kind: 'replay', from: 5 } }])
    await fixture.tell(liked('c1', 'bob'))
    await eventually(async () => (await fixture.requests.open('feed')).length === 0)
    t.match(await fixture.requests.find(id), {
      outcome: 'replayed 2 events of 1 aggregate: 1 still cannot be folded, 1 still waits',
    })
  })

  t.test(`${subject.name}: a parked aggregate is shown with its event, its error and what waits`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, base, stumbling)
    await fixture.tell(edited('c1', { title: { en: 'First' } }), liked('c1', 'bob'), poison(liked('c2', 'bob')))
    t.match(await listParked(fixture.store, 'feed'), [
      { projection: 'feed', aggregate: 'creation/c1', position: 4, eventId: 'e4', message: 'out of order', waiting: 1 },
      { projection: 'feed', aggregate: 'creation/c2', position: 6, message: 'version 999 is unknown', waiting: 0 },
    ])
    t.match(await findParked(fixture.store, fixture.log, 'feed', 'creation/c1'), {
      parked: [{ position: 4, message: 'out of order', stack: /out of order\n +at /, record: { id: 'e4', payload: /"First"/ } }],
      waiting: [{ position: 5, eventId: 'e5' }],
    })
    t.equal(await findParked(fixture.store, fixture.log, 'feed', 'creation/c9'), null)
    t.strictSame(await listParked(fixture.store, 'tags'), [])
  })

  t.test(`${subject.name}: after a discard the other events are folded; the next poison event parks again`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, base, feed)
    await fixture.tell(poison(liked('c1', 'bob')), liked('c1', 'cyd'), poison(liked('c1', 'dan')), liked('c1', 'eve'))
    t.match(await fixture.ask({ kind: 'discard', position: 4, reason: 'broken' }), {
      state: 'done',
      outcome: 'discarded creation/c1 at position 4: 1 other event was folded, 1 dead letter is left, 1 event still waits',
    })
    t.match(await listParked(fixture.store, 'feed'), [{ position: 6, waiting: 1 }])
    t.match(await fixture.ask({ kind: 'discard', position: 6, reason: 'broken too' }), {
      state: 'done',
      outcome: 'discarded creation/c1 at position 6: 1 other event was folded, no dead letter is left',
    })
    t.equal((await fixture.reader.feed({ sort: 'liked' })).items[0]?.stats.likes, 2)
    t.match(await fixture.ask({ kind: 'discard', position: 5, reason: 'mistyped' }), {
      state: 'failed',
      outcome: 'the event of creation/c1 at position 5 is no dead letter, and no rebuild has tripped over it: nothing was discarded',
    })
    t.match(await fixture.ask({ kind: 'discard', position: 4, reason: 'again' }), { state: 'done', outcome: /that was decided before$/ })
    t.match(await listDiscards(fixture.store, 'feed'), [
      { position: 4, reason: 'broken' },
      { position: 6, reason: 'broken too' },
    ])
    t.match(await fixture.ask({ kind: 'discard', position: 5, reason: 'not parked', folded: true }), {
      state: 'done',
      outcome: /it is no dead letter, so only rebuilds will leave it out$/,
    })
    t.match(await fixture.ask({ kind: 'discard', position: 99, reason: 'never was' }), {
      state: 'failed',
      outcome: 'the log has no event at position 99',
    })
  })

  t.test(`${subject.name}: a removal that was waiting raises the floor when it is replayed`, async (t) => {
    const stubborn = faultyProjection(feed, 'apply', ({ name }) => name === 'creation.removed').projection
    const fixture = await ProjectorFixture.open(t, subject, base, stubborn)
    await fixture.tell(removed('c1'), liked('c2', 'bob'))
    t.equal((await fixture.reader.feed({})).total, 2)
    await fixture.lead(feed)
    await fixture.ask({ kind: 'replay', aggregate: null, limit: null })
    t.equal((await fixture.reader.feed({})).total, 1)
    const snapshot = await fixture.store.snapshot(['feed'])
    t.equal(snapshot.model('feed').checkpoint.floor, 5, 'nothing cached before may be shown')
    snapshot.release()
  })
}
