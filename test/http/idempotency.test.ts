import { Readable } from 'node:stream'
import { mock } from 'node:test'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { ServiceError } from '../../src/contract/errors.js'
import { createHost } from '../../src/http/host.js'
import { replayIdempotentRequests } from '../../src/http/plugins/idempotency.js'
import { stateOf } from '../../src/http/request-state.js'
import { LocalReplyStore } from '../../src/operations/kept-replies.js'
import { refused } from '../harness/answers.js'
import { gate } from '../support/gate.js'

const A_DAY_MS = 86_400_000

/** A host that counts how often it really answers, and can be told to wait with it. */
async function counting(t: Test) {
  const clock = { now: 1 }
  const host = await createHost({ logger: pino({ level: 'silent' }), trustProxy: false })
  replayIdempotentRequests(host, new LocalReplyStore(() => clock.now), { readRemovals: async () => state.removals() })
  t.teardown(() => host.close())
  const state = { answered: 0, hold: Promise.resolve(), removals: () => 'none' }
  const config = { idempotent: true }
  host.post('/answer', { config }, async (request, reply) => {
    state.answered += 1
    await state.hold
    reply.headers({ 'Content-Language': 'de', 'Service-Position': 7 })
    return { body: request.body ?? null, number: state.answered }
  })
  host.post('/other', { config }, async () => ({ number: ++state.answered }))
  host.post('/fail', { config }, async () => {
    throw new ServiceError('upstream_unavailable', `failure ${++state.answered}`)
  })
  host.post('/stream', { config }, async (_request, reply) => {
    const parts = [`event: start\n\n`, `number: ${++state.answered}\n\n`]
    return reply.type('text/event-stream').send(Readable.from(parts, { objectMode: false }))
  })
  host.post('/partial', { config }, async (request) => {
    stateOf(request.raw).hasTransientFailure = state.answered === 0
    return { number: ++state.answered }
  })
  host.post('/plain', async () => ({ number: ++state.answered }))
  const post = (url: string, key: string | undefined, payload = '{}', remoteAddress = '192.0.2.1', headers: Record<string, string> = {}) =>
    host.inject({
      method: 'POST',
      url,
      remoteAddress,
      headers: {
        ...headers,
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(payload === '' ? {} : { 'content-type': 'application/json' }),
      },
      ...(payload === '' ? {} : { payload }),
    })
  return { state, clock, post }
}

await t.test('the same key and payload get the first answer again', async (t) => {
  const { state, post } = await counting(t)
  const first = await post('/answer', 'k1', '{"a":1}')
  t.equal(first.headers['idempotency-replayed'], undefined)
  for (const key of ['k1', '"k1"']) {
    const again = await post('/answer', key, '{"a":1}')
    t.strictSame([again.statusCode, again.body, again.headers['idempotency-replayed']], [200, first.body, 'true'], key)
    t.match(again.headers, { 'content-language': 'de', 'service-position': '7', 'content-type': first.headers['content-type'] })
    t.not(again.headers['x-request-id'], first.headers['x-request-id'], 'but it is another request')
  }
  t.equal(state.answered, 1)
  const empty = await post('/answer', 'k2', '')
  t.equal((await post('/answer', 'k2', '')).body, empty.body, 'no body is a payload, too')
})

await t.test('without a key, or where keys mean nothing, every request is answered', async (t) => {
  const { state, post } = await counting(t)
  for (const url of ['/answer', '/answer', '/plain']) await post(url, undefined)
  for (const url of ['/plain', '/plain']) await post(url, 'k1')
  t.equal(state.answered, 5)
})

await t.test('another payload is a 422', async (t) => {
  const { post } = await counting(t)
  await post('/answer', 'k1', '{"a":1}')
  for (const payload of ['{"a":2}', '', '{"a":1} ']) refused(t, await post('/answer', 'k1', payload), 422, 'validation_failed')
  refused(t, await post('/answer?x=1', 'k1', '{"a":1}'), 422, 'validation_failed', 'another query, too')
})

await t.test('a key belongs to its caller and its path', async (t) => {
  const { state, post } = await counting(t)
  const mine = await post('/answer', 'k1', '{"a":1}')
  const theirs = await post('/answer', 'k1', '{"a":2}', '198.51.100.7')
  t.strictSame([theirs.statusCode, theirs.json().number], [200, 2], 'another caller does not get this reply')
  t.equal((await post('/other', 'k1', '{"a":1}')).json().number, 3)
  t.equal((await post('/answer', 'k1', '{"a":1}')).body, mine.body)
  t.equal(state.answered, 3)
})

await t.test('while the first is running, the second is a 409', async (t) => {
  const { state, post } = await counting(t)
  const [hold, release] = gate()
  state.hold = hold
  // `inject` starts only when it is awaited.
  const first = post('/answer', 'k1').then((response) => response)
  const second = await post('/answer', 'k1')
  refused(t, second, 409, 'conflict')
  t.equal(second.headers['retry-after'], '1')
  refused(t, await post('/answer', 'k1', '{"a":1}'), 422, 'validation_failed', 'but another payload is wrong at any time')
  release()
  t.equal((await first).statusCode, 200)
  t.equal((await post('/answer', 'k1')).headers['idempotency-replayed'], 'true')
})

await t.test('a failure leaves the key free', async (t) => {
  const { state, post } = await counting(t)
  for (const number of [1, 2]) {
    t.equal(refused(t, await post('/fail', 'k1'), 503, 'upstream_unavailable').message, `failure ${number}`)
  }
  refused(t, await post('/answer', 'k2', '{'), 400, 'invalid_request')
  t.equal((await post('/answer', 'k2', '{}')).statusCode, 200, 'so does a body that could not be read')
  t.equal(state.answered, 3)
})

await t.test('so does a reply with a part that may succeed later', async (t) => {
  const { post } = await counting(t)
  const numbers: number[] = []
  for (let i = 0; i < 3; i++) numbers.push((await post('/partial', 'k1')).json().number)
  t.strictSame(numbers, [1, 2, 2])
})

await t.test('another Accept-Language is another request', async (t) => {
  const { post } = await counting(t)
  const first = await post('/answer', 'k1', '{}', '192.0.2.1', { 'accept-language': 'de' })
  refused(t, await post('/answer', 'k1', '{}', '192.0.2.1', { 'accept-language': 'ja' }), 422, 'validation_failed')
  refused(t, await post('/answer', 'k1'), 422, 'validation_failed', 'none, too')
  t.equal((await post('/answer', 'k1', '{}', '192.0.2.1', { 'accept-language': 'de' })).body, first.body)
})

await t.test('a stream is passed on and repeated as it was', async (t) => {
  const { post } = await counting(t)
  const first = await post('/stream', 'k1')
  const again = await post('/stream', 'k1')
  t.strictSame([first.body, again.body], Array(2).fill('event: start\n\nnumber: 1\n\n'))
  t.match(again.headers, { 'content-type': 'text/event-stream', 'idempotency-replayed': 'true' })
})

await t.test('keys are forgotten after a day', async (t) => {
  const { state, clock, post } = await counting(t)
  await post('/answer', 'k1')
  clock.now = A_DAY_MS
  await post('/answer', 'k1')
  t.equal(state.answered, 1)
  clock.now = A_DAY_MS + 2
  t.equal((await post('/answer', 'k1', '{"now":"another"}')).statusCode, 200)
})

await t.test('and leave the memory without another request', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const clock = { now: 1 }
  const replies = new LocalReplyStore(() => clock.now)
  replies.begin({ scope: 's', fingerprint: 'f' })
  replies.keep('s', { status: 200, headers: {}, body: Buffer.from('kept'), removals: '' })
  const pass = (ms: number) => {
    clock.now += ms
    mock.timers.tick(ms)
  }
  pass(A_DAY_MS)
  t.equal(replies.size, 1)
  pass(60_000)
  t.equal(replies.size, 0)
})

await t.test('what is no key is a 400', async (t) => {
  const { post } = await counting(t)
  for (const key of ['', ' ', '""', '"', '"a', 'a"', 'a b', 'a, b', '"a"b"', '"a\\b"', 'é', `"${'x'.repeat(256)}"`, 'x'.repeat(256)]) {
    refused(t, await post('/answer', Buffer.from(key).toString('latin1')), 400, 'invalid_request', JSON.stringify(key))
  }
  for (const key of ['x'.repeat(255), '"with space"', '"\\"\\\\"', 'a\\b', '8e03978e-40d5-43dd-bc93-6894a57f9324']) {
    t.equal((await post('/answer', key)).statusCode, 200, key.slice(0, 40))
  }
})

await t.test('a reply is repeated until someone was removed', async (t) => {
  const { state, post } = await counting(t)
  const numbers: number[] = []
  const again = async () => numbers.push((await post('/other', 'k1')).json().number)
  for (let i = 0; i < 2; i++) await again()
  state.removals = () => 'one'
  for (let i = 0; i < 2; i++) await again()
  t.strictSame(numbers, [1, 1, 2, 2])
})

await t.test('nor is it kept if that happened while it was made, or cannot be known', async (t) => {
  const { state, post } = await counting(t)
  let looks = 0
  state.removals = () => `removal ${++looks}`
  for (const number of [1, 2]) t.equal((await post('/other', 'k1')).json().number, number)
  state.removals = () => {
    throw new Error('away')
  }
  for (const number of [3, 4]) t.equal((await post('/other', 'k2')).json().number, number)
})

await t.test('a removal clears the store, also of replies that are being made', async (t) => {
  const replies = new LocalReplyStore()
  const request = { scope: 's', fingerprint: 'f' }
  const reply = { status: 200, headers: {}, body: Buffer.from('about Ada'), removals: '' }
  for (const scope of ['s', 'kept']) replies.begin({ ...request, scope })
  replies.keep('kept', reply)
  replies.clear()
  replies.keep('s', reply)
  t.equal(replies.size, 0)
  t.equal(replies.begin(request), 'first')
})

await t.test('a small reply keeps no more memory than its own', async (t) => {
  const replies = new LocalReplyStore()
  replies.begin({ scope: 's', fingerprint: 'f' })
  replies.keep('s', { status: 200, headers: {}, body: Buffer.from('cut out of a larger block'), removals: '' })
  const kept = replies.begin({ scope: 's', fingerprint: 'f' })
  t.equal(typeof kept === 'object' && kept.body.buffer.byteLength, 25)
})

await t.test('what is kept is bounded', async (t) => {
  const answers = new LocalReplyStore()
  const answer = { status: 200, headers: {}, body: Buffer.alloc(1000 * 1024), removals: '' }
  for (let i = 0; i < 40; i++) {
    t.equal(answers.begin({ scope: `s${i}`, fingerprint: 'f' }), 'first')
    answers.keep(`s${i}`, answer)
  }
  t.equal(answers.begin({ scope: 's0', fingerprint: 'f' }), 'first', 'the oldest are forgotten')
  t.same(answers.begin({ scope: 's39', fingerprint: 'f' }), answer)
  answers.begin({ scope: 'huge', fingerprint: 'f' })
  answers.keep('huge', { ...answer, body: Buffer.alloc(2_000_000) })
  t.equal(answers.begin({ scope: 'huge', fingerprint: 'f' }), 'first', 'a huge answer is not kept at all')
  for (let i = 0; i < 10_001; i++) answers.begin({ scope: `n${i}`, fingerprint: 'f' })
  t.equal(answers.begin({ scope: 'n0', fingerprint: 'f' }), 'first')
  t.equal(answers.begin({ scope: 'n10000', fingerprint: 'f' }), 'running')
})
