/** A fan-out that fails after its first commit is a dead letter with its progress: a replay goes on from there. */
import t from 'tap'
import { feedProjection } from '../../../projections/feed/index.js'
import { deadLetters } from '../../../src/engine/definition/dead-letter-collections.js'
import { verify } from '../../../src/engine/replay/verify.js'
import { START } from '../../../src/events/index.js'
import { profileChanged, published, registered } from '../../spec/events.js'
import { type Dump, sameDump, withoutReasons } from '../../support/dump.js'
import { faultyProjection } from '../../support/faulty-projection.js'
import { memoryStore } from '../../support/memory-store.js'
import { project } from '../../support/project-log.js'
import { ProjectorFixture } from '../fixture.js'
import { STORES } from '../stores.js'

/** The engine commits after 2,000 documents. */
const MANY = 2100
const id = (i: number) => `c${String(i).padStart(4, '0')}`
const base = [registered('ann'), ...Array.from({ length: MANY }, (_, i) => published(id(i), { by: 'ann' }))]
/** The first event after these. */
const AT = base.length + 1

/** Trips over one creation, long after the first commit of a fan-out. */
const tripping = faultyProjection(feedProjection, 'each', ({ position }, member) => position === AT && member?._id === id(2050)).projection

const nameOn = (dump: Dump, creation: string): string => JSON.parse(dump.get(`items/${creation}`) ?? '').creator.displayName
const replay = { kind: 'replay' as const, aggregate: null, limit: null }

for (const subject of STORES) {
  t.test(`${subject.name}: later events are folded, and the replay does the rest`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, base, tripping)
    await fixture.tell(profileChanged('ann', { displayName: 'Ann Once' }))
    const half = await fixture.dump()
    t.strictSame([nameOn(half, id(0)), nameOn(half, id(MANY - 1))], ['Ann Once', 'ann in full'])
    const [letter] = [...half].filter(([name]) => name.startsWith(`${deadLetters.name}/`)).map(([, text]) => JSON.parse(text))
    t.match(letter, { position: AT, slice: { afterId: id(1999) } })
    const options = { projection: feedProjection, log: fixture.log, store: fixture.store, scratch: memoryStore() }
    await t.rejects(verify(options), { name: 'ModelBusyError', message: new RegExp(`position ${AT} has stopped half-way .* creator/ann`) })
    t.match(await fixture.ask(replay), { outcome: 'replayed 1 event of 1 aggregate: 1 still cannot be folded' })
    sameDump(withoutReasons(await fixture.dump()), withoutReasons(half))

    await fixture.lead(feedProjection)
    await fixture.tell(profileChanged('ann', { avatarUrl: 'https://cdn.example/ann.svg' }))
    t.match(await fixture.ask(replay), { outcome: 'replayed 1 event of 1 aggregate' })
    sameDump(await fixture.dump(), await project(feedProjection, await fixture.log.read(START, 10_000)))
    t.equal(nameOn(await fixture.dump(), id(MANY - 1)), 'Ann Once')
  })

  t.test(`${subject.name}: a discard says that half of it has been folded`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, base, tripping)
    await fixture.tell(profileChanged('ann', { displayName: 'Ann Once' }))
    t.match(await fixture.ask({ kind: 'discard', position: AT, reason: 'a slip' }), {
      state: 'done',
      outcome: `discarded creator/ann at position ${AT}: no dead letter is left; its fan-out had stopped half-way: "vitrine rebuild feed" undoes that half`,
    })
    t.equal(nameOn(await fixture.dump(), id(0)), 'Ann Once')
    t.match(await fixture.rebuild(), { state: 'done' })
    t.equal(nameOn(await fixture.dump(), id(0)), 'ann in full')
    sameDump(await fixture.dump(), await project(feedProjection, (await fixture.log.read(START, 10_000)).slice(0, -1)))
  })
}
