import type { LightMyRequestResponse } from 'fastify'
import t from 'tap'
import { AsyncAskJob, AsyncAskJobStatus } from '../../src/ask/response.js'
import { invalid, refused } from '../harness/answers.js'
import { Service, WEB_URL } from '../harness/service.js'
import { eventually } from '../ports/subject.js'

const poster =
  ({ web }: Service) =>
  (payload?: unknown, headers: Record<string, string> = {}, remoteAddress = '192.0.2.1'): Promise<LightMyRequestResponse> =>
    web.inject({
      method: 'POST',
      url: '/ask/jobs',
      remoteAddress,
      headers: { ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(payload === undefined ? {} : { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
    })

const idIn = (response: LightMyRequestResponse): string => AsyncAskJob.parse(response.json()).job_id

await t.test('asking for a job', async (t) => {
  const service = await Service.start(t, { answering: false })
  const post = poster(service)

  await t.test('is a 202 that says where to look and when', async (t) => {
    const response = await post({ query: 'what is this?' })
    const job = AsyncAskJob.strict().parse(response.json())
    t.equal(response.statusCode, 202)
    t.equal(job.status, 'queued')
    t.equal(job.status_url, `${WEB_URL}/ask/jobs/${job.job_id}`)
    t.match(response.headers, {
      location: job.status_url,
      'retry-after': '5',
      'cache-control': 'no-store',
      'service-api-version': '2026-05-26',
      'access-control-expose-headers': /Location/,
    })
    t.equal(response.headers['idempotency-replayed'], undefined)

    const known = await service.web.inject(new URL(job.status_url).pathname)
    t.strictSame([known.statusCode, known.headers['retry-after']], [200, '5'], 'and it is known at once')
    t.strictSame(AsyncAskJobStatus.strict().parse(known.json()), job)
  })

  await t.test('needs no body, and no query in it', async (t) => {
    for (const payload of [undefined, {}, { query: '' }, { query: null }, { prefer: { streaming: true } }]) {
      t.equal((await post(payload)).statusCode, 202, JSON.stringify(payload))
    }
    t.equal((await post('', { 'content-type': 'application/json', 'content-length': '0' })).statusCode, 202)
  })

  await t.test('with what is no question is refused', async (t) => {
    refused(t, await post('{'), 400, 'invalid_request')
    refused(t, await post('query=x', { 'content-type': 'application/x-www-form-urlencoded' }), 415, 'invalid_request')
    refused(t, await post({ query: 'x'.repeat(70_000) }), 413, 'invalid_request')
    invalid(t, await post({ query: 5 }), ['query'], 'a number')
    refused(t, await post([1]), 422, 'validation_failed')
    refused(t, await post('"text"'), 422, 'validation_failed')
    refused(t, await post({ query: 'x' }, { 'service-api-version': 'tomorrow' }), 400, 'invalid_request')
  })

  await t.test('twice with one key is one job', async (t) => {
    const first = await post({ query: 'tides' }, { 'idempotency-key': '"k1"' })
    const again = await post({ query: 'tides' }, { 'idempotency-key': 'k1' })
    t.strictSame([again.statusCode, again.json(), again.headers.location], [202, first.json(), first.headers.location])
    t.strictSame(
      [first, again].map(({ headers }) => headers['idempotency-replayed']),
      [undefined, 'true'],
    )
    t.equal(again.headers['retry-after'], '5')
    refused(t, await post({ query: 'moon' }, { 'idempotency-key': 'k1' }), 422, 'validation_failed')
    refused(t, await post({ query: 'moon' }, { 'idempotency-key': '"' }), 400, 'invalid_request')
    t.not(idIn(await post({ query: 'tides' }, { 'idempotency-key': 'k1' }, '198.51.100.7')), idIn(first), 'for each caller')
    t.not(idIn(await post({ query: 'tides' }, { 'idempotency-key': 'k2' })), idIn(first))
  })

  await t.test('at once with one key is one job, too', async (t) => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => post({ query: 'tides' }, { 'idempotency-key': 'rush' })))
    t.equal(new Set(answers.map(idIn)).size, 1)
    t.equal(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined).length, 1, 'and one of them is the first')
  })

  await t.test('answers only POST', async (t) => {
    const response = await service.web.inject('/ask/jobs')
    refused(t, response, 405, 'invalid_request')
    t.equal(response.headers.allow, 'POST, OPTIONS')
  })
})

await t.test('a job that is done', async (t) => {
  const service = await Service.start(t)
  const post = poster(service)
  const asked = await post({ query: 'what is this?', query_id: 'mine' }, { 'idempotency-key': 'k' })
  const { pathname } = new URL(String(asked.headers.location))
  const done = await eventually(async () => {
    const response = await service.web.inject(pathname)
    return response.json().status === 'completed' ? response : null
  })

  t.equal(done.headers['retry-after'], undefined, 'nothing to wait for any more')
  const status = AsyncAskJobStatus.strict().parse(done.json())
  t.equal(status.result?.query_id, 'mine')
  t.equal(status.error, undefined)
  t.ok(status.updated_at >= status.created_at)
  t.strictSame(
    (await post({ query: 'what is this?', query_id: 'mine' }, { 'idempotency-key': 'k' })).json(),
    asked.json(),
    'its key still answers as then',
  )
  const head = await service.web.inject({ method: 'HEAD', url: pathname })
  t.strictSame([head.statusCode, head.body], [200, ''])
})

await t.test('an unknown job is a 404 for any id', async (t) => {
  const service = await Service.start(t, { answering: false })
  for (const id of ['x', '00000000-0000-0000-0000-000000000000', '%00', '..%2Fx', '%E6%97%A5', '__proto__', 'a'.repeat(2000)]) {
    refused(t, await service.web.inject(`/ask/jobs/${id}`), 404, 'not_found', id.slice(0, 40))
  }
  for (const method of ['POST', 'DELETE', 'PUT'] as const) {
    refused(t, await service.web.inject({ method, url: '/ask/jobs/x' }), 405, 'invalid_request')
  }
})

await t.test('asking counts as two agent requests, looking as one', async (t) => {
  const service = await Service.start(t, { answering: false, agentLimit: 4 })
  const post = poster(service)
  const asked = await post({ query: 'x' })
  t.match(asked.headers, { 'ratelimit-policy': '"agent";q=4;w=60', 'ratelimit-remaining': '2' })
  const look = () => service.web.inject({ url: new URL(String(asked.headers.location)).pathname, remoteAddress: '192.0.2.1' })
  t.equal((await look()).headers['ratelimit-remaining'], '1')
  t.equal((await look()).headers['ratelimit-remaining'], '0')
  for (const response of [await look(), await post({ query: 'x' })]) {
    refused(t, response, 429, 'rate_limited')
    t.match(response.headers['retry-after'], /^[1-9]\d*$/)
  }
})
