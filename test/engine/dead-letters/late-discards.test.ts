/** What is discarded while a generation is being filled is not in it when it goes live. */
import t from 'tap'
import { feedProjection } from '../../../projections/feed/index.js'
import { recordDiscard } from '../../../src/engine/dead-letters/discards.js'
import { START } from '../../../src/events/index.js'
import { edited, liked, poison, published, registered, removed } from '../../spec/events.js'
import { MemoryEventLog } from '../../support/memory-log.js'
import { ProjectorFixture } from '../fixture.js'
import { STORES } from '../stores.js'

const told = [
  registered('ann'),
  published('c1', { by: 'ann' }),
  ...['bob', 'cyd', 'dan', 'eve'].map((user) => liked('c1', user)),
  published('c2', { by: 'ann' }),
]

const slowly = { kind: 'rebuild' as const, maxRate: 3 }
const LATE = 'an event was discarded after this rebuild had folded it: ask for a rebuild again, which leaves it out'

for (const subject of STORES) {
  t.test(`${subject.name}: a rebuild that has folded an event which is then discarded does not go live`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, told)
    const request = await fixture.place(slowly)
    await fixture.reached(request, ({ phase, position }) => phase === 'loading' && position > 0)
    t.match(await fixture.ask({ kind: 'discard', position: 3, reason: 'a slip', folded: true }), { state: 'done' })
    t.match(await fixture.settled(request), { state: 'failed', outcome: LATE, poison: [] })
    t.strictSame(await fixture.states(), ['g1 live'])
    t.match(await fixture.rebuild(), { state: 'done' })
    t.match(JSON.parse((await fixture.dump()).get('items/c1') ?? ''), { likes: 3 }, 'the next one leaves it out')
    t.match(await fixture.rebuild(), { state: 'done' }, 'and so do all others')
  })

  const withPoison = [...told, poison(edited('c1', {})), liked('c1', 'flo'), poison(edited('c2', {}))]

  t.test(`${subject.name}: one that has parked it does`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, withPoison)
    const request = await fixture.place(slowly)
    await fixture.reached(request, ({ phase, position }) => phase === 'loading' && position > 0)
    t.match(await fixture.ask({ kind: 'discard', position: 8, reason: 'parked' }), { state: 'done' })
    t.match(await fixture.settled(request), { state: 'done' })
    const dump = await fixture.dump()
    t.ok(!dump.has('parked/creation/c1') && dump.has('parked/creation/c2'))
    t.match(JSON.parse(dump.get('items/c1') ?? ''), { likes: 5 })
  })
}

t.test('a discard of an event that the log no longer has does not stop a rebuild', async (t) => {
  const [subject] = STORES
  if (subject === undefined) throw new Error('no store to try')
  const fixture = await ProjectorFixture.open(t, subject, [...told, removed('c2')])
  await recordDiscard(fixture.store, feedProjection.name, 3, 'a slip')
  const records = (await fixture.log.read(START, 100)).filter(({ position }) => position !== 3)
  const holed = new MemoryEventLog(records)
  fixture.log.read = (after, limit) => holed.read(after, limit)
  t.match(await fixture.rebuild(), { state: 'done' })
})
