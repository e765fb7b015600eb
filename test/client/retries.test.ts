/** The retry policy of the specification, against a server that fails as its table says. */
import t from 'tap'
import { ApiError, ConnectionError } from '../../src/client/index.js'
import {
  collect,
  cutsOff,
  fails,
  hangsUp,
  PAGE,
  ScriptedServer,
  STATUS,
  sends,
  sendsText,
  stalls,
  staysSilent,
  succeeds,
} from './scripted-server.js'

/** As the specification lists them. */
const TRANSIENT = [408, 425, 500, 502, 503, 504]
const FINAL = [400, 401, 403, 404, 409, 422]

t.test('what may succeed later is tried four times in all, with exponential backoff', async (t) => {
  for (const status of TRANSIENT) {
    const mended = await ScriptedServer.start(t, [fails(status), fails(status), fails(status), succeeds])
    t.strictSame(await mended.client.getCommunityFeed(), PAGE, `${status}`)
    t.strictSame(mended.waits, [500, 1000, 2000], `${status}`)

    const broken = await ScriptedServer.start(t, [fails(status)])
    await t.rejects(broken.client.getCommunityFeed(), { name: 'ApiError', status, message: 'not now', retryable: true, requestId: 'r1' })
    t.equal(broken.requests.length, 4, `${status}`)
  }
})

t.test('the jitter is full', async (t) => {
  const draws = [0, 0.25, 1]
  const server = await ScriptedServer.start(t, [fails(503)], { random: () => draws.shift() ?? 1 })
  await t.rejects(server.client.getPopularTags())
  t.strictSame(server.waits, [0, 250, 2000])
})

t.test('what cannot succeed is not repeated', async (t) => {
  for (const status of FINAL) {
    const server = await ScriptedServer.start(t, [fails(status, { 'retry-after': '1' }), succeeds])
    await t.rejects(server.client.getCommunityFeed(), { name: 'ApiError', status, retryable: false })
    t.equal(server.requests.length, 1, `${status}`)
    await t.rejects((await ScriptedServer.start(t, [fails(status)])).client.ask('why?'), { name: 'ApiError', status })
  }
  for (const status of [405, 410, 413, 415, 501, 505]) {
    const server = await ScriptedServer.start(t, [fails(status), succeeds])
    await t.rejects(server.client.getCommunityFeed(), { name: 'ApiError', status })
    t.equal(server.requests.length, 1, `${status}`)
  }
})

t.test('after a 429 it waits exactly as long as it is told', async (t) => {
  const inTen = new Date(Date.now() + 10_000).toUTCString()
  for (const [headers, expected] of [
    [{ 'retry-after': '17' }, 17_000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '7', 'ratelimit-reset': '30' }, 7000],
    [{ 'ratelimit-reset': '30' }, 30_000],
  ] as const) {
    const server = await ScriptedServer.start(t, [fails(429, headers), succeeds])
    await server.client.getCommunityFeed()
    t.strictSame(server.waits, [expected], JSON.stringify(headers))
  }
  const dated = await ScriptedServer.start(t, [fails(429, { 'retry-after': inTen }), succeeds])
  await dated.client.getCommunityFeed()
  const [waited = 0] = dated.waits
  t.ok(waited > 0 && waited <= 10_000, `${waited} ms until ${inTen}`)
})

t.test('a 429 that does not say how long backs off like the others, whatever else its headers hold', async (t) => {
  const useless: Record<string, string>[] = [{}, { 'retry-after': 'soon' }, { 'retry-after': '-5' }, { 'ratelimit-reset': 'later' }]
  for (const headers of useless) {
    const server = await ScriptedServer.start(t, [fails(429, headers), succeeds])
    await server.client.getCommunityFeed()
    t.strictSame(server.waits, [500], JSON.stringify(headers))
  }
})

t.test('a 503 that asks for time gets it, and jitter on top; RateLimit-Reset means nothing there', async (t) => {
  const server = await ScriptedServer.start(t, [
    fails(503, { 'retry-after': '2', 'ratelimit-reset': '60' }),
    fails(503, { 'ratelimit-reset': '60' }),
    succeeds,
  ])
  await server.client.getCommunityFeed()
  t.strictSame(server.waits, [2500, 1000])
})

t.test('a wait that is too long is the caller’s to decide', async (t) => {
  const server = await ScriptedServer.start(t, [fails(429, { 'retry-after': '86400' })])
  await t.rejects(server.client.askJob('why?'), { name: 'ApiError', status: 429, error: 'rate_limited', retryAfterMs: 86_400_000 })
  t.equal(server.requests.length, 1)
  const patient = await ScriptedServer.start(t, [fails(429, { 'retry-after': '86400' }), succeeds], { maxWaitMs: Number.POSITIVE_INFINITY })
  await patient.client.getPopularTags()
  t.strictSame(patient.waits, [86_400_000])
})

t.test('fewer attempts may be asked for, more are not made', async (t) => {
  for (const [maxAttempts, expected] of [
    [1, 1],
    [2, 2],
    [100, 4],
  ] as const) {
    const server = await ScriptedServer.start(t, [fails(503)], { maxAttempts })
    await t.rejects(server.client.getPopularTags(), { name: 'ApiError', status: 503 })
    t.equal(server.requests.length, expected)
  }
})

t.test('after repeated 5xx it looks at the status once, before it tries again', async (t) => {
  const server = await ScriptedServer.start(t, [fails(503)])
  const error = await server.client.getPopularTags().catch((failure: unknown) => failure)
  t.strictSame(
    server.seen.map(({ url }) => url),
    ['/public/share/tags', '/public/share/tags', '/status', '/public/share/tags', '/public/share/tags'],
  )
  t.ok(error instanceof ApiError)
  t.match(error, { service: STATUS })
  const slow = await ScriptedServer.start(t, [fails(408)])
  await t.rejects(slow.client.getPopularTags(), { name: 'ApiError', status: 408, service: null })
  t.equal(slow.seen.length, 4, 'a 408 is no failure of the service')
})

t.test('what got no answer, or a part of one, is sent again', async (t) => {
  for (const [what, answer] of Object.entries({ hangsUp, cutsOff: cutsOff('{"code":0,"da') })) {
    const server = await ScriptedServer.start(t, [answer, answer, succeeds])
    t.strictSame(await server.client.getCommunityFeed(), PAGE, what)
    t.strictSame(server.waits, [500, 1000], what)
  }
  const gone = await ScriptedServer.start(t, [hangsUp])
  const error = await gone.client.getCommunityFeed().catch((failure: unknown) => failure)
  t.ok(error instanceof ConnectionError)
  t.match(error, { message: /^no answer: / })
  t.equal(gone.requests.length, 4)
})

t.test('a timeout counts like a lost connection, for the head and for the body', async (t) => {
  for (const answer of [staysSilent, stalls('{"code":0,')]) {
    const server = await ScriptedServer.start(t, [answer, succeeds], { timeoutMs: 400 })
    t.strictSame(await server.client.getCommunityFeed(), PAGE)
    const silent = await ScriptedServer.start(t, [answer], { maxAttempts: 1 })
    await t.rejects(silent.client.getPopularTags({}, { timeoutMs: 20 }), { name: 'ConnectionError', message: /within 20 ms$/ })
  }
})

t.test('an error page of a proxy counts by its status', async (t) => {
  const page = sendsText('<html><h1>Bad gateway</h1>', 'text/html', 502)
  const server = await ScriptedServer.start(t, [page, succeeds])
  t.strictSame(await server.client.getCommunityFeed(), PAGE)
  await t.rejects((await ScriptedServer.start(t, [page])).client.getCommunityFeed(), {
    name: 'ApiError',
    status: 502,
    code: 50_200,
    error: 'upstream_unavailable',
    message: '502 Bad Gateway, without an error envelope (text/html)',
  })
})

t.test('a question is repeated as it was, and a new job carries the same key each time', async (t) => {
  const answer = { query_id: 'q', answer: 'Because.', citations: [], results: [] }
  const asked = await ScriptedServer.start(t, [fails(503), sends(answer)])
  t.match(await asked.client.ask('why?'), answer)
  t.equal(asked.requests[0]?.body, asked.requests[1]?.body)
  t.equal(asked.requests[0]?.headers['idempotency-key'], undefined, 'it only reads')

  const job = { job_id: 'j/1', status: 'queued', status_url: 'http://elsewhere.example/j1' }
  const jobs = await ScriptedServer.start(t, [hangsUp, fails(500), sends(job, 202)])
  t.match(await jobs.client.createAskJob('why?'), job)
  const keys = jobs.requests.map(({ headers }) => headers['idempotency-key'])
  t.match(keys[0], /^"[0-9a-f]{32}"$/)
  t.strictSame(new Set(keys).size, 1)
  await jobs.client.createAskJob('why?')
  t.not(jobs.requests.at(-1)?.headers['idempotency-key'], keys[0], 'another job has another key')
})

t.test('a stream is retried before its first event, never after it', async (t) => {
  const events = 'event: start\ndata: {"message_type":"start"}\n\n'
  const type = 'text/event-stream; charset=utf-8'
  const complete = sendsText(`${events}data: {"message_type":"complete","answer":"Because."}\n\n`, type)
  const mended = await ScriptedServer.start(t, [fails(503), hangsUp, complete])
  t.match(await collect(mended.client.askStream('why?')), [{ message_type: 'start' }, { message_type: 'complete' }])
  t.equal(mended.requests.length, 3)

  const cut = await ScriptedServer.start(t, [cutsOff(events, type), complete])
  const seen: string[] = []
  await t.rejects(
    async () => {
      for await (const { message_type } of cut.client.askStream('why?')) seen.push(message_type)
    },
    { name: 'ConnectionError', message: /^no complete answer/ },
  )
  t.strictSame(seen, ['start'])
  t.equal(cut.requests.length, 1)
})

t.test('a job is polled no more often than every five seconds, and less often if the service asks', async (t) => {
  const job = { job_id: 'j/1', status_url: 'http://elsewhere.example/j1' }
  const running = { ...job, status: 'running' }
  const done = { ...job, status: 'completed', result: { answer: 'Because.' } }
  const server = await ScriptedServer.start(t, [
    sends({ ...job, status: 'queued' }, 202, { 'retry-after': '5' }),
    sends(running, 200, { 'retry-after': '30' }),
    sends(running, 200, { 'retry-after': '1' }),
    sends(running),
    fails(503),
    sends(done),
  ])
  const seen: string[] = []
  t.match(await server.client.askJob('why?', { onStatus: ({ status }) => seen.push(status) }), { answer: 'Because.' })
  t.strictSame(server.waits, [5000, 30_000, 5000, 5000, 500])
  t.strictSame(seen, ['queued', 'running', 'running', 'running', 'completed'])
  t.strictSame(new Set(server.requests.slice(1).map(({ url }) => url)), new Set(['/ask/jobs/j%2F1']), 'at the host it was given')

  const failed = await ScriptedServer.start(t, [
    sends({ ...job, status: 'failed', error: { code: 50_400, error: 'timeout', message: 'It took too long.' } }),
  ])
  await t.rejects(failed.client.waitForAskJob('j/1'), { name: 'ApiError', status: 504, error: 'timeout', message: 'It took too long.' })
  t.strictSame(failed.waits, [], 'the first look is at once')
})
