/** Ask jobs do the same on every event store. */
import type { Test } from 'tap'
import { isFinished } from '../../src/ask/jobs/job-events.js'
import type { EventStore } from '../../src/ports/event-store.js'
import { Office } from '../ask/jobs/fixture.js'
import { answerTo, questionOf } from '../ask/jobs/questions.js'
import { opened, type Subject } from './subject.js'

export async function askJobsContract(t: Test, subject: Subject<EventStore>): Promise<void> {
  await t.test(`ask jobs on ${subject.name}`, async (t) => {
    await t.test('workers on connections of their own share the jobs, and end each once', async (t) => {
      const { store, another } = await opened(t, subject)
      const desk = Office.open(t, store)
      let answered = 0
      for (const connection of [await another(), await another(), await another()]) {
        desk.hire(
          async (question) => {
            answered += 1
            return answerTo(question)
          },
          {},
          connection,
        )
      }
      const asked = await Promise.all(Array.from({ length: 12 }, (_, i) => desk.jobs.submit(questionOf(`question ${i}`))))
      for (const [i, { id }] of asked.entries()) {
        t.match(await desk.until(id, isFinished), { status: 'completed', result: { answer: `about question ${i}` } })
        t.strictSame(await desk.history(id), ['requested', 'started', 'completed'])
      }
      t.equal(answered, 12)
    })

    await t.test('a job whose worker says nothing any more is taken over', async (t) => {
      const { store, another } = await opened(t, subject)
      const desk = Office.open(t, store)
      desk.hire(() => new Promise<never>(() => {}), { leaseMs: 200, shutdownMs: 0 }, await another())
      const { id } = await desk.jobs.submit(questionOf('tides'))
      await desk.until(id, ({ status }) => status === 'running')
      desk.hire(async (question) => answerTo(question), {}, await another())
      t.match(await desk.until(id, isFinished), { status: 'completed', result: { answer: 'about tides' } })
      t.equal((await desk.history(id)).filter((type) => type === 'completed').length, 1)
    })

    await t.test('a key is one job, for all connections at once and after reopening', async (t) => {
      const { store, another, reopen } = await opened(t, subject)
      const key = { scope: 'caller_and-key', fingerprint: 'f' }
      const desks = [store, await another()].map((connection) => Office.open(t, connection))
      const asked = await Promise.all(desks.flatMap(({ jobs }) => Array.from({ length: 4 }, () => jobs.submit(questionOf('tides'), key))))
      t.equal(new Set(asked.map(({ id }) => id)).size, 1)
      t.equal(asked.filter(({ replayed }) => !replayed).length, 1)
      for (const { jobs } of desks) {
        await t.rejects(jobs.submit(questionOf('moon'), { ...key, fingerprint: 'g' }), { name: 'KeyReusedError' })
      }
      for (const desk of desks) await desk.close()
      const later = Office.open(t, await reopen())
      t.match(await later.jobs.submit(questionOf('tides'), key), { id: asked[0]?.id, replayed: true })
    })
  })
}
