import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { SqliteEventStore } from '../../../src/adapters/sqlite/event-store.js'
import { AskJobs } from '../../../src/ask/jobs/ask-jobs.js'
import { JobBoard } from '../../../src/ask/jobs/board.js'
import { follow } from '../../../src/ask/jobs/follow.js'
import { type AskJob, isFinished, streamOf } from '../../../src/ask/jobs/job.js'
import { AskWorker, type AskWorkerOptions } from '../../../src/ask/jobs/worker.js'
import type { Question } from '../../../src/ask/request.js'
import type { AskResponse } from '../../../src/ask/response.js'
import { removeFolder, temporaryFolder } from '../../adapters/folder.js'
import { answerTo, questionOf } from './questions.js'

t.setTimeout(60_000)

const STALLING = fileURLToPath(new URL('stalling-worker.js', import.meta.url))
const silent = pino({ level: 'silent' })

async function office(t: Test) {
  const folder = await temporaryFolder()
  const path = join(folder, 'events.db')
  const store = new SqliteEventStore(path)
  const jobs = new AskJobs(store)
  const board = new JobBoard()
  const stop = new AbortController()
  const waiting = new Set<() => void>()
  const following = follow(store, board, stop.signal, {
    changed: () => {
      for (const look of waiting) look()
    },
  })
  const workers: AskWorker[] = []
  t.teardown(async () => {
    for (const worker of workers) await worker.stop()
    stop.abort()
    await following
    await store.close()
    await removeFolder(folder)
  })
  const hire = (answer: (question: Question) => Promise<AskResponse>, options?: AskWorkerOptions) => {
    const worker = new AskWorker(store, answer, silent, options)
    workers.push(worker)
    worker.start()
    return worker
  }
  /** Looks whenever something happens to any job. */
  const until = async (id: string, hasCome: (job: AskJob) => boolean): Promise<AskJob> => {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        const look = () => {
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
      })
      const job = await jobs.find(id)
      if (job !== null && hasCome(job)) return job
      await changed
    }
  }
  const history = async (id: string) => (await store.read(streamOf(id))).map(({ type }) => type)
  return { path, store, jobs, board, hire, until, history }
}

await t.test('a job is known at once, and answered', async (t) => {
  const { jobs, hire, until, history } = await office(t)
  const { id, job } = await jobs.request(questionOf('tides'))
  t.equal(job.status, 'queued')
  t.equal((await jobs.find(id))?.status, 'queued')
  hire(async (question) => answerTo(question))
  t.match(await until(id, isFinished), { status: 'completed', attempts: 1, result: { answer: 'about tides' } })
  t.strictSame(await history(id), ['requested', 'started', 'completed'])
})

await t.test('several workers share the jobs, and each job is answered once', async (t) => {
  const { jobs, hire, until, history } = await office(t)
  const answered: string[] = []
  for (let i = 0; i < 3; i++) {
    hire(async (question) => {
      answered.push(question.text)
      return answerTo(question)
    })
  }
  const ids = await Promise.all(Array.from({ length: 30 }, async (_, i) => (await jobs.request(questionOf(`question ${i}`))).id))
  for (const [i, id] of ids.entries()) {
    t.match(await until(id, isFinished), { status: 'completed', result: { answer: `about question ${i}` } })
    t.strictSame(await history(id), ['requested', 'started', 'completed'])
  }
  t.equal(answered.length, 30)
})

await t.test('a worker that is killed in the middle loses the job to another, which ends it once', async (t) => {
  const { path, jobs, hire, until, history } = await office(t)
  const child = fork(STALLING, [path, '300'], { stdio: 'inherit' })
  t.teardown(() => child.kill('SIGKILL'))
  const taken = once(child, 'message')
  const { id } = await jobs.request(questionOf('tides'))
  await taken
  t.equal((await jobs.find(id))?.status, 'running')
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
  hire(async (question) => answerTo(question))
  hire(async (question) => answerTo(question))
  t.match(await until(id, isFinished), { status: 'completed', attempts: 2 })
  t.strictSame(await history(id), ['requested', 'started', 'lease_expired', 'started', 'completed'])
})

await t.test('a worker that wakes up too late drops its answer', async (t) => {
  const { jobs, hire, until, history } = await office(t)
  let wakeUp = () => {}
  const asleep = new Promise<void>((resolve) => {
    wakeUp = resolve
  })
  const slow = hire(
    async (question) => {
      await asleep
      return { ...answerTo(question), answer: 'too late' }
    },
    { leaseMs: 100, attemptMs: 60_000, farewellMs: 60_000 },
  )
  const { id } = await jobs.request(questionOf('tides'))
  await until(id, ({ status }) => status === 'running')
  hire(async (question) => answerTo(question))
  t.match(await until(id, isFinished), { status: 'completed', result: { answer: 'about tides' } })
  wakeUp()
  await slow.stop()
  t.match(await jobs.find(id), { result: { answer: 'about tides' } })
  t.equal((await history(id)).filter((type) => type === 'completed').length, 1)
})

await t.test('an attempt that fails, or takes too long, is made again', async (t) => {
  const { jobs, hire, until, history } = await office(t)
  let calls = 0
  hire(
    async (question) => {
      calls += 1
      if (calls === 1) throw new Error('not now')
      return answerTo(question)
    },
    { attemptMs: 5000 },
  )
  const { id } = await jobs.request(questionOf('tides'))
  t.match(await until(id, isFinished), { status: 'completed', attempts: 2 })
  t.strictSame(await history(id), ['requested', 'started', 'attempt_failed', 'started', 'completed'])

  const impatient = await office(t)
  impatient.hire(() => new Promise<never>(() => {}), { attemptMs: 20 })
  const stalled = await impatient.jobs.request(questionOf('tides'))
  const job = await impatient.until(stalled.id, ({ status, attempts }) => status === 'queued' && attempts === 1)
  t.ok(job.status === 'queued' && job.notBefore > job.updatedAt, 'after a pause')
})

await t.test('a worker that is stopped hands over what it has not finished', async (t) => {
  const { jobs, hire, until, history } = await office(t)
  const worker = hire(() => new Promise<never>(() => {}), { farewellMs: 10 })
  const { id } = await jobs.request(questionOf('tides'))
  await until(id, ({ status }) => status === 'running')
  await worker.stop()
  t.strictSame(await history(id), ['requested', 'started', 'attempt_failed'])
  hire(async (question) => answerTo(question))
  t.equal((await until(id, isFinished)).status, 'completed')
})

await t.test('jobs are forgotten after a day', async (t) => {
  const folder = await temporaryFolder()
  const clock = { now: Date.UTC(2026, 5, 1, 18) }
  const store = new SqliteEventStore(join(folder, 'events.db'), { now: () => clock.now })
  t.teardown(async () => {
    await store.close()
    await removeFolder(folder)
  })
  const jobs = new AskJobs(store, () => clock.now)
  const key = { scope: 'abc', fingerprint: 'f' }
  const { id } = await jobs.request(questionOf('tides'), key)
  clock.now += 86_399_000
  t.equal((await jobs.find(id))?.status, 'queued')
  t.strictSame((await jobs.request(questionOf('tides'), key)).id, id, 'nor is its key before that, on the next day of the calendar')
  clock.now += 1000
  t.equal(await jobs.find(id), null)
  const again = await jobs.request(questionOf('tides'), key)
  t.strictSame([again.replayed, again.id === id], [false, false])
})

await t.test('ids that were never given out belong to nothing', async (t) => {
  const { jobs } = await office(t)
  for (const id of ['', 'x', '../x', 'a b', '00000000-0000-0000-0000-000000000000', '>', 'a.b.*', '日本', 'x'.repeat(5000)]) {
    t.equal(await jobs.find(id), null, id.slice(0, 40))
  }
})

await t.test('numbers for those who run it', async (t) => {
  const { jobs, board, hire, until } = await office(t)
  const nothing = { queued: 0, running: 0, completed: 0, failed: 0, retried: 0, oldest_queued_s: 0, oldest_running_s: 0 }
  t.strictSame(board.summary(Date.now()), nothing)
  const { id } = await jobs.request(questionOf('tides'))
  await until(id, () => board.get(id) !== undefined)
  t.strictSame(board.summary(Date.now() + 60_000), { ...nothing, queued: 1, oldest_queued_s: 60 })
  hire(async (question) => answerTo(question))
  await until(id, isFinished)
  await until(id, () => board.get(id) === undefined)
  t.strictSame(board.summary(Date.now()), { ...nothing, completed: 1 })
  t.strictSame(board.summary(Date.now() + 25 * 3_600_000), nothing, 'of the last day')
})
