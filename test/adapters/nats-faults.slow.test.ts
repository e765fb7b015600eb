/** Servers die while events are published and projected: no event is lost or doubled. */
import { connect, type NatsConnection } from 'nats'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { DEMO_DEFAULTS, demoLog } from '../../demo/index.js'
import { JetStreamEventLog } from '../../src/adapters/nats/event-log.js'
import { Projector } from '../../src/engine/leader/projector.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import { type NewRecord, type Position, START } from '../../src/ports/event-log.js'
import { caughtUp } from '../harness/caught-up.js'
import { eventually } from '../ports/subject.js'
import { type NatsServer, startNats, startNatsCluster } from '../servers/nats.js'
import { TcpProxy } from '../servers/tcp-proxy.js'
import { projections } from '../support/built-in-models.js'
import { sameDump } from '../support/dump.js'
import { dumpLive } from '../support/live-documents.js'
import { memoryStore } from '../support/memory-store.js'
import { project } from '../support/project-log.js'

const STREAM = 'APP_EVENTS'
const events: NewRecord[] = [...demoLog({ ...DEMO_DEFAULTS, creators: 8, creations: 25, webUrl: 'http://localhost' })].slice(0, 2000)

t.test('a nats-server killed and started again, three times, while publishing and projecting', async (t) => {
  const server = await startNats(t)
  if (server === null) return
  const log = openLog(t, server.url)
  const documents = projecting(t, server.url)
  await publishing(log, async (share) => {
    if (![0.25, 0.5, 0.75].includes(share)) return
    await server.process.kill()
    await server.process.start()
  })
  await settled(t, log, documents)
})

t.test('a three-node JetStream losing its leader while publishing and projecting', async (t) => {
  const servers = await startNatsCluster(t)
  if (servers === null) return
  const urls = servers.map(({ url }) => url).join()
  const log = openLog(t, urls, 3)
  const documents = projecting(t, urls)
  let lost: NatsServer | undefined
  let back: Promise<void> | undefined
  const comeBack = () => (back ??= lost?.process.start())
  let guard: NodeJS.Timeout | undefined
  t.teardown(() => clearTimeout(guard))
  await publishing(log, async (share) => {
    if (share === 0.25) {
      lost = await leaderOf(servers)
      // Not awaited: the leader dies while the next events are being sent.
      void lost.process.kill()
      // A time limit, not a sleep: two nodes alone can take minutes to elect a leader, and only losing no event is tested here.
      guard = setTimeout(() => void comeBack(), 20_000)
    }
    if (share === 0.75) await comeBack()
  })
  await back
  t.ok(lost, 'there was a leader to lose')
  await settled(t, log, documents)
})

t.test('connections to a server that accepts them and stays silent are closed', async (t) => {
  const server = await startNats(t)
  if (server === null) return
  const line = await TcpProxy.start(t, Number(new URL(server.url.replace('nats:', 'http:')).port))
  const log = openLog(t, `nats://127.0.0.1:${line.port}`)
  await log.append(events.slice(0, 1))
  line.cut()
  line.heal()
  line.stall()
  const before = line.taken
  await eventually(async () => line.taken >= before + 3)
  line.heal()
  t.match(await log.append(events.slice(0, 2)), { appended: 1 })
  await eventually(async () => line.clients === 1)
  t.ok(line.taken >= before + 3, 'it was tried again and again')
})

t.test('a stream that loses its head while it is being read says so, a deletion in the middle does not matter', async (t) => {
  const server = await startNats(t)
  if (server === null) return
  const log = openLog(t, server.url)
  await log.append(events.slice(0, 100))
  t.equal((await log.read(START, 10)).length, 10)
  await withNats(server.url, async (connection) => {
    const { streams } = await connection.jetstreamManager()
    await streams.deleteMessage(STREAM, 50, true)
    await streams.deleteMessage(STREAM, 100, true)
    const reader = openLog(t, server.url)
    const page = await reader.read(START, 1000)
    t.equal(page.length, 98)
    t.strictSame(await reader.bounds(), { first: 1, last: 99 }, 'the last record, not the last number given out')
    t.equal(
      (await reader.append([{ id: 'next', subject: 'creation/x', payload: '{}' }], { expectedLast: page.at(-1)?.position ?? START })).last,
      101,
    )

    t.equal((await reader.read(START, 1000)).length, 99)
    await streams.deleteMessage(STREAM, 60, true)
    t.match(await reader.read(59 as Position, 1), [{ position: 61 }], 'one record is asked for at the server, not found in a buffer')

    await streams.purge(STREAM, { seq: 90 })
    const late = openLog(t, server.url)
    await t.rejects(late.read(page[9]?.position ?? START, 10), {
      name: 'LogReplacedError',
      message: /begins at 90 .* Restore the stream from its backup/,
    })
  })
})

function openLog(t: Test, servers: string, replicas = 1): JetStreamEventLog {
  const log = new JetStreamEventLog({ servers, stream: STREAM, replicas })
  t.teardown(() => log.close())
  return log
}

function projecting(t: Test, servers: string): DocumentStore {
  const documents = memoryStore()
  const projector = new Projector(projections, openLog(t, servers), documents, pino({ level: 'silent' }))
  t.teardown(() => projector.stop())
  projector.start()
  return documents
}

/** Publishes all events in twenty parts, and calls `beforeEach` before each part. */
async function publishing(log: JetStreamEventLog, beforeEach: (share: number) => Promise<void>): Promise<void> {
  const size = events.length / 20
  for (let i = 0; i < 20; i++) {
    await beforeEach(i / 20)
    await log.append(events.slice(i * size, (i + 1) * size))
  }
}

/** The log holds what was published, once and in order, and the models are those of a clean replay of it. */
async function settled(t: Test, log: JetStreamEventLog, documents: DocumentStore): Promise<void> {
  const records = await log.read(START, 1_000_000)
  t.strictSame(
    records.map(({ id }) => id),
    events.map(({ id }) => id),
  )
  await caughtUp(documents, events.length)
  for (const projection of projections) {
    sameDump(await dumpLive(documents, projection), await project(projection, records))
    t.pass(`${projection.name} equals a clean replay`)
  }
}

async function leaderOf(servers: readonly NatsServer[]): Promise<NatsServer> {
  let leader: NatsServer | undefined
  await withNats(servers[0]?.url ?? '', async (connection) => {
    const { streams } = await connection.jetstreamManager()
    const name = await eventually(async () => (await streams.info(STREAM)).cluster?.leader)
    leader = servers[Number(name.slice(1)) - 1]
  })
  if (leader === undefined) throw new Error('the stream has no leader')
  return leader
}

async function withNats(servers: string, work: (connection: NatsConnection) => Promise<void>): Promise<void> {
  const connection = await connect({ servers })
  try {
    await work(connection)
  } finally {
    await connection.close()
  }
}
