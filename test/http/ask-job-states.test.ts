/** What a look at a job shows, in each state it can be in. */
import { join } from 'node:path'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { SqliteEventStore } from '../../src/adapters/sqlite/event-store.js'
import { AskJobs } from '../../src/ask/jobs/ask-jobs.js'
import { type AskJobEvent, jobStream, toStreamEvent } from '../../src/ask/jobs/job-events.js'
import { AsyncAskJobStatus } from '../../src/ask/response.js'
import { createHost } from '../../src/http/host.js'
import { serveAskJobs } from '../../src/http/web/ask-jobs.js'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import { answerTo, questionOf } from '../ask/jobs/questions.js'
import { refused } from '../harness/answers.js'
import { WEB_URL } from '../harness/service.js'
import { NOBODY_REMOVED } from '../support/nobody-removed.js'

async function serving(t: Test) {
  const folder = await temporaryFolder()
  const store = new SqliteEventStore(join(folder, 'events.db'))
  const host = await createHost({ logger: pino({ level: 'silent' }), trustProxy: false })
  serveAskJobs(host, new AskJobs(store, NOBODY_REMOVED), WEB_URL)
  t.teardown(async () => {
    await host.close()
    await store.close()
    await removeFolder(folder)
  })
  const ask = async () => (await host.inject({ method: 'POST', url: '/ask/jobs', payload: { query: 'tides' } })).json().job_id
  return { host, store, ask }
}

const started: AskJobEvent = { type: 'started', data: { attempt: 1, worker: 'w', leaseMs: 1000 } }
const result = answerTo(questionOf('tides'))

await t.test('states', async (t) => {
  const { host, store, ask } = await serving(t)
  const table: [events: AskJobEvent[], shown: object, retryAfter: string | undefined][] = [
    [[], { status: 'queued', result: undefined, error: undefined }, '5'],
    [[started], { status: 'running', result: undefined, error: undefined }, '5'],
    [[started, { type: 'attempt_failed', data: { attempt: 1, reason: 'secret reason', retryInMs: 9 } }], { status: 'queued' }, '5'],
    [[started, { type: 'completed', data: { attempt: 1, result } }], { status: 'completed', result, error: undefined }, undefined],
    [
      [started, { type: 'failed', data: { error: 'internal_error', message: 'It went wrong.' } }],
      { status: 'failed', result: undefined, error: { code: 50000, error: 'internal_error', message: 'It went wrong.' } },
      undefined,
    ],
    [
      [{ type: 'failed', data: { error: 'timeout', message: 'm' } }],
      { status: 'failed', error: { code: 50400, error: 'timeout' } },
      undefined,
    ],
  ]
  for (const [events, shown, retryAfter] of table) {
    const id = await ask()
    if (events.length > 0) await store.append(jobStream(id), events.map(toStreamEvent), 0)
    const response = await host.inject(`/ask/jobs/${id}`)
    t.equal(response.statusCode, 200)
    t.match(AsyncAskJobStatus.strict().parse(response.json()), { job_id: id, status_url: `${WEB_URL}/ask/jobs/${id}`, ...shown })
    t.equal(response.headers['retry-after'], retryAfter)
    t.notMatch(response.body, 'secret reason', 'the reason of a failure stays private')
  }
})

await t.test('events of a later version change nothing this one knows', async (t) => {
  const { host, store, ask } = await serving(t)
  const id = await ask()
  await store.append(
    jobStream(id),
    [
      { ...toStreamEvent(started), type: 'paused' },
      { ...toStreamEvent(started), data: { other: 'shape' } },
    ],
    0,
  )
  t.equal((await host.inject(`/ask/jobs/${id}`)).json().status, 'queued')
})

await t.test('a store that cannot be reached is a 503, to be tried again', async (t) => {
  const gone = async (): Promise<never> => {
    throw new Error('connection refused at 10.0.0.7')
  }
  const subscribe = (): never => {
    throw new Error('connection refused')
  }
  const host = await createHost({ logger: pino({ level: 'silent' }), trustProxy: false })
  t.teardown(() => host.close())
  serveAskJobs(host, new AskJobs({ append: gone, read: gone, delete: gone, close: gone, subscribe }, NOBODY_REMOVED), WEB_URL)
  const id = '3f0f0b1c-5a43-4f0e-9d7e-0a1b2c3d4e5f'
  for (const request of [{ url: `/ask/jobs/${id}` }, { method: 'POST', url: '/ask/jobs', headers: { 'idempotency-key': 'k' } }] as const) {
    const response = await host.inject(request)
    refused(t, response, 503, 'upstream_unavailable')
    t.equal(response.headers['retry-after'], '5')
    t.notMatch(response.body, '10.0.0.7')
  }
  t.equal((await host.inject('/ask/jobs/x')).statusCode, 404, 'what cannot be an id is known not to be one')
})

await t.test('browsers may ask with a key', async (t) => {
  const { host } = await serving(t)
  const headers = {
    origin: 'https://a.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type, idempotency-key',
  }
  const response = await host.inject({ method: 'OPTIONS', url: '/ask/jobs', headers })
  t.equal(response.statusCode, 204)
  t.match(response.headers, { 'access-control-allow-headers': /idempotency-key/, 'access-control-allow-methods': /POST/ })
})
