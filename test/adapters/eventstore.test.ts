/** The EventStoreDB adapter against a stand-in for the server: see test/servers/eventstore-stand-in.ts. */
import t from 'tap'
import { EventStoreDbEventStore } from '../../src/adapters/eventstore/event-store.js'
import { MAX_AGES } from '../../src/ask/jobs/job-events.js'
import { followJobs } from '../../src/ask/jobs/job-follower.js'
import { type Position, START } from '../../src/ports/event-log.js'
import type { CategoryEvent } from '../../src/ports/event-store.js'
import { BRIEF, brief, event, follow, next } from '../ports/event-store/events.js'
import { eventStoreContract } from '../ports/event-store.js'
import { eventually } from '../ports/subject.js'
import { EventStoreStandIn } from '../servers/eventstore-stand-in.js'

await eventStoreContract(t, {
  name: 'EventStoreDB (a stand-in serving its protocol)',
  async open() {
    const server = await EventStoreStandIn.start()
    const { memory } = server
    const another = async () => new EventStoreDbEventStore(server.url, { maxAges: BRIEF, now: () => Date.now() + memory.clockAheadMs })
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
  const store = new EventStoreDbEventStore(server.url, { maxAges: { askjob: 60 } })
  t.teardown(async () => {
    await store.close()
    await server.stop()
  })
  return { server, store }
}

await t.test('a subscription that was interrupted goes on after the last event, misses nothing and repeats nothing', async (t) => {
  const { server, store } = await opened(t)
  const seen: string[] = []
  const stop = new AbortController()
  let apply = () => {}
  const hear = ({ stream, type }: CategoryEvent) => {
    seen.push(`${stream} ${type}`)
    apply()
  }
  const following = followJobs(store, hear, stop.signal)
  for (let round = 0; round < 4; round++) {
    // The connection breaks while events that were followed by a checkpoint wait to be taken.
    const broken = new Promise<void>((resolve, reject) => {
      apply = () => {
        apply = () => {}
        server.dropConnections().then(resolve, reject)
      }
    })
    await store.append(`askjob-${round}`, [event('requested'), event('started'), event('completed')], 'no stream')
    await broken
    await eventually(async () => seen.length >= 3 * (round + 1))
  }
  stop.abort()
  await following
  const types = ['requested', 'started', 'completed']
  t.strictSame(
    seen,
    [0, 1, 2, 3].flatMap((round) => types.map((type) => `askjob-${round} ${type}`)),
  )
})

await t.test('a checkpoint does not overtake events that wait to be taken', async (t) => {
  const { store } = await opened(t)
  const types = Array.from({ length: 10 }, (_, i) => `e${i}`)
  await store.append(
    'askjob-1',
    types.map((type) => event(type)),
    'no stream',
  )
  let taken: number = START
  const stop = new AbortController()
  const onReached = (position: Position) => {
    if (position > taken) t.equal(position, START, `said to have reached ${position} when ${taken} was taken`)
  }
  const seen: string[] = []
  for await (const { type, position } of store.subscribe('askjob', START, stop.signal, onReached)) {
    taken = position
    // The answer comes after the other events and the checkpoint behind them, on the same connection.
    if (seen.push(type) === 1) await store.read('askjob-1')
    if (seen.length === types.length) stop.abort()
  }
  t.strictSame(seen, types)
})

await t.test('a start reads from a mark that is a day old, and misses nothing that has not expired', async (t) => {
  const { server } = await opened(t)
  const { memory } = server
  const open = () => {
    const store = new EventStoreDbEventStore(server.url, { maxAges: MAX_AGES, now: () => Date.now() + memory.clockAheadMs })
    t.teardown(() => store.close())
    return store
  }
  const marks = () => memory.stream('vitrine_mark-askjob')?.length ?? 0
  const store = open()
  const subscription = follow(t, store)
  for (let hour = 0; hour < 30; hour++) {
    await store.append(`askjob-${hour}`, [event('requested')], 'no stream')
    await store.append(`other-${hour}`, [event('kept')], 'no stream')
    await next(subscription, 1)
    // The mark is kept when the next event is asked for.
    const before = marks()
    if (hour > 0) await eventually(async () => marks() >= hour || marks() > before)
    memory.clockAheadMs += 3_600_000
  }
  t.ok(marks() >= 28 && marks() <= 30, `one an hour: ${marks()}`)

  server.subscribedAfter.length = 0
  const seen = (await next(follow(t, open()), 23)).map(({ stream }) => stream)
  t.strictSame(
    seen,
    Array.from({ length: 23 }, (_, i) => `askjob-${i + 7}`),
    'all of the last day',
  )
  const [from = 0] = server.subscribedAfter
  t.ok(from > 0, 'not from the beginning')
  t.ok(memory.after(from).filter(({ stream }) => stream.startsWith('askjob-')).length <= 26, 'and hardly more than a day')
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
  await store.append('other-1', [event('kept')], 'no stream')
  await store.append('askjob-new', [event('requested')], 'no stream')
  const ages = (stream: string) => server.memory.stream(`$$${stream}`)?.map(({ data }) => JSON.parse(data.toString()))
  t.strictSame(ages('askjob-new'), [{ $maxAge: 60 }])
  t.equal(ages('other-1'), undefined)
  await store.append('askjob-new', [event('started')], 0)
  t.equal(ages('askjob-new')?.length, 1, 'once')
})

await t.test('the newer scheme names the same server', async (t) => {
  const { server, store } = await opened(t)
  await store.append('askjob-1', [event('requested')], 'no stream')
  const newer = new EventStoreDbEventStore(server.url.replace('esdb:', 'kurrentdb:'))
  t.teardown(() => newer.close())
  const [seen] = await next(newer.subscribe('askjob', START, new AbortController().signal)[Symbol.asyncIterator](), 1)
  t.equal(seen?.stream, 'askjob-1')
})
