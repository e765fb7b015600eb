/** Servers that never come to an end: every call does, without the help of its caller. */
import { gzipSync } from 'node:zlib'
import t from 'tap'
import type { Client } from '../../src/client/index.js'
import { eventually } from '../ports/subject.js'
import { type Answer, collect, fails, PAGE, pours, ScriptedServer, sends, sendsText, trickles } from './scripted-server.js'

const STREAM = 'text/event-stream'
const START = 'data: {"message_type":"start"}\n\n'
/** Of a type that a later version may have: such an event is skipped. */
const NEWS = 'data: {"message_type":"news"}\n\n'

const stream = (client: Client) => collect(client.askStream('why?'))
const items = (client: Client) => collect(client.items('getCommunityFeed'))

t.test('of an endless answer no more is read than allowed', async (t) => {
  const parts: [part: string, type: string, call: (client: Client) => Promise<unknown>][] = [
    [' '.repeat(1000), 'application/json', (client) => client.getPopularTags()],
    ['x'.repeat(1000), STREAM, stream],
    [`data: ${'x'.repeat(1000)}\n`, STREAM, stream],
    [': still here\n\n', STREAM, stream],
    ['\n'.repeat(1000), STREAM, stream],
    [NEWS, STREAM, stream],
    [START, STREAM, stream],
  ]
  for (const [part, type, call] of parts) {
    const server = await ScriptedServer.start(t, [pours(part, type)], { maxBytes: 100_000 })
    const error = { name: 'UnexpectedAnswerError', message: 'the answer is longer than 100000 bytes' }
    await t.rejects(call(server.client), error, JSON.stringify(part.slice(0, 40)))
    t.equal(server.requests.length, 1, 'and it is not asked for again')
    await eventually(async () => server.closedResponses === 1)
  }
  const { client } = await ScriptedServer.start(t, [pours(' '.repeat(1000), 'application/json', 404)])
  await t.rejects(client.getPopularTags(), { name: 'ApiError', status: 404, error: 'not_found' }, 'an error stays an error')
})

t.test('what trickles in does not prolong the time', async (t) => {
  // Long enough for the head of the answer on a busy machine: what is measured begins after it.
  const options = { timeoutMs: 1000, maxAttempts: 1 }
  const trickling: [Answer, (client: Client) => Promise<unknown>][] = [
    [trickles(' '), (client) => client.getPopularTags()],
    [trickles(': still here\n\n', STREAM), stream],
    [trickles('x', STREAM, { beginning: START }), stream],
    [trickles(NEWS, STREAM, { beginning: START }), stream],
  ]
  for (const [answer, call] of trickling) {
    const server = await ScriptedServer.start(t, [answer], options)
    await t.rejects(call(server.client), { name: 'ConnectionError', message: 'no complete answer within 1000 ms' })
    await eventually(async () => server.closedResponses === 1)
  }
  const { client } = await ScriptedServer.start(t, [trickles(' ', 'application/json', { status: 404 })], options)
  await t.rejects(client.getPopularTags(), { name: 'ApiError', status: 404 })
})

t.test('an answer encoded once that claims twice ends in time, although it makes fetch forget its signal', async (t) => {
  const twice: Answer = (response) => {
    const body = gzipSync('{"code":0,"data":{}}')
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip, gzip', 'content-length': body.length })
      .end(body)
  }
  const { client } = await ScriptedServer.start(t, [twice], { timeoutMs: 200, maxAttempts: 1 })
  // Every second one hangs, on the connection of the one before.
  for (let i = 0; i < 6; i++) await t.rejects(client.getPopularTags(), { name: 'ConnectionError' })
})

t.test('events prolong the time of a stream', async (t) => {
  const { client } = await ScriptedServer.start(t, [trickles(START, STREAM)], { timeoutMs: 400 })
  const began = performance.now()
  for await (const _ of client.askStream('why?')) if (performance.now() - began > 1000) break
  t.ok(performance.now() - began > 1000)
})

const leadsTo = (cursor: string): Answer => sends({ code: 0, data: { ...PAGE, hasMore: true, next_cursor: cursor } })

t.test('pages that go round in a circle', async (t) => {
  for (const circle of [1, 2, 3, 7, 50]) {
    for (const before of [0, 1, 5]) {
      let page = 0
      const next: Answer = (...args) => {
        const place = page < before ? page : before + ((page - before) % circle)
        page++
        leadsTo(`c${place}`)(...args)
      }
      const server = await ScriptedServer.start(t, [next])
      await t.rejects(items(server.client), { name: 'UnexpectedAnswerError', message: /lead back to an earlier one/ })
      t.ok(server.requests.length <= 2 + 3 * Math.max(circle, before), `${server.requests.length} for ${before} and ${circle}`)
    }
  }
})

t.test('pages without an end', async (t) => {
  let page = 0
  const server = await ScriptedServer.start(t, [(...args) => leadsTo(`c${page++}`)(...args)], { maxPages: 25 })
  await t.rejects(items(server.client), { name: 'UnexpectedAnswerError', message: /more than 25 pages: raise maxPages/ })
  t.equal(server.requests.length, 25)
})

t.test('a job that is never done, whatever the service asks for', async (t) => {
  const running = { job_id: 'j1', status: 'running' }
  const absurd = ['999999999', '-5', 'NaN', '1e99', '999999999999999999999', new Date(8.64e15).toUTCString()]
  for (const retryAfter of absurd) {
    const server = await ScriptedServer.start(t, [sends(running, 200, { 'retry-after': retryAfter })], {
      maxWaitMs: 20_000,
      maxJobMs: 47_000,
    })
    const error = { name: 'ConnectionError', message: /j1 is not done within 47000 ms: waitForAskJob goes on with it/ }
    await t.rejects(server.client.askJob('why?'), error, retryAfter)
    // Only whole seconds count here.
    const pause = retryAfter === '999999999' ? 20_000 : 5000
    t.equal(server.waits[1], pause, retryAfter)
    t.equal(
      server.waits.reduce((sum, ms) => sum + ms),
      47_000,
      'the last wait is what is left',
    )
    t.equal(server.requests.length, server.waits.length + 1)
  }
})

t.test('the requests for a job count, too', async (t) => {
  const slow: Answer = (response, request) => setTimeout(() => sends({ job_id: 'j1', status: 'running' })(response, request), 60)
  const server = await ScriptedServer.start(t, [slow], { maxJobMs: 50 })
  await t.rejects(server.client.waitForAskJob('j1'), { name: 'ConnectionError' })
  t.equal(server.requests.length, 1)
})

t.test('a failure that asks for an absurd wait is not waited for', async (t) => {
  for (const status of [429, 503]) {
    for (const retryAfter of ['999999999', '999999999999999', new Date(8.64e15 / 4).toUTCString()]) {
      const server = await ScriptedServer.start(t, [fails(status, { 'retry-after': retryAfter })])
      await t.rejects(server.client.getPopularTags(), { name: 'ApiError', status }, retryAfter)
      t.strictSame(server.waits, [], retryAfter)
    }
    for (const retryAfter of ['-1', 'NaN', '1e99', 'Infinity', '99999999999999999999']) {
      const server = await ScriptedServer.start(t, [fails(status, { 'retry-after': retryAfter }), sends({ code: 0, data: {} })])
      await server.client.getPopularTags()
      t.strictSame(server.waits, [500], retryAfter)
    }
  }
})

t.test('job ids that lead elsewhere, or that no address can hold', async (t) => {
  for (const id of ['..', '.', '']) {
    const server = await ScriptedServer.start(t, [sends({ job_id: id, status: 'queued' })])
    await t.rejects(server.client.askJob('why?'), { name: 'UnexpectedAnswerError' })
    t.equal(server.requests.length, 1)
  }
  const server = await ScriptedServer.start(t, [
    sendsText('{"job_id":"\\ud800","status":"completed","result":{"answer":"x"}}', 'application/json'),
  ])
  t.match(await server.client.askJob('why?'), { answer: 'x' })
})
