/** The EventStoreDB adapter with servers that do not answer, follow another, or speak TLS. */
import t, { type Test } from 'tap'
import { DEADLINE_MS } from '../../src/adapters/eventstore/calls.js'
import { EventStoreDbEventStore } from '../../src/adapters/eventstore/event-store.js'
import { START } from '../../src/ports/event-log.js'
import type { EventStore } from '../../src/ports/event-store.js'
import { brief, event, follow, next } from '../ports/event-store/events.js'
import { eventually } from '../ports/subject.js'
import { certificateIn } from '../servers/certificates.js'
import { EventStoreStandIn } from '../servers/eventstore-stand-in.js'
import { TcpProxy } from '../servers/tcp-proxy.js'
import { folderWith } from './folder.js'

// Most of the time they wait for deadlines.
t.jobs = 6

const UNAVAILABLE = { name: 'EventStoreUnavailableError' }

async function started(t: Test, options: Parameters<typeof EventStoreStandIn.start>[0] = {}): Promise<EventStoreStandIn> {
  const server = await EventStoreStandIn.start(options)
  t.teardown(() => server.stop())
  return server
}

function opened(t: Test, url: string): EventStore {
  const store = new EventStoreDbEventStore(url, { maxAges: { askjob: 60 } })
  t.teardown(() => store.close())
  return store
}

/** Every operation, each begun at once. */
function allFail(t: Test, store: EventStore): Promise<unknown> {
  const subscription = store.subscribe('askjob', START, new AbortController().signal)[Symbol.asyncIterator]()
  return Promise.all([
    t.rejects(store.read('askjob-1'), UNAVAILABLE, 'read'),
    t.rejects(store.append('askjob-1', [event('requested')], 'no stream'), UNAVAILABLE, 'append'),
    t.rejects(store.append('askjob-1', [event('requested')], 0), UNAVAILABLE, 'append to a stream'),
    t.rejects(store.delete('askjob-1'), UNAVAILABLE, 'delete'),
    t.rejects(subscription.next(), UNAVAILABLE, 'subscribe'),
  ])
}

async function allWork(t: Test, store: EventStore, stream: `${string}-${string}`): Promise<void> {
  t.equal(await store.append(stream, [event('requested')], 'no stream'), 0)
  t.equal(await store.append(stream, [event('started')], 0), 1)
  await t.rejects(store.append(stream, [event('other')], 0), { name: 'WrongRevisionError', actual: 1 })
  t.strictSame(brief(await store.read(stream)), ['requested@0', 'started@1'])
  const subscription = follow(t, store)
  await eventually(async () => (await next(subscription, 1))[0]?.stream === stream)
  await store.delete(stream)
  t.strictSame(await store.read(stream), [])
}

for (const discover of ['', '+discover']) {
  t.test(
    `a server that takes connections and never answers fails each operation at its deadline: esdb${discover}`,
    { buffered: true },
    async (t) => {
      const server = await started(t)
      const proxy = await TcpProxy.start(t, server.port)
      proxy.stall()
      const store = opened(t, `esdb${discover}://127.0.0.1:${proxy.port}?tls=false`)
      const begun = performance.now()
      await allFail(t, store)
      t.ok(performance.now() - begun < 2 * DEADLINE_MS, 'all at once, none after the other')
      proxy.heal()
      await eventually(() => store.read('askjob-1').catch(() => null))
      await allWork(t, store, 'askjob-2')
    },
  )
}

t.test(
  'a server that falls silent fails each operation, and a subscription once the connection is known to be dead',
  { buffered: true },
  async (t) => {
    const server = await started(t)
    const proxy = await TcpProxy.start(t, server.port)
    const store = opened(t, `esdb://127.0.0.1:${proxy.port}?tls=false`)
    await store.append('askjob-0', [event('requested')], 'no stream')
    const subscription = follow(t, store)
    await next(subscription, 1)
    const waiting = subscription.next()
    proxy.stall()
    await allFail(t, store)
    proxy.cut()
    await t.rejects(waiting, 'it says that it is interrupted')
    proxy.heal()
    await eventually(() => store.read('askjob-0').catch(() => null))
    await allWork(t, store, 'askjob-2')
  },
)

t.test('a member of a cluster names the leader, by gossip and when it is asked for it', { buffered: true }, async (t) => {
  const leader = await started(t)
  const follower = await started(t, { leader })
  const urls = {
    discovered: `esdb+discover://127.0.0.1:${follower.port}?tls=false`,
    several: `esdb://127.0.0.1:${follower.port},127.0.0.1:${leader.port}?tls=false`,
    'a follower preferred': `esdb+discover://127.0.0.1:${leader.port}?tls=false&nodePreference=follower`,
    'the follower alone': follower.url,
  }
  for (const [index, [name, url]] of Object.entries(urls).entries()) {
    await t.test(name, (t) => allWork(t, opened(t, url), `askjob-${index}`))
  }
  await t.test('after a change of leader', async (t) => {
    const store = opened(t, urls.discovered)
    await store.append('askjob-before', [event('requested')], 'no stream')
    follower.lead()
    await allWork(t, store, 'askjob-after')
    t.equal((await store.read('askjob-before')).length, 1)
  })
})

t.test('a silent member of several does not keep the others from being found', { buffered: true }, async (t) => {
  const leader = await started(t)
  const proxy = await TcpProxy.start(t, leader.port)
  proxy.stall()
  const store = opened(t, `esdb://127.0.0.1:${proxy.port},127.0.0.1:${leader.port}?tls=false`)
  await eventually(() => store.read('askjob-1').catch(() => null))
  await allWork(t, store, 'askjob-1')
})

t.test('over TLS, with an authority that is named; without it every operation is refused', { buffered: true }, async (t) => {
  const folder = folderWith()
  const server = await started(t, { certificate: await certificateIn(folder, 'server') })
  const other = await certificateIn(folder, 'other')
  await allWork(t, opened(t, server.url), 'askjob-1')
  await allWork(t, opened(t, server.url.replace('esdb:', 'esdb+discover:')), 'askjob-2')
  await allFail(t, opened(t, server.url.replace(/tlsCAFile=.*/, `tlsCAFile=${encodeURIComponent(other.certFile)}`)))
  const proxy = await TcpProxy.start(t, server.port)
  proxy.stall()
  await allFail(t, opened(t, server.url.replace(`:${server.port}`, `:${proxy.port}`)))
})
