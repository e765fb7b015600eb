/** The EventStoreDB adapter against a stand-in for the server: see test/servers/eventstore-stand-in.ts. */
import t from 'tap'
import { EventStoreDbEventStore } from '../../src/adapters/eventstore/event-store.js'
import { START } from '../../src/ports/event-log.js'
import { brief, event, follow, next } from '../ports/event-store/events.js'
import { eventStoreContract } from '../ports/event-store.js'
import { EventStoreStandIn } from '../servers/eventstore-stand-in.js'

await eventStoreContract(t, {
  name: 'EventStoreDB (a stand-in serving its protocol)',
  async open() {
    const server = await EventStoreStandIn.start()
    const { memory } = server
    const another = async () => new EventStoreDbEventStore(server.url, { now: () => Date.now() + memory.clockAheadMs })
    return {
      store: await another(),
      another,
      async pass(seconds) {
        memory.clockAheadMs += seconds * 1000
      },
      remove: () => server.stop(),
    }
  },
})

async function opened(t: Parameters<typeof eventStoreContract>[0]) {
  const server = await EventStoreStandIn.start()
  const store = new EventStoreDbEventStore(server.url)
  t.teardown(async () => {
    await store.close()
    await server.stop()
  })
  return { server, store }
}

await t.test('a subscription outlives its connections, misses nothing and repeats nothing', async (t) => {
  const { server, store } = await opened(t)
  const subscription = follow(t, store)
  const seen: string[] = []
  for (let round = 0; round < 4; round++) {
    await store.append(`askjob-${round}`, [event('requested'), event('started')], 'no stream')
    seen.push(...(await next(subscription, 2)).map(({ stream, type }) => `${stream} ${type}`))
    await server.dropConnections()
  }
  t.strictSame(
    seen,
    [0, 1, 2, 3].flatMap((round) => [`askjob-${round} requested`, `askjob-${round} started`]),
  )
})

await t.test('an append whose connection breaks is made once', async (t) => {
  const { server, store } = await opened(t)
  await store.append('askjob-1', [event('requested')], 'no stream')
  const appends = Array.from({ length: 20 }, (_, i) => store.append(`askjob-x${i}`, [event('requested')], 'no stream'))
  await server.dropConnections()
  t.strictSame(await Promise.all(appends), Array(20).fill(0))
  for (let i = 0; i < 20; i++) t.strictSame(brief(await store.read(`askjob-x${i}`)), ['requested@0'])
})

await t.test('streams carry the age after which the server may forget them', async (t) => {
  const { server, store } = await opened(t)
  await store.append('askjob-old', [event('requested')], 'no stream')
  await store.append('other-1', [event('kept')], 'no stream')
  await store.retain('askjob', 60)
  await store.append('askjob-new', [event('requested')], 'no stream')
  const ages = (stream: string) => server.memory.stream(`$$${stream}`)?.map(({ data }) => JSON.parse(data.toString()))
  t.strictSame(ages('askjob-old'), [{ $maxAge: 60 }], 'also those that were there before')
  t.strictSame(ages('askjob-new'), [{ $maxAge: 60 }])
  t.equal(ages('other-1'), undefined)
  await store.retain('askjob', 60)
  t.equal(ages('askjob-old')?.length, 1, 'the same once more changes nothing')
})

await t.test('the newer scheme names the same server', async (t) => {
  const { server, store } = await opened(t)
  await store.append('askjob-1', [event('requested')], 'no stream')
  const newer = new EventStoreDbEventStore(server.url.replace('esdb:', 'kurrentdb:'))
  t.teardown(() => newer.close())
  const [seen] = await next(newer.subscribe('askjob', START, new AbortController().signal)[Symbol.asyncIterator](), 1)
  t.equal(seen?.stream, 'askjob-1')
})
