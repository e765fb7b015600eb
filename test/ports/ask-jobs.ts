/** Ask jobs do the same on every event store. */
import type { Test } from 'tap'
import { isFinished } from '../../src/ask/jobs/job-events.js'
import type { EventStore } from '../../src/ports/event-store.js'
import { JobFixture } from '../ask/jobs/fixture.js'
import { answerTo, questionOf } from '../ask/jobs/questions.js'
import { opened, type Subject } from './subject.js'

export async function askJobsContract(t: Test, subject: Subject<EventStore>): Promise<void> {
  await t.test(`ask jobs on ${subject.name}`, async (t) => {
    await t.test('workers on separate connections share the jobs, and end each once', async (t) => {
      const { store, another } = await opened(t, subject)
      const fixture = JobFixture.open(t, store)
      let answered = 0
      for (const connection of [await another(), await another(), await another()]) {
        fixture.startWorker(
          async (question) => {
            answered += 1
            return answerTo(question)
          },
          {},
          connection,
        )
      }
      const asked = await Promise.all(Array.from({ length: 12 }, (_, i) => fixture.jobs.submit(questionOf(`question ${i}`))))
      for (const [i, { id }] of asked.entries()) {
        t.match(await fixture.until(id, isFinished), { status: 'completed', result: { answer: `about question ${i}` } })
        t.strictSame(await fixture.history(id), ['requested', 'started', 'completed'])
      }
      t.equal(answered, 12)
    })

    await t.test('a job whose worker is silent is taken over', async (t) => {
      const { store, another } = await opened(t, subject)
      const fixture = JobFixture.open(t, store)
      fixture.startWorker(() => new Promise<never>(() => {}), { leaseMs: 200, shutdownMs: 0 }, await another())
      const { id } = await fixture.jobs.submit(questionOf('tides'))
      await fixture.until(id, ({ status }) => status === 'running')
      fixture.startWorker(async (question) => answerTo(question), {}, await another())
      t.match(await fixture.until(id, isFinished), { status: 'completed', result: { answer: 'about tides' } })
      t.equal((await fixture.history(id)).filter((type) => type === 'completed').length, 1)
    })

    await t.test('a key is one job, for all connections at once and after reopening', async (t) => {
      const { store, another, reopen } = await opened(t, subject)
      const key = { scope: 'caller_and-key', fingerprint: 'f' }
      const fixtures = [store, await another()].map((connection) => JobFixture.open(t, connection))
      const asked = await Promise.all(
        fixtures.flatMap(({ jobs }) => Array.from({ length: 4 }, () => jobs.submit(questionOf('tides'), key))),
      )
      t.equal(new Set(asked.map(({ id }) => id)).size, 1)
      t.equal(asked.filter(({ replayed }) => !replayed).length, 1)
      for (const { jobs } of fixtures) {
        await t.rejects(jobs.submit(questionOf('moon'), { ...key, fingerprint: 'g' }), { name: 'KeyReusedError' })
      }
      for (const fixture of fixtures) await fixture.close()
      const later = JobFixture.open(t, await reopen())
      t.match(await later.jobs.submit(questionOf('tides'), key), { id: asked[0]?.id, replayed: true })
    })
  })
}
