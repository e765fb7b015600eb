/** Semantics 17, 18: a new generation is filled beside the live one, takes its place between two requests, and can give it back. */
import t from 'tap'
import { Throttle } from '../../../src/engine/generations/build-generation.js'
import type { Position } from '../../../src/events/index.js'
import { manyCreations } from '../../harness/community.js'
import { eventually } from '../../ports/subject.js'
import { edited, liked, published, registered } from '../../spec/events.js'
import { sameDump } from '../../support/dump.js'
import { ProjectorFixture } from '../fixture.js'
import { STORES } from '../stores.js'

const told = [...manyCreations(12), registered('bob'), liked('c001', 'bob'), liked('c002', 'bob')]

for (const subject of STORES) {
  t.test(`${subject.name}: a rebuild goes live with the same documents, and keeps what was live`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, told)
    const before = await fixture.dump()
    const request = await fixture.rebuild()
    t.match(request, { state: 'done', generation: 2, phase: 'flipping', outcome: 'generation 2 is live at position 16' })
    t.strictSame(await fixture.states(), ['g1 retired', 'g2 live'])
    sameDump(await fixture.dump(), before)
    await fixture.tell(liked('c003', 'bob'))
    t.equal((await fixture.reader.feed({ sort: 'liked' })).items[0]?.stats.likes, 1, 'and goes on')
    await fixture.rebuild()
    t.strictSame(await fixture.states(), ['g2 retired', 'g3 live'], 'one is kept to go back to')
  })

  t.test(`${subject.name}: live events are still projected while it fills, and it keeps to its rate`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, told)
    const request = await fixture.place({ kind: 'rebuild', maxRate: 8 })
    const begun = await fixture.reached(request, ({ phase, position }) => phase === 'loading' && position > 0)
    t.ok(begun.position < begun.total, `${begun.position} of ${begun.total}`)
    await fixture.tell(published('late', { by: 'bob' }), liked('late', 'bob'))
    t.match(await fixture.requests.find(request.id), { state: 'open' }, 'which is in the live generation before the new one has reached it')
    t.strictSame(await fixture.states(), ['g1 live', 'g2 loading'])
    t.equal((await fixture.settled(request)).state, 'done')
    t.strictSame(await fixture.states(), ['g1 retired', 'g2 live'])
    t.equal(await fixture.livePosition(), told.length + 2)
    t.equal((await fixture.reader.feed({ q: 'late' })).total, 1)
  })

  t.test(`${subject.name}: two requests for a rebuild share one`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, told)
    const one = await fixture.place({ kind: 'rebuild', maxRate: 4 })
    await fixture.reached(one, ({ position }) => position > 0)
    const two = await fixture.rebuild()
    t.equal(one.id, two.id)
    t.strictSame(await fixture.states(), ['g1 retired', 'g2 live'])
  })

  t.test(`${subject.name}: a rollback catches the old generation up before readers see it`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, told)
    await fixture.rebuild()
    await fixture.tell(edited('c001', { title: { en: 'A better name' } }), liked('c004', 'bob'))
    const before = await fixture.dump()
    t.match(await fixture.ask({ kind: 'rollback' }), { state: 'done', generation: 1 })
    t.strictSame(await fixture.states(), ['g1 live', 'g2 retired'])
    t.equal(await fixture.livePosition(), told.length + 2)
    sameDump(await fixture.dump(), before)
    await fixture.tell(liked('c005', 'bob'))
    t.match(await fixture.ask({ kind: 'rollback' }), { state: 'done', generation: 2 }, 'and forward again')
    t.equal((await fixture.reader.feed({ sort: 'liked', limit: 48 })).items.filter(({ stats }) => stats.likes === 1).length, 4)
  })

  t.test(`${subject.name}: there may be nothing to roll back to, to abort or to prune`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, told)
    t.match(await fixture.ask({ kind: 'rollback' }), { state: 'failed', outcome: 'there is no earlier generation to go back to' })
    t.match(await fixture.ask({ kind: 'abort' }), { state: 'done', outcome: 'there was nothing to abort' })
    t.match(await fixture.ask({ kind: 'prune' }), { state: 'done', outcome: 'there was nothing to drop' })
    t.strictSame(await fixture.states(), ['g1 live'])
  })

  t.test(`${subject.name}: an abort removes what the rebuild has made; the next one starts from the beginning`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, told)
    const request = await fixture.place({ kind: 'rebuild', maxRate: 4 })
    await fixture.reached(request, ({ phase, position }) => phase === 'loading' && position > 0)
    t.match(await fixture.ask({ kind: 'abort' }), { state: 'done', outcome: 'aborted rebuild' })
    t.match(await fixture.settled(request), { state: 'failed', outcome: 'aborted' })
    t.strictSame(await fixture.states(), ['g1 live'])
    t.equal((await fixture.rebuild()).state, 'done')
    t.strictSame(await fixture.states(), ['g1 retired', 'g3 live'])
  })

  t.test(`${subject.name}: pruning drops generations that are neither read nor filled`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, told)
    await fixture.rebuild()
    t.match(await fixture.ask({ kind: 'prune' }), { state: 'done', outcome: 'dropped g1' })
    t.strictSame(await fixture.states(), ['g2 live'])
    t.match(await fixture.ask({ kind: 'rollback' }), { state: 'failed' })
  })

  t.test(`${subject.name}: a generation that an overtaken leader has begun, and that no request knows, is dropped`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, told)
    await fixture.store.createGeneration('feed', 1, fixture.projection.collections)
    await fixture.tell(liked('c001', 'bob'))
    await eventually(async () => (await fixture.generations()).every(({ state }) => state === 'live'))
    t.strictSame(await fixture.states(), ['g1 live'])
    t.equal((await fixture.rebuild()).state, 'done')
  })

  t.test(`${subject.name}: when a leader stops, the next one continues its rebuild where it was`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, told)
    const request = await fixture.place({ kind: 'rebuild', maxRate: 4 })
    await fixture.reached(request, ({ position }) => position > 0)
    await fixture.stop()
    const [, loading] = await fixture.generations()
    if (loading === undefined) throw new Error('nothing is being loaded')
    const handle = await fixture.store.openGeneration(loading, [])
    const { position } = await handle.checkpoint()
    await handle.close()
    t.ok(position < told.length)
    await fixture.lead()
    t.match(await fixture.settled(request), { state: 'done', generation: 2 })
    t.equal(await fixture.livePosition(), told.length as Position)
  })
}

t.test('a wall clock that is put back does not stop a slow rebuild', async (t) => {
  const pace = new Throttle(1000)
  const now = Date.now
  t.teardown(() => {
    Date.now = now
  })
  Date.now = () => now() - 3_600_000
  const timeout = AbortSignal.timeout(20_000)
  await pace.wait(10, timeout)
  t.notOk(timeout.aborted, 'it continues at once')
})
