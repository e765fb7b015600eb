/** Every call ends with its signal, wherever it is, and leaves no connection behind. */
import t from 'tap'
import type { CallOptions, Client } from '../../src/client/index.js'
import { eventually } from '../ports/subject.js'
import { type Answer, collect, fails, PAGE, ScriptedServer, sends, stalls, staysSilent } from './scripted-server.js'

const START = 'data: {"message_type":"start"}\n\n'
const STREAM = 'text/event-stream'
const FIRST_PAGE = { code: 0, data: { ...PAGE, items: [1], next_cursor: 'next' } }

const CALLS: Record<string, (client: Client, options: CallOptions) => Promise<unknown>> = {
  read: (client, options) => client.getPopularTags({}, options),
  items: (client, options) => collect(client.items('getCommunityFeed', {}, options)),
  batch: (client, options) => client.batch({ tags: { operation: 'getPopularTags' } }, options),
  ask: (client, options) => client.ask('why?', options),
  askStream: (client, options) => collect(client.askStream('why?', options)),
  askJob: (client, options) => client.askJob('why?', options),
  waitForAskJob: (client, options) => client.waitForAskJob('j', options),
  getStatus: (client, options) => client.getStatus(options),
}

const reason = new Error('no longer needed')

t.test('before anything is sent', async (t) => {
  const server = await ScriptedServer.start(t, [staysSilent])
  for (const [name, call] of Object.entries(CALLS))
    await t.rejects(call(server.client, { signal: AbortSignal.abort(reason) }), reason, name)
  t.equal(server.seen.length, 0)
})

t.test('while no answer comes, in the middle of one, and of an error', async (t) => {
  const answers: Record<string, Answer> = {
    silent: staysSilent,
    'in the middle': stalls('{"code":0,'),
    'in a stream': stalls(START, STREAM),
    'in an error': (response) => void response.writeHead(503).write('{'),
  }
  for (const [where, answer] of Object.entries(answers)) {
    for (const [name, call] of Object.entries(CALLS)) {
      // The status of a scripted server is always answered.
      if (name === 'getStatus') continue
      // An answer of the wrong type is another matter.
      if (where === (name === 'askStream' ? 'in the middle' : 'in a stream')) continue
      const server = await ScriptedServer.start(t, [answer])
      const controller = new AbortController()
      const rejected = t.rejects(call(server.client, { signal: controller.signal }), reason, `${name}, ${where}`)
      await eventually(async () => server.seen.length === 1)
      controller.abort(reason)
      await rejected
      await eventually(async () => server.closedResponses === 1)
    }
  }
})

t.test('while it waits for the next attempt or the next poll', async (t) => {
  const queued = sends({ job_id: 'j', status: 'queued' })
  const waits: [string, Answer][] = [
    ['read', fails(429, { 'retry-after': '50' })],
    ['items', fails(503, { 'retry-after': '50' })],
    ['batch', fails(503, { 'retry-after': '50' })],
    ['ask', fails(503, { 'retry-after': '50' })],
    ['askStream', fails(503, { 'retry-after': '50' })],
    ['askJob', queued],
    ['waitForAskJob', queued],
  ]
  for (const [name, answer] of waits) {
    const server = await ScriptedServer.start(t, [answer], { wait: undefined })
    const controller = new AbortController()
    const rejected = t.rejects(CALLS[name]?.(server.client, { signal: controller.signal }) ?? Promise.resolve(), reason, name)
    await eventually(async () => server.closedResponses === 1)
    controller.abort(reason)
    await rejected
    t.equal(server.seen.length, 1, name)
  }
})

t.test('between two pages and between two events', async (t) => {
  const paged = await ScriptedServer.start(t, [sends(FIRST_PAGE)])
  const controller = new AbortController()
  await t.rejects(async () => {
    for await (const _ of paged.client.items('getCommunityFeed', {}, { signal: controller.signal })) controller.abort(reason)
  }, reason)
  t.equal(paged.seen.length, 1)

  const streamed = await ScriptedServer.start(t, [stalls(START.repeat(3), STREAM)])
  const another = new AbortController()
  let events = 0
  await t.rejects(async () => {
    for await (const _ of streamed.client.askStream('why?', { signal: another.signal })) {
      events++
      another.abort(reason)
    }
  }, reason)
  t.equal(events, 1, 'events that have come already are not delivered')
  await eventually(async () => streamed.closedResponses === 1)
})

t.test('a loop that is left needs no signal', async (t) => {
  const streamed = await ScriptedServer.start(t, [stalls(START, STREAM)])
  for await (const _ of streamed.client.askStream('why?')) break
  await eventually(async () => streamed.closedResponses === 1)
  const paged = await ScriptedServer.start(t, [sends(FIRST_PAGE)])
  for await (const _ of paged.client.items('getCommunityFeed')) break
  t.equal(paged.seen.length, 1)
})

t.test('a slow reader of a stream is no timeout, a silent stream is one', async (t) => {
  const TIMEOUT_MS = 123_456
  const running = new Map<unknown, () => void>()
  const { setTimeout: start, clearTimeout: stop } = globalThis
  t.teardown(() => Object.assign(globalThis, { setTimeout: start, clearTimeout: stop }))
  Object.assign(globalThis, {
    setTimeout: (fire: () => void, ms?: number) => {
      const timer = start(fire, ms)
      if (ms === TIMEOUT_MS) running.set(timer, fire)
      return timer
    },
    clearTimeout: (timer: NodeJS.Timeout | undefined) => {
      running.delete(timer)
      stop(timer)
    },
  })
  const { client } = await ScriptedServer.start(t, [stalls(START, STREAM)], { timeoutMs: TIMEOUT_MS })
  const events = client.askStream('why?')
  t.match(await events.next(), { value: { message_type: 'start' } })
  t.equal(running.size, 0, 'no time runs while the reader is busy')
  const next = t.rejects(events.next(), { name: 'ConnectionError', message: `no complete answer within ${TIMEOUT_MS} ms` })
  await eventually(async () => running.size === 1)
  for (const fire of running.values()) fire()
  await next
  t.equal(running.size, 0)
})

t.test('a signal that outlives many calls keeps nothing of them', async (t) => {
  const server = await ScriptedServer.start(t, [sends({ code: 0, data: {} })])
  const { signal } = new AbortController()
  const listeners = { added: 0, removed: 0 }
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners.added++
    addEventListener.apply(signal, args)
  }
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners.removed++
    removeEventListener.apply(signal, args)
  }
  for (let n = 0; n < 5; n++) await server.client.getPopularTags({}, { signal })
  t.ok(listeners.added >= 5)
  t.ok(listeners.removed >= listeners.added)
})
