/** Words that outlive a request are erased if whom they are of has been removed since they were read. */
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
import { STORES } from '../engine/stores.js'
import { eventually, opened, type Subject } from '../ports/subject.js'
import { erased, published, registered, type Told } from '../spec/events.js'
import { Script } from '../spec/script.js'
import { World } from '../spec/world.js'
import { projections, STATE_LOCATIONS } from '../support/built-in-models.js'
import { MemoryEventStore } from '../support/memory-event-store.js'

/** Models of two creators, and whose words are read from them. */
async function community(t: Test, subject: Subject<DocumentStore>) {
  const { store } = await opened(t, subject)
  const models: World[] = []
  for (const projection of projections) {
    const model = await World.open(t, projection, { documents: store })
    await model.promote()
    models.push(model)
  }
  const script = new Script()
  const tell = async (...told: readonly Told[]) => {
    const records = script.write(...told)
    for (const model of models) await model.deliver(records)
  }
  await tell(registered('ann'), registered('ben'), published('c1', { by: 'ann' }), published('c2', { by: 'ben' }))
  const operations = new ReadExecutor(store, new PublicUrls('vitrine.example'))
  const tombstones = new Tombstones(store, STATE_LOCATIONS)
  const read = async (): Promise<KeptWords> => {
    const words = new WordsRead()
    await new ReadSession(operations, 'en', { wordsRead: words }).read(getCommunityFeed, {})
    return words.toKeep()
  }
  return { tell, tombstones, read }
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
