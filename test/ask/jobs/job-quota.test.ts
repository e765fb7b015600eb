import { pino } from 'pino'
import t from 'tap'
import { AskJobs } from '../../../src/ask/jobs/ask-jobs.js'
import { CallerHash } from '../../../src/ask/jobs/caller-hash.js'
import { CallerTurns } from '../../../src/ask/jobs/caller-turns.js'
import { releaseKey } from '../../../src/ask/jobs/idempotency-keys.js'
import { eraseJob } from '../../../src/ask/jobs/job-erasure.js'
import { MAX_AGES, RETENTION_S } from '../../../src/ask/jobs/job-events.js'
import { JobFollower } from '../../../src/ask/jobs/job-follower.js'
import { JobQuota, QuotaExceededError } from '../../../src/ask/jobs/job-quota.js'
import { toQuestion } from '../../../src/ask/request.js'
import type { AskResponse } from '../../../src/ask/response.js'
import type { StreamName } from '../../../src/ports/event-store.js'
import { refused } from '../../harness/answers.js'
import { Service } from '../../harness/service.js'
import { eventually } from '../../ports/subject.js'
import { MemoryEventStore } from '../../support/memory-event-store.js'
import { NOBODY_REMOVED } from '../../support/nobody-removed.js'
import { JobFixture } from './fixture.js'
import { questionOf } from './questions.js'

const roomy = { jobs: 1000, bytes: 1_000_000 }

/** Two processes that accept jobs on one store, which follow each other. */
function processes(t: { teardown(end: () => Promise<void>): void }, limits: ConstructorParameters<typeof JobQuota>[0]) {
  const clock = { now: Date.now() }
  const store = new MemoryEventStore({ maxAges: MAX_AGES, now: () => clock.now })
  const open = () => {
    const quota = new JobQuota(limits)
    const stats = new JobFollower(store, pino({ level: 'silent' }), quota)
    t.teardown(() => stats.stop())
    stats.start()
    return { jobs: new AskJobs(store, NOBODY_REMOVED, { quota, now: () => clock.now }), stats }
  }
  return { clock, store, one: open(), other: open() }
}

t.test('a caller keeps so many jobs, whichever process accepts them', async (t) => {
  const { clock, one, other } = processes(t, { perCaller: { jobs: 3, bytes: 1_000_000 }, inAll: roomy })
  for (let i = 0; i < 3; i++) {
    await one.jobs.submit(questionOf(`question ${i}`), undefined, 'ann')
    clock.now += 60_000
  }
  await eventually(async () => other.stats.summary()?.queued === 3)
  for (const { jobs } of [one, other]) {
    await t.rejects(jobs.submit(questionOf('more'), undefined, 'ann'), {
      name: 'QuotaExceededError',
      scope: 'caller',
      retryAfterS: RETENTION_S - 180,
    })
    await t.resolves(jobs.submit(questionOf('more'), undefined, `bob of ${jobs === one.jobs}`), 'others go on')
  }
  clock.now += (RETENTION_S - 180) * 1000
  await t.resolves(other.jobs.submit(questionOf('more'), undefined, 'ann'), 'waiting as told is enough')
  await t.rejects(other.jobs.submit(questionOf('more'), undefined, 'ann'), { name: 'QuotaExceededError' }, 'for one')
})

t.test('bytes count, those of the answers too', async (t) => {
  const { one, store } = processes(t, { perCaller: { jobs: 100, bytes: 4000 }, inAll: roomy })
  const fixture = JobFixture.open(t, store)
  fixture.startWorker(async () => ({ answer: 'x'.repeat(3000) }) as AskResponse)
  const { id } = await one.jobs.submit(questionOf('tides'), undefined, 'ann')
  await fixture.until(id, ({ status }) => status === 'completed')
  await eventually(async () => one.stats.summary()?.completed === 1)
  await t.rejects(one.jobs.submit(questionOf('y'.repeat(1000)), undefined, 'ann'), { name: 'QuotaExceededError', scope: 'caller' })
  await t.resolves(one.jobs.submit(questionOf('short'), undefined, 'ann'))
})

t.test('bytes are bytes, in every script', async (t) => {
  const { one } = processes(t, { perCaller: { jobs: 10, bytes: 2000 }, inAll: roomy })
  await t.resolves(one.jobs.submit(questionOf('a'.repeat(900)), undefined, 'ann'))
  await t.rejects(one.jobs.submit(questionOf('山'.repeat(900)), undefined, 'bob'), { name: 'QuotaExceededError', scope: 'caller' })
})

t.test('an erasure that is repeated leaves the key to the job that was started meanwhile', async (t) => {
  const { store, one } = processes(t, { perCaller: roomy, inAll: roomy })
  const key = { scope: 'scope', fingerprint: 'fingerprint' }
  const ask = () => one.jobs.submit(questionOf('again'), key, 'ann')
  const { id: first, job } = await ask()
  await eraseJob(store, first)
  const { id: second } = await ask()
  t.not(second, first)
  // As another process does that was slower.
  await releaseKey(store, job.keyStream as StreamName, first)
  t.equal((await ask()).id, second)
})

t.test('all callers together keep so many', async (t) => {
  const { one, other } = processes(t, { perCaller: roomy, inAll: { jobs: 2, bytes: 1_000_000 } })
  const key = { scope: 'scope', fingerprint: 'f' }
  await one.jobs.submit(questionOf('a'), undefined, 'ann')
  const { id } = await one.jobs.submit(questionOf('b'), key, 'bob')
  await eventually(async () => other.stats.summary()?.queued === 2)
  await t.rejects(other.jobs.submit(questionOf('c'), undefined, 'cleo'), { name: 'QuotaExceededError', scope: 'all' })
  await t.rejects(other.jobs.submit(questionOf('c'), { ...key, scope: 'new' }, 'cleo'), { name: 'QuotaExceededError' })
  t.match(await other.jobs.submit(questionOf('b'), key, 'bob'), { id, replayed: true }, 'a key that has its job keeps it')
})

/** Submits until it is refused; how many were accepted, and the refusal. */
async function takeAll(jobs: AskJobs, caller: string, network: string | null = null) {
  for (let taken = 0; ; taken++) {
    const refusal = await jobs.submit(questionOf(`question ${taken}`), undefined, caller, network).then(
      () => null,
      (error: unknown) => error,
    )
    if (refusal instanceof QuotaExceededError) return { taken, refusal }
    if (refusal !== null) throw refusal
  }
}

t.test('callers who take all they can leave room for those who keep few', async (t) => {
  const { clock, one } = processes(t, { perCaller: { jobs: 200, bytes: 10_000_000 }, inAll: { jobs: 1000, bytes: 100_000_000 } })
  const greedy: number[] = []
  for (let n = 0; n < 20; n++) greedy.push((await takeAll(one.jobs, `greedy ${n}`)).taken)
  t.strictSame(greedy.slice(0, 4), [200, 200, 100, 2], 'half is open to all, then each gets a few')
  clock.now += 3_600_000
  const { taken, refusal } = await takeAll(one.jobs, 'newcomer')
  t.equal(taken, 2)
  t.match(refusal, { scope: 'all', retryAfterS: RETENTION_S - 3600 })
  clock.now += refusal.retryAfterS * 1000 - 1
  await t.rejects(one.jobs.submit(questionOf('early'), undefined, 'newcomer'), { name: 'QuotaExceededError' })
  clock.now += 1
  await t.resolves(one.jobs.submit(questionOf('in time'), undefined, 'newcomer'), 'waiting as told is enough')
})

t.test('the callers of one IPv6 network share ten times what one of them gets', async (t) => {
  const { one, other } = processes(t, { perCaller: { jobs: 3, bytes: 1_000_000 }, inAll: roomy })
  let taken = 0
  for (let n = 0; n < 20; n++) taken += (await takeAll(one.jobs, `host ${n}`, 'network')).taken
  t.equal(taken, 30)
  await eventually(async () => other.stats.summary()?.queued === 30)
  await t.rejects(other.jobs.submit(questionOf('more'), undefined, 'host 99', 'network'), { name: 'QuotaExceededError', scope: 'caller' })
  await t.resolves(other.jobs.submit(questionOf('more'), undefined, 'host 99', 'other network'))
})

t.test('the network of an address counts', async (t) => {
  const quota = new JobQuota({ perCaller: { jobs: 1, bytes: 1_000_000 }, inAll: roomy })
  const service = await Service.start(t, { answering: false, agentLimit: 60, quota })
  const post = (remoteAddress: string) =>
    service.web.inject({ method: 'POST', url: '/ask/jobs', payload: { query: 'why?' }, remoteAddress })
  for (let n = 1; n <= 10; n++) t.equal((await post(`2001:db8:1:${n}::1`)).statusCode, 202)
  refused(t, await post('2001:db8:1:99::1'), 429, 'rate_limited')
  t.equal((await post('2001:db8:2:99::1')).statusCode, 202)
})

t.test('a job stores what is read of earlier questions, and its answer is that of /ask', async (t) => {
  const service = await Service.start(t)
  const payload = { query: 'and in music?', prev: Array(10).fill(`What is trending in games? ${'And so on. '.repeat(170)}`) }
  const post = (url: string) => service.web.inject({ method: 'POST', url, payload })
  t.ok(Buffer.byteLength(JSON.stringify(toQuestion(payload))) < 2048)
  const accepted = await post('/ask/jobs')
  if (!t.equal(accepted.statusCode, 202)) return
  const { job_id } = accepted.json()
  const status = async () => (await service.web.inject(`/ask/jobs/${job_id}`)).json()
  await eventually(async () => (await status()).status === 'completed')
  t.strictSame((await status()).result, (await post('/ask')).json())
})

t.test('beyond it, the answer is a 429 whose headers agree', async (t) => {
  const quota = new JobQuota({ perCaller: { jobs: 1, bytes: 1_000_000 }, inAll: roomy })
  const service = await Service.start(t, { answering: false, agentLimit: 60, quota })
  const post = () => service.web.inject({ method: 'POST', url: '/ask/jobs', payload: { query: 'what is this?' } })
  t.equal((await post()).statusCode, 202)
  const response = await post()
  refused(t, response, 429, 'rate_limited')
  const wait = Number(response.headers['retry-after'])
  t.ok(wait > RETENTION_S - 600 && wait <= RETENTION_S)
  t.equal(Number(response.headers['ratelimit-reset']), wait, 'and not less')
  t.match(response.headers.ratelimit, `;t=${wait}`)
})

t.test('callers are stored as keyed hashes, the same in every process', async (t) => {
  const store = new MemoryEventStore()
  const hashes = await Promise.all([new CallerHash(store), new CallerHash(store.another())].map((callers) => callers.of('192.0.2.1')))
  t.equal(hashes[0], hashes[1])
  t.not(await new CallerHash(new MemoryEventStore()).of('192.0.2.1'), hashes[0], 'another installation has another key')
  await new AskJobs(store, NOBODY_REMOVED).submit(questionOf('tides'), undefined, '192.0.2.1')
  const stored = JSON.stringify(store.history)
  t.ok(stored.includes(hashes[0] ?? 'none'))
  t.notMatch(stored, '192.0.2.1')
})

t.test('callers take turns', (t) => {
  const turns = new CallerTurns()
  const jobs = new Map([
    ['ann', ['a1', 'a2', 'a3']],
    ['bob', ['b1']],
    ['cleo', ['c1', 'c2']],
  ])
  t.strictSame(turns.order(jobs, 2), ['a1', 'b1'])
  jobs.set('ann', ['a2', 'a3']).delete('bob')
  t.strictSame(turns.order(jobs, 9), ['c1', 'a2', 'c2', 'a3'], 'who has waited longest is first')
  t.strictSame(turns.order(new Map(), 9), [])
  t.end()
})

t.test('one with many jobs does not hold up one with a single job', async (t) => {
  const store = new MemoryEventStore()
  const fixture = JobFixture.open(t, store)
  for (let i = 0; i < 30; i++) await fixture.jobs.submit(questionOf(`many ${i}`), undefined, 'ann')
  const { id } = await fixture.jobs.submit(questionOf('single'), undefined, 'bob')
  const answered: string[] = []
  fixture.startWorker(
    async ({ text }) => {
      answered.push(text)
      return { answer: text } as AskResponse
    },
    { concurrency: 1 },
  )
  await fixture.until(id, ({ status }) => status === 'completed')
  t.ok(answered.indexOf('single') <= 2, `after ${answered.indexOf('single')} others`)
})
