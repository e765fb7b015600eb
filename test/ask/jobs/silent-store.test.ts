/** Ask jobs while their event store is away or does not answer: callers are told in time, and so are operators. */
import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { EventStoreDbEventStore } from '../../../src/adapters/eventstore/event-store.js'
import { JetStreamEventStore } from '../../../src/adapters/nats/event-store.js'
import { AskJobs } from '../../../src/ask/jobs/ask-jobs.js'
import { JobFollower } from '../../../src/ask/jobs/job-follower.js'
import type { EventStore, StreamEvent } from '../../../src/ports/event-store.js'
import { eventually } from '../../ports/subject.js'
import { EventStoreStandIn } from '../../servers/eventstore-stand-in.js'
import { startNats } from '../../servers/nats.js'
import { TcpProxy } from '../../servers/tcp-proxy.js'
import { MemoryEventStore } from '../../support/memory-event-store.js'
import { NOBODY_REMOVED } from '../../support/nobody-removed.js'
import { questionOf } from './questions.js'

const UNAVAILABLE = { name: 'ServiceError', message: 'Ask jobs cannot be reached at the moment.' }

// Most of the time they wait for deadlines.
t.jobs = 7

interface Server {
  port: number
  open: (port: number) => EventStore
}

const nats = await startNats(t)
const servers: Record<string, (t: Test) => Promise<Server>> = {
  async EventStoreDB(t) {
    const standIn = await EventStoreStandIn.start()
    t.teardown(() => standIn.stop())
    return { port: standIn.port, open: (port) => new EventStoreDbEventStore(`esdb://127.0.0.1:${port}?tls=false`) }
  },
}
if (nats !== null) {
  servers.JetStream = async () => {
    const name = `TEST_${randomUUID()}`
    const open = (port: number) => new JetStreamEventStore({ servers: `nats://127.0.0.1:${port}`, name })
    return { port: Number(new URL(nats.url).port), open }
  }
}

function opened(t: Test, store: EventStore): EventStore {
  t.teardown(() => store.close())
  return store
}

function following(t: Test, store: EventStore) {
  const lines: string[] = []
  const log = new Writable({ write: (line, _, done) => done(void lines.push(String(line))) })
  const stats = new JobFollower(store, pino(log))
  t.teardown(() => stats.stop())
  stats.start()
  return { stats, lines, jobs: new AskJobs(store, NOBODY_REMOVED, { onFailure: () => stats.recordFailure() }) }
}

for (const [name, start] of Object.entries(servers)) {
  t.test(`${name}: an interrupted subscription is reported once, and goes on`, { buffered: true }, async (t) => {
    const { port, open } = await start(t)
    const proxy = await TcpProxy.start(t, port)
    const store = opened(t, open(proxy.port))
    const subscribe = store.subscribe.bind(store)
    let tries = 0
    store.subscribe = (...args) => {
      tries += 1
      return subscribe(...args)
    }
    const { stats, lines } = following(t, store)
    const direct = new AskJobs(opened(t, open(port)), NOBODY_REMOVED)
    await eventually(async () => stats.summary())
    for (const round of [1, 2]) {
      proxy.cut()
      await eventually(async () => stats.summary() === null)
      await direct.submit(questionOf(`tides ${round}`))
      const before = tries
      await eventually(async () => tries > before + 1)
      t.equal(stats.summary(), null)
      proxy.heal()
      await eventually(async () => stats.summary()?.queued === round)
    }
    // A starved machine may miss a server's signs of life: then there was one outage more.
    t.ok(lines.length >= 2 && lines.length < tries - 2, `one line for each outage, not for each of ${tries} tries: ${lines.length}`)
    t.match(lines[0], /cannot be followed/)
  })

  t.test(`${name}: a server that falls silent is a 503 in time, and known to the status at once`, { buffered: true }, async (t) => {
    const { port, open } = await start(t)
    const proxy = await TcpProxy.start(t, port)
    const { stats, jobs } = following(t, opened(t, open(proxy.port)))
    const { id } = await jobs.submit(questionOf('tides'))
    await eventually(async () => stats.summary())
    proxy.stall()
    await Promise.all([t.rejects(jobs.find(id), UNAVAILABLE), t.rejects(jobs.submit(questionOf('stars')), UNAVAILABLE)])
    t.equal(stats.summary(), null)
    proxy.heal()
    await eventually(() => jobs.find(id).catch(() => null))
  })

  t.test(`${name}: a server that is silent from the start is not ok for a moment`, { buffered: true }, async (t) => {
    const { port, open } = await start(t)
    const proxy = await TcpProxy.start(t, port)
    proxy.stall()
    const { stats, lines } = following(t, opened(t, open(proxy.port)))
    t.equal(stats.summary(), null)
    await eventually(async () => lines.length > 0)
    t.equal(stats.summary(), null)
    proxy.heal()
    await eventually(async () => stats.summary())
  })
}

t.test('a job that was refused because the store is slow is not submitted afterwards', { buffered: true }, async (t) => {
  const memory = new MemoryEventStore()
  let answer = () => {}
  const slow: EventStore = Object.assign(Object.create(memory), {
    append: memory.append.bind(memory),
    read: () => new Promise<StreamEvent[]>((resolve) => (answer = () => resolve([]))),
  })
  const jobs = new AskJobs(slow, NOBODY_REMOVED)
  await t.rejects(jobs.submit(questionOf('tides')), UNAVAILABLE)
  slow.read = memory.read.bind(memory)
  answer()
  const { id } = await jobs.submit(questionOf('stars'))
  t.strictSame(
    memory.history.map(({ stream }) => stream).filter((stream) => stream.startsWith('askjob-')),
    [`askjob-${id}`],
  )
  t.equal(await jobs.find(randomUUID()), null)
})
