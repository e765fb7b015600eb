/** Semantics 6: a rebuild stops on new poison and never goes live; what is parked or discarded in the live generation is not new. */
import t from 'tap'
import { feedProjection } from '../../../projections/feed/index.js'
import { listParked } from '../../../src/engine/dead-letters/dead-letter-queries.js'
import { listDiscards } from '../../../src/engine/dead-letters/discards.js'
import { withDeadLetters } from '../../../src/engine/definition/dead-letter-collections.js'
import type { Projection } from '../../../src/engine/definition/projection.js'
import { GenerationWriter } from '../../../src/engine/fold/generation-writer.js'
import { LogReader } from '../../../src/engine/fold/log-reader.js'
import { NewPoisonError } from '../../../src/engine/generations/switch-over.js'
import { builtInEvents, decode, START } from '../../../src/events/index.js'
import { z } from '../../../src/index.js'
import { happened, toRecords } from '../../../src/testing/happened.js'
import { renamed } from '../../compose/models/fixture.js'
import { eventually } from '../../ports/subject.js'
import { edited, erased, liked, poison, published, registered, removed } from '../../spec/events.js'
import { sameDump, withoutReasons } from '../../support/dump.js'
import { faultyProjection } from '../../support/faulty-projection.js'
import { withLive } from '../../support/live-documents.js'
import { project } from '../../support/project-log.js'
import { ProjectorFixture } from '../fixture.js'
import { STORES } from '../stores.js'

const told = [registered('ann'), published('c1', { by: 'ann' }), published('c2', { by: 'ann' }), liked('c1', 'bob'), liked('c2', 'bob')]

/** Code with a mistake in it. */
const stumbling = (aggregate: string, over: Partial<Projection> = {}): Projection => ({
  ...faultyProjection(feedProjection, 'apply', (event) => event.name === 'creation.liked' && event.aggregate === aggregate).projection,
  ...over,
})

/** Folds the rest of the log into the live generation and nothing else, as a leader that dies right after its commit. */
async function foldAlone({ store, projection, log }: ProjectorFixture): Promise<void> {
  const whole = withDeadLetters(projection)
  await withLive(store, projection, async (opened) => {
    const writer = await GenerationWriter.open(whole, opened, (await opened.checkpoint()).epoch, false)
    await writer.advance((await new LogReader(log, builtInEvents).readPage(writer.position, 1000)).events)
  })
}

t.test('a field that the schema demands of old events is told with what helps', async (t) => {
  const types = builtInEvents.with([{ ...renamed, schema: z.object({ ...renamed.schema.shape, colour: z.enum(['red']) }) }])
  const [record] = toRecords([happened(renamed, { bedId: 'b_1', title: 'Lilies' })])
  const decoded = record && decode(record, types)
  const message = decoded?.outcome === 'poison' ? decoded.reason : ''
  const error = new NewPoisonError([{ aggregate: 'bed/b_1', position: 1, message }])
  t.match(error.message, /data: colour: expected "red" \(if it is new in the schema, give it a \.default\(\)\)$/)
})

for (const subject of STORES) {
  t.test(`${subject.name}: new poison ends the rebuild, is named, and leaves the live generation as it is`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, told)
    const before = await fixture.dump()
    await fixture.lead(stumbling('creation/c1'))
    const request = await fixture.rebuild()
    t.match(request, { state: 'failed', poison: [{ aggregate: 'creation/c1', position: 4, message: 'out of order' }] })
    t.match(request.outcome, /creation\/c1 at position 4: out of order/)
    t.strictSame(await fixture.states(), ['g1 live'])
    sameDump(await fixture.dump(), before)
    await fixture.lead(feedProjection)
    t.equal((await fixture.rebuild()).state, 'done', 'and works once the code is mended')
    await fixture.lead(stumbling('creation/c1'))
    t.match(await fixture.ask({ kind: 'discard', position: 4, reason: 'nobody misses it' }), { state: 'done' })
    t.equal((await fixture.rebuild()).state, 'done', 'or once the event is discarded, which was never parked')
  })

  t.test(`${subject.name}: also when the documents are of another version`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, told)
    await fixture.start(stumbling('creation/c2', { version: feedProjection.version + 1 }))
    t.match(await fixture.rebuild(), { state: 'failed', poison: [{ aggregate: 'creation/c2', position: 5 }] })
    t.strictSame(await fixture.states(), ['g1 live'])
    t.match(await fixture.ask({ kind: 'discard', position: 5, reason: 'nobody misses it' }), {
      state: 'done',
      outcome: /^discarded creation\/c2 at position 5: .* cannot fold into; rebuilds will leave it out$/,
    })
    t.equal((await fixture.rebuild()).state, 'done')
  })

  t.test(`${subject.name}: what is parked in the live generation is parked in the new one, and may be`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, told)
    await fixture.tell(poison(edited('c1', { title: { en: 'x' } })), liked('c1', 'cyd'), liked('c2', 'cyd'))
    const before = await fixture.dump()
    t.equal((await fixture.rebuild()).state, 'done')
    sameDump(withoutReasons(await fixture.dump()), withoutReasons(before))
  })

  t.test(`${subject.name}: a later event of the same aggregate is new poison`, async (t) => {
    const stumblingAt = (at: number) => faultyProjection(feedProjection, 'apply', ({ position }) => position === at).projection
    const fixture = await ProjectorFixture.open(t, subject, told, stumblingAt(6))
    await fixture.tell(edited('c1', { title: { en: 'x' } }), liked('c1', 'cyd'))
    await fixture.lead(stumblingAt(7))
    const outcome = '1 event cannot be folded any more, such as that of creation/c1 at position 7: out of order'
    t.match(await fixture.rebuild(), { state: 'failed', outcome, poison: [{ aggregate: 'creation/c1', position: 7 }] })
    t.match(await listParked(fixture.store, 'feed'), [{ position: 6 }])
  })

  t.test(`${subject.name}: poison of an aggregate that was removed later does not stop a rebuild`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, told)
    await fixture.tell(poison(liked('c1', 'cyd')), liked('c2', 'cyd'), removed('c1'))
    t.equal((await fixture.rebuild()).state, 'done')
    t.strictSame(await fixture.states(), ['g1 retired', 'g2 live'])
  })

  t.test(`${subject.name}: a discard is honoured by rebuilds, before and after it is decided`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, told)
    await fixture.tell(poison(edited('c1', { title: { en: 'x' } })), liked('c1', 'cyd'))
    await fixture.rebuild()
    t.match(await fixture.ask({ kind: 'discard', position: 6, reason: 'sent by mistake' }), {
      state: 'done',
      outcome: 'discarded creation/c1 at position 6: no dead letter is left',
    })
    t.match(await listDiscards(fixture.store, 'feed'), [{ position: 6, reason: 'sent by mistake' }])
    const before = await fixture.dump()
    t.equal(before.has('parked/creation/c1'), false)
    t.match(JSON.parse(before.get('items/c1') ?? ''), { likes: 2 })
    await fixture.ask({ kind: 'rollback' })
    sameDump(await fixture.dump(), before)
    await fixture.rebuild()
    sameDump(await fixture.dump(), before)
    t.strictSame(await fixture.states(), ['g1 retired', 'g3 live'], 'readers came from g1')
  })

  t.test(`${subject.name}: a rollback brings late what the old generation had parked, and parks what is poison now`, async (t) => {
    const { projection: older } = faultyProjection(feedProjection, 'apply', ({ name }) => name === 'creation.edited')
    const fixture = await ProjectorFixture.open(t, subject, told, older)
    await fixture.tell(edited('c1', { title: { en: 'x' } }), liked('c1', 'cyd'))
    t.match(await fixture.rebuild(), { state: 'done' }, 'what is parked is not new')
    await fixture.lead(feedProjection)
    await fixture.tell(poison(liked('c1', 'dan')), liked('c1', 'eve'))
    t.match(await fixture.ask({ kind: 'rollback' }), { state: 'done', generation: 1 })
    t.match(await listParked(fixture.store, 'feed'), [{ position: 8 }])
    t.match(JSON.parse((await fixture.dump()).get('items/c1') ?? ''), { title: { en: 'x' }, likes: 3 })
    sameDump(await fixture.dump(), await project(feedProjection, await fixture.log.read(START, 100)))
  })

  t.test(`${subject.name}: semantics 8: an erasure reaches the retired generation, also across a crash, or it is dropped`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, told)
    await fixture.rebuild()
    const settled = async () => JSON.parse((await fixture.dump(1)).get('items/c1') ?? '{}').removed === true
    await fixture.tell(removed('c1'))
    await eventually(settled)
    t.strictSame(JSON.parse((await fixture.dump(1)).get('items/c1') ?? ''), { _id: 'c1', seq: 3, removed: true })

    // The live generation has folded the erasure, the retired one has not, and then the leader is gone.
    const retired = await fixture.dump(1)
    await fixture.stop()
    await fixture.log.tell(erased('ann'))
    await foldAlone(fixture)
    t.equal((await fixture.dump(1)).get('creators/ann'), retired.get('creators/ann'))
    await fixture.lead()
    await eventually(async () => (await fixture.dump(1)).get('creators/ann') !== retired.get('creators/ann'))
    sameDump(await fixture.dump(1), await fixture.dump(2))
    t.strictSame(await fixture.states(), ['g1 retired', 'g2 live'])
  })
}

t.test('a retired generation of another version is dropped with the first removal', async (t) => {
  const [subject] = STORES
  if (subject === undefined) throw new Error('no store to try')
  const fixture = await ProjectorFixture.open(t, subject, told)
  await fixture.lead({ ...feedProjection, version: feedProjection.version + 1 }, { onVersionChange: 'rebuild' })
  t.strictSame(await fixture.states(), ['g1 retired', 'g2 live'])
  await fixture.tell(liked('c1', 'dan'))
  t.strictSame(await fixture.states(), ['g1 retired', 'g2 live'])
  await fixture.tell(removed('c1'))
  await eventually(async () => (await fixture.states()).length === 1)
  t.strictSame(await fixture.states(), ['g2 live'])
})

t.test('a new version is built on request; otherwise the old one is served as it is', async (t) => {
  const [subject] = STORES
  if (subject === undefined) throw new Error('no store to try')
  const fixture = await ProjectorFixture.open(t, subject, told)
  const next = { ...feedProjection, version: feedProjection.version + 1 }
  await fixture.start(next)
  await eventually(async () => fixture.warnings.some((warning) => warning.includes('of another version')))
  await fixture.log.tell(liked('c1', 'dan'))
  t.strictSame(await fixture.states(), ['g1 live'])
  t.equal((await fixture.reader.feed({})).total, 2)
  t.equal(await fixture.livePosition(), 5, 'events are not folded into documents of another version')
  t.match(await fixture.ask({ kind: 'rebuild', maxRate: null }), { state: 'done', generation: 2 })
  await fixture.caughtUp()
  t.match(await fixture.generations(), [
    { version: feedProjection.version, state: 'retired' },
    { version: feedProjection.version + 1, state: 'live' },
  ])
  t.match(await fixture.ask({ kind: 'rollback' }), {
    state: 'failed',
    outcome: new RegExp(`of version ${feedProjection.version}, which this code \\(version ${next.version}\\) cannot catch up`),
  })
  await fixture.start(feedProjection)
  t.match(await fixture.ask({ kind: 'rollback' }), { state: 'done', generation: 1 }, 'the release that made it can')
  await fixture.caughtUp()
  t.match((await fixture.dump()).get('items/c1'), /"likes":2/)

  for (const by of ['this release', 'a release that keeps no record']) {
    if (by !== 'this release') await fixture.store.deleteControlRecord('rolled-back', 'feed')
    fixture.warnings.length = 0
    await fixture.start(next, { onVersionChange: 'rebuild' })
    await eventually(async () => fixture.warnings.some((warning) => warning.includes('of another version')))
    t.strictSame(await fixture.requests.open('feed'), [], `a process that starts later does not undo the rollback by ${by}`)
  }
  t.match((await fixture.status(next)).projections, [{ state: 'outdated' }])
  t.match(await fixture.ask({ kind: 'rebuild', maxRate: null }), { state: 'done' }, 'an operator can')
  await fixture.start(feedProjection)
  t.match(await fixture.ask({ kind: 'rollback' }), { state: 'done' })
  await fixture.start({ ...next, version: next.version + 1 }, { onVersionChange: 'rebuild' })
  await eventually(async () => (await fixture.generations()).some(({ version, state }) => version === next.version + 1 && state === 'live'))
  t.pass('a version after the one that was taken back is built by itself')
})

t.test('a new version takes over from one with dead letters', async (t) => {
  const [subject] = STORES
  if (subject === undefined) throw new Error('no store to try')
  const next = { ...feedProjection, version: feedProjection.version + 1 }
  const fixture = await ProjectorFixture.open(t, subject, told)
  await fixture.tell(poison(edited('c1', { title: { en: 'x' } })), liked('c1', 'cyd'), poison(liked('c1', 'dan')))
  await fixture.lead(next, { onVersionChange: 'rebuild' })
  t.match(await fixture.generations(), [{ state: 'retired' }, { version: next.version, state: 'live' }])
  t.match(await listParked(fixture.store, 'feed'), [{ position: 6 }, { position: 8 }])
  await fixture.tell(liked('c1', 'eve'))
  sameDump(await fixture.dump(), await project(next, await fixture.log.read(START, 100)))
})
