/** Words that outlive a request are looked up only if whom they are of may have been removed since they were read. */
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { getCommunityFeed } from '../../readmodels/feed/public-reads.js'
import { JobErasure } from '../../src/ask/jobs/job-erasure.js'
import { jobStream, toStreamEvent } from '../../src/ask/jobs/job-events.js'
import { JobFollower } from '../../src/ask/jobs/job-follower.js'
import { toQuestion } from '../../src/ask/request.js'
import type { AskResponse } from '../../src/ask/response.js'
import { PublicUrls } from '../../src/contract/public-urls.js'
import { ReadExecutor } from '../../src/operations/read-executor.js'
import { ReadSession } from '../../src/operations/read-session.js'
import { Tombstones } from '../../src/operations/tombstones.js'
import { type KeptWords, WordsRead } from '../../src/operations/words-read.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import type { LogRecord } from '../../src/ports/event-log.js'
import { STORES } from '../engine/stores.js'
import { eventually, opened, type Subject } from '../ports/subject.js'
import { erased, liked, poison, published, registered, removed, type Told } from '../spec/events.js'
import { Script } from '../spec/script.js'
import { World } from '../spec/world.js'
import { projections, STATE_LOCATIONS } from '../support/built-in-models.js'
import { MemoryEventStore } from '../support/memory-event-store.js'

const START = [registered('ann'), registered('ben'), published('c1', { by: 'ann' }), published('c2', { by: 'ben' })]

/** Models of two creators, what is read of them, and which ids are looked up for it. */
async function community(t: Test, subject: Subject<DocumentStore>) {
  const { store } = await opened(t, subject)
  const models = new Map<string, World>()
  for (const projection of projections) {
    const model = await World.open(t, projection, { documents: store })
    await model.promote()
    models.set(projection.name, model)
  }
  const deliver = async (records: readonly LogRecord[], isFor = (_model: string) => true) => {
    for (const [name, model] of models) if (isFor(name)) await model.deliver(records)
  }
  const script = new Script()
  const tell = (...told: readonly Told[]) => deliver(script.write(...told))
  await tell(...START)
  const operations = new ReadExecutor(store, new PublicUrls('vitrine.example'))
  const tombstones = new Tombstones(store, STATE_LOCATIONS)
  const read = async (): Promise<KeptWords> => {
    const words = new WordsRead()
    await new ReadSession(operations, 'en', { wordsRead: words }).read(getCommunityFeed, {})
    return words.toKeep()
  }
  let lookedUp: string[] = []
  const among = tombstones.among.bind(tombstones)
  tombstones.among = (ids) => {
    lookedUp = [...ids].sort()
    return among(lookedUp)
  }
  const look = async (...kept: readonly Partial<KeptWords>[]) => {
    lookedUp = []
    const found = [...(await tombstones.amongKept(kept))].sort()
    return { found, lookedUp }
  }
  return { t, store, script, deliver, tell, tombstones, read, look }
}

const ALL = ['ann', 'ben', 'c1', 'c2']

for (const subject of STORES) {
  await t.test(`only what was read before a removal is looked up, on ${subject.name}`, async (t) => {
    const { tell, read, look } = await community(t, subject)
    const before = await read()
    t.strictSame([...before.subjects].sort(), ALL)
    await tell(liked('c1', 'ben'), registered('cleo'))
    t.strictSame(await look(before), { found: [], lookedUp: [] }, 'nobody was removed')
    await tell(removed('c1'))
    t.strictSame(await look(before), { found: ['c1'], lookedUp: ALL })
    const after = await read()
    await tell(liked('c2', 'ann'))
    t.strictSame(await look(after), { found: [], lookedUp: [] })
    t.strictSame(await look(after, before), { found: ['c1'], lookedUp: ALL })
    await tell(erased('ann'))
    t.strictSame(await look(before, after), { found: ['ann', 'c1'], lookedUp: ALL })
    t.strictSame(await look({ subjects: ['ann'] }), { found: ['ann'], lookedUp: ['ann'] }, 'read by an older release, nobody knows when')
    t.strictSame(await look({ ...after, subjects: [] }, {}), { found: [], lookedUp: [] }, 'nobody’s words')
  })

  await t.test(`what was read of a model that lags behind a removal is looked up, on ${subject.name}`, async (t) => {
    const { script, deliver, read, look } = await community(t, subject)
    const records = script.write(erased('ann'))
    await deliver(records, (model) => model !== 'feed')
    t.match(await look(await read()), { found: ['ann'], lookedUp: ALL })
    await deliver(records, (model) => model === 'feed')
    t.strictSame(await look(await read()), { found: [], lookedUp: [] })
  })

  await t.test(`what was read of a model that has parked a removal is looked up, on ${subject.name}`, async (t) => {
    const { script, deliver, read, look } = await community(t, subject)
    const asPoison = new Script()
    asPoison.write(...START)
    await deliver(asPoison.write(poison(erased('ann'))), (model) => model === 'feed')
    await deliver(script.write(erased('ann')), (model) => model !== 'feed')
    t.match(await look(await read()), { found: ['ann'], lookedUp: ALL })
  })

  await t.test(`what was read of another generation, or while a removal is under way, is looked up, on ${subject.name}`, async (t) => {
    const { store, script, read, look } = await community(t, subject)
    const before = await read()
    const snapshot = store.snapshot.bind(store)
    store.snapshot = async (...args) => {
      const found = await snapshot(...args)
      const model = (name: string) => {
        const view = found.model(name)
        if (name !== 'profiles') return view
        const checkpoint = { ...view.checkpoint, slice: { step: 1, afterId: 'c1' } }
        return Object.create(view, { checkpoint: { value: checkpoint }, removedAmong: { value: view.removedAmong.bind(view) } })
      }
      return { ...found, model }
    }
    t.match(await look(before), { lookedUp: ALL })
    store.snapshot = snapshot
    t.match(await look(before), { lookedUp: [] })
    const feed = projections.filter(({ name }) => name === 'feed')
    for (const projection of feed) {
      const rebuilt = await World.open(t, projection, { documents: store })
      await rebuilt.deliver(script.records)
      await rebuilt.promote()
    }
    t.match(await look(before), { lookedUp: ALL })
  })
}

await t.test(
  'an answer that was read before a removal and arrives after it is erased, and so it is by a process that starts later',
  async (t) => {
    const [subject] = STORES
    if (subject === undefined) return
    const { tell, read, tombstones } = await community(t, subject)
    const events = new MemoryEventStore()
    const logger = pino({ level: 'silent' })
    const start = () => {
      const jobs = new JobFollower(events, logger)
      const erasure = new JobErasure(events, tombstones, () => t.fail('nothing to try again'))
      jobs.onEvent((event) => erasure.apply(event))
      jobs.start()
      return { jobs, stop: () => jobs.stop().then(() => erasure.stop()) }
    }
    const answer = (id: string, words: KeptWords) => {
      const answered = [
        { type: 'requested', data: { question: toQuestion({ query: 'who?' }) } } as const,
        { type: 'started', data: { attempt: 1, worker: 'w', leaseMs: 1000 } } as const,
        { type: 'completed', data: { attempt: 1, result: { answer: 'them' } as AskResponse, ...words } } as const,
      ]
      return events.append(jobStream(id), answered.map(toStreamEvent), 'no stream')
    }
    const isGone = async (id: string) => (await events.read(jobStream(id))).length === 0
    const first = start()
    const before = await read()
    await tell(erased('ann'))
    const after = await read()
    await answer('before', before)
    await answer('after', after)
    await eventually(() => isGone('before'))
    await first.stop()
    await answer('while-away', before)
    const second = start()
    t.teardown(() => second.stop())
    await eventually(() => isGone('while-away'))
    t.notOk(await isGone('after'))
  },
)
