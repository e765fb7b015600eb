import { once } from 'node:events'
import { connect } from 'node:net'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { BodyGate } from '../../src/http/admission/body-gate.js'
import { createHost } from '../../src/http/host.js'
import { stateOf } from '../../src/http/request-state.js'
import { refused } from '../harness/answers.js'
import { answersIn, sendRaw } from '../harness/sockets.js'

/** A host that says what it has read. */
async function echo(t: Test, bodies?: BodyGate) {
  const host = await createHost({
    logger: pino({ level: 'silent' }),
    trustProxy: false,
    bodies,
  })
  host.post('/echo', async ({ body, raw }) => ({ body: body === undefined ? 'nothing' : body, bytes: stateOf(raw).rawBody.length }))
  t.teardown(() => host.close())
  const post = (payload: string | Buffer | undefined, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    host.inject({ method: 'POST', url: '/echo', headers, ...(payload === undefined ? {} : { payload }) })
  return { host, post }
}

await t.test('a body is JSON or nothing', async (t) => {
  const { post } = await echo(t)

  await t.test('JSON is read, under each of its names', async (t) => {
    for (const type of ['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON', 'application/ld+json']) {
      t.strictSame((await post('{"a":[1,"é"]}', { 'content-type': type })).json(), { body: { a: [1, 'é'] }, bytes: 14 }, type)
    }
    t.strictSame((await post('\ufeff{"a":1}')).json().body, { a: 1 }, 'with a byte order mark')
    t.strictSame((await post('null')).json().body, null)
  })

  await t.test('an empty body is no body, with any headers', async (t) => {
    const nothing = { body: 'nothing', bytes: 0 }
    const saying: Record<string, string>[] = [
      {},
      { 'content-type': 'application/json' },
      { 'content-type': 'application/x-www-form-urlencoded' },
    ]
    for (const headers of saying) {
      t.strictSame((await post(undefined, headers)).json(), nothing)
      t.strictSame((await post('', { ...headers, 'content-length': '0' })).json(), nothing)
    }
  })

  await t.test('what cannot be read is a 400', async (t) => {
    const bodies = [
      '{',
      '{a:1}',
      "{'a':1}",
      'undefined',
      '{"a":1}{"b":2}',
      '{"a":NaN}',
      '"\u0001"',
      '[1,]',
      Buffer.from([0x22, 0xff, 0x22]),
    ]
    for (const body of bodies) refused(t, await post(body), 400, 'invalid_request', String(body))
  })

  await t.test('what is no JSON is a 415', async (t) => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'x',
      '',
    ]) {
      refused(t, await post('{"a":1}', { 'content-type': type }), 415, 'invalid_request', type)
    }
    refused(t, await post('{"a":1}', {}), 415, 'invalid_request', 'no type')
    refused(t, await post('{"a":1}', { 'content-type': 'application/json', 'content-encoding': 'gzip' }), 415, 'invalid_request', 'gzip')
  })

  await t.test('more than 64 KiB is a 413', async (t) => {
    t.equal((await post(JSON.stringify('x'.repeat(64 * 1024 - 2)))).statusCode, 200, 'not one byte too early')
    refused(t, await post(JSON.stringify('x'.repeat(64 * 1024 - 1))), 413, 'invalid_request')
    refused(t, await post('x'.repeat(1_000_000), { 'content-type': 'text/plain' }), 413, 'invalid_request', 'of another type')
  })

  await t.test('names that mean something to JavaScript are only names', async (t) => {
    t.equal((await post('{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}}}')).statusCode, 200)
    t.notOk('a' in {})
  })
})

await t.test('a body over a socket', async (t) => {
  const head = 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

  await t.test('that takes too long gets a 408 with a message', async (t) => {
    const { host } = await echo(t, new BodyGate({ timeoutMs: 50 }))
    const port = Number(new URL(await host.listen({ host: '127.0.0.1', port: 0 })).port)
    for (const rest of [
      'Content-Length: 10\r\n\r\n{"a"',
      'Transfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\n',
      'Content-Length: 10\r\n\r\n',
    ]) {
      const [answer, ...more] = answersIn(await sendRaw(port, head + rest))
      t.equal(more.length, 0)
      t.equal(answer?.statusCode, 408, rest)
      t.match(JSON.parse(answer?.body ?? ''), { code: 40800, error: 'timeout', retryable: true, message: /too slowly/ })
    }
  })

  await t.test('in chunks is read, and one that breaks off harms no other request', async (t) => {
    const { host, post } = await echo(t)
    const port = Number(new URL(await host.listen({ host: '127.0.0.1', port: 0 })).port)
    const chunked = await sendRaw(
      port,
      `${head}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n`,
      '3\r\n{"a\r\n',
      '4\r\n":1}\r\n',
      '0\r\n\r\n',
    )
    t.match(chunked, /200 OK[\s\S]*\{"body":\{"a":1\},"bytes":7\}/)

    const connected = once(host.server, 'connection')
    const socket = connect(port, '127.0.0.1')
    const [connection] = await connected
    const received = once(host.server, 'request')
    socket.write(`${head}Content-Length: 100\r\n\r\n{"a":`)
    await received
    const gone = new Promise((resolve) => connection.once('close', resolve))
    socket.destroy()
    await gone
    t.equal((await post('{}')).statusCode, 200)
  })

  await t.test('that is not read does not block the next request, unless it is long', async (t) => {
    const { host } = await echo(t)
    host.get('/plain', async () => ({}))
    const port = Number(new URL(await host.listen({ host: '127.0.0.1', port: 0 })).port)
    for (const [size, statuses] of [
      [1000, [200, 200]],
      [2_000_000, [200]],
    ] as const) {
      const first = `GET /plain HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n\r\n${'x'.repeat(size)}`
      const received = await sendRaw(port, first, 'GET /plain HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      t.strictSame(
        answersIn(received).map(({ statusCode }) => statusCode),
        statuses,
      )
    }
  })

  await t.test('is answered before it has arrived if it is too large', async (t) => {
    const { host } = await echo(t)
    const port = Number(new URL(await host.listen({ host: '127.0.0.1', port: 0 })).port)
    const [answer] = answersIn(await sendRaw(port, `${head}Content-Length: 100000\r\n\r\n{`))
    t.equal(answer?.statusCode, 413)
  })
})
