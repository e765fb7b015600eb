import { join } from 'node:path'
import t from 'tap'
import { SqliteEventStore } from '../../../src/adapters/sqlite/event-store.js'
import { AskJobs } from '../../../src/ask/jobs/ask-jobs.js'
import { CallerHash } from '../../../src/ask/jobs/caller-hash.js'
import { claimKey } from '../../../src/ask/jobs/idempotency-keys.js'
import { isFinished, MAX_AGES } from '../../../src/ask/jobs/job-events.js'
import { followJobs } from '../../../src/ask/jobs/job-follower.js'
import { StoreUnavailableError } from '../../../src/ports/document-store.js'
import type { CategoryEvent, EventStore } from '../../../src/ports/event-store.js'
import { folderWith } from '../../adapters/folder.js'
import { gate } from '../../support/gate.js'
import { NOBODY_REMOVED } from '../../support/nobody-removed.js'
import { openFixture } from './fixture.js'
import { answerTo, questionOf } from './questions.js'

await t.test('a job is known at once, and answered', async (t) => {
  const fixture = await openFixture(t)
  const { id, job } = await fixture.jobs.submit(questionOf('tides'))
  t.equal(job.status, 'queued')
  t.equal((await fixture.jobs.find(id))?.status, 'queued')
  fixture.startWorker(async (question) => answerTo(question))
  t.match(await fixture.until(id, isFinished), { status: 'completed', attempts: 1, result: { answer: 'about tides' } })
  t.strictSame(await fixture.history(id), ['requested', 'started', 'completed'])
})

for (const hours of [-12, 12]) {
  await t.test(`a worker whose clock is ${-hours} hours from the store's answers at once`, async (t) => {
    const fixture = await openFixture(t, () => Date.now() + hours * 3_600_000)
    const { id } = await fixture.jobs.submit(questionOf('tides'))
    fixture.startWorker(async (question) => answerTo(question))
    t.match(await fixture.until(id, isFinished), { status: 'completed', attempts: 1 })
  })
}

await t.test('a worker that wakes up too late drops its answer', async (t) => {
  const fixture = await openFixture(t)
  const [asleep, wakeUp] = gate()
  const slow = fixture.startWorker(
    async (question) => {
      await asleep
      return { ...answerTo(question), answer: 'too late' }
    },
    { leaseMs: 100, attemptMs: 60_000, shutdownMs: 60_000 },
  )
  const { id } = await fixture.jobs.submit(questionOf('tides'))
  await fixture.until(id, ({ status }) => status === 'running')
  fixture.startWorker(async (question) => answerTo(question))
  t.match(await fixture.until(id, isFinished), { status: 'completed', result: { answer: 'about tides' } })
  wakeUp()
  await slow.stop()
  t.match(await fixture.jobs.find(id), { result: { answer: 'about tides' } })
  t.equal((await fixture.history(id)).filter((type) => type === 'completed').length, 1)
})

await t.test('an attempt that fails, or takes too long, is made again', async (t) => {
  const fixture = await openFixture(t)
  let calls = 0
  fixture.startWorker(
    async (question) => {
      calls += 1
      if (calls === 1) throw new Error('not now')
      return answerTo(question)
    },
    { attemptMs: 5000 },
  )
  const { id } = await fixture.jobs.submit(questionOf('tides'))
  t.match(await fixture.until(id, isFinished), { status: 'completed', attempts: 2 })
  t.strictSame(await fixture.history(id), ['requested', 'started', 'attempt_failed', 'started', 'completed'])

  const impatient = await openFixture(t)
  impatient.startWorker(() => new Promise<never>(() => {}), { attemptMs: 20 })
  const stalled = await impatient.jobs.submit(questionOf('tides'))
  const job = await impatient.until(stalled.id, ({ status, attempts }) => status === 'queued' && attempts === 1)
  t.ok(job.status === 'queued' && job.notBefore > job.updatedAt, 'after a pause')
})

await t.test('models that cannot be reached for a while cost no attempt', async (t) => {
  const fixture = await openFixture(t)
  const { id } = await fixture.jobs.submit(questionOf('tides'))
  let tries = 0
  fixture.startWorker(async (question) => {
    tries += 1
    if (tries <= 2) throw new StoreUnavailableError('MongoDB cannot be reached')
    return answerTo(question)
  })
  t.match(await fixture.until(id, isFinished), { status: 'completed', attempts: 1 })
  t.strictSame(await fixture.history(id), ['requested', 'started', 'completed'])

  const unlucky = await openFixture(t)
  unlucky.startWorker(() => Promise.reject(new StoreUnavailableError('MongoDB cannot be reached')), { attemptMs: 600 })
  const other = await unlucky.jobs.submit(questionOf('tides'))
  await unlucky.until(other.id, ({ status, attempts }) => status === 'queued' && attempts === 1)
  t.pass('unless it takes longer than an attempt')
})

await t.test('a worker that is stopped hands over what it has not finished', async (t) => {
  const fixture = await openFixture(t)
  const worker = fixture.startWorker(() => new Promise<never>(() => {}), { shutdownMs: 10 })
  const { id } = await fixture.jobs.submit(questionOf('tides'))
  await fixture.until(id, ({ status }) => status === 'running')
  await worker.stop()
  t.strictSame(await fixture.history(id), ['requested', 'started', 'attempt_failed'])
  fixture.startWorker(async (question) => answerTo(question))
  t.equal((await fixture.until(id, isFinished)).status, 'completed')
})

await t.test('jobs are forgotten after a day', async (t) => {
  const folder = folderWith()
  const clock = { now: Date.UTC(2026, 5, 1, 18) }
  const store = new SqliteEventStore(join(folder, 'events.db'), { maxAges: MAX_AGES, now: () => clock.now })
  t.teardown(() => store.close())
  const jobs = new AskJobs(store, NOBODY_REMOVED, { now: () => clock.now })
  const key = { scope: 'abc', fingerprint: 'f' }
  const { id } = await jobs.submit(questionOf('tides'), key)
  clock.now += 86_399_000
  t.equal((await jobs.find(id))?.status, 'queued')
  t.strictSame((await jobs.submit(questionOf('tides'), key)).id, id, 'nor is its key before that, on the next day of the calendar')
  clock.now += 1000
  t.equal(await jobs.find(id), null)
  const again = await jobs.submit(questionOf('tides'), key)
  t.strictSame([again.replayed, again.id === id], [false, false])
})

await t.test('ids that were never given out belong to nothing', async (t) => {
  const fixture = await openFixture(t)
  for (const id of ['', 'x', '../x', 'a b', '00000000-0000-0000-0000-000000000000', '>', 'a.b.*', '日本', 'x'.repeat(5000)]) {
    t.equal(await fixture.jobs.find(id), null, id.slice(0, 40))
  }
})

await t.test('numbers for operators', async (t) => {
  const fixture = await openFixture(t)
  const nothing = { queued: 0, running: 0, completed: 0, failed: 0, retried: 0, oldest_queued_s: 0, oldest_running_s: 0 }
  t.strictSame(fixture.projection.summary(Date.now()), nothing)
  const { id } = await fixture.jobs.submit(questionOf('tides'))
  await fixture.until(id, () => fixture.projection.get(id) !== undefined)
  t.strictSame(fixture.projection.summary(Date.now() + 60_000), { ...nothing, queued: 1, oldest_queued_s: 60 })
  fixture.startWorker(async (question) => answerTo(question))
  await fixture.until(id, isFinished)
  await fixture.until(id, () => fixture.projection.get(id) === undefined)
  t.strictSame(fixture.projection.summary(Date.now()), { ...nothing, completed: 1 })
  t.strictSame(fixture.projection.summary(Date.now() + 25 * 3_600_000), nothing, 'of the last day')
})

await t.test('a process that stops between claiming a key and submitting leaves the rest to the next one', async (t) => {
  const fixture = await openFixture(t)
  const key = { scope: 'abc', fingerprint: 'f' }
  const id = '3f0f0b1c-5a43-4f0e-9d7e-0a1b2c3d4e5f'
  const hash = new CallerHash(fixture.store)
  const stored = { scope: await hash.of(key.scope), fingerprint: await hash.of(key.fingerprint) }
  await claimKey(fixture.store, stored, id, Date.now())
  t.equal(await fixture.jobs.find(id), null)
  const { id: found, replayed } = await fixture.jobs.submit(questionOf('tides'), key)
  t.strictSame([found, replayed, (await fixture.jobs.find(id))?.status], [id, true, 'queued'])
})

await t.test('after a store outage the subscription continues where it was', async (t) => {
  const fixture = await openFixture(t)
  const seen: string[] = []
  const troubles: unknown[] = []
  /** Breaks off once, after the first event. */
  const flaky: Pick<EventStore, 'subscribe'> = {
    async *subscribe(category, after, signal) {
      for await (const event of fixture.store.subscribe(category, after, signal)) {
        yield event
        if (troubles.length === 0) throw new Error('gone')
      }
    },
  }
  const stop = new AbortController()
  const hear = ({ stream, type }: CategoryEvent) => {
    seen.push(`${stream} ${type}`)
    if (seen.length >= 2) stop.abort()
  }
  const ids = [await fixture.jobs.submit(questionOf('a')), await fixture.jobs.submit(questionOf('b'))].map(({ id }) => id)
  await followJobs(flaky, hear, stop.signal, { onError: (error) => troubles.push(error) })
  t.strictSame(
    seen,
    ids.map((id) => `askjob-${id} requested`),
  )
  t.match(troubles, [{ message: 'gone' }])
})
