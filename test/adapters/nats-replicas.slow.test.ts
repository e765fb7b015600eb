/** Streams that we create beside the log survive what the log survives: the loss of a node. */
import { connect, type StreamAPI } from 'nats'
import t, { type Test } from 'tap'
import { readConfig } from '../../src/compose/config.js'
import { openEventStore, openLog } from '../../src/compose/stores.js'
import { type EventLog, type Position, START } from '../../src/ports/event-log.js'
import type { EventStore } from '../../src/ports/event-store.js'
import { eventually } from '../ports/subject.js'
import { type NatsServer, startNatsCluster } from '../servers/nats.js'

const LOG = 'APP_EVENTS'
const REDACTED = 'APP_EVENTS_REDACTED'
const JOBS = 'VITRINE_askjob'
const events = ['a', 'b', 'c', 'd'].map((id) => ({ id, subject: `creation/${id}`, payload: '{}' }))

t.test('redactions and jobs go on without a node', async (t) => {
  const cluster = await startCluster(t)
  if (cluster === null) return
  const { url, streams } = cluster
  const { log, jobs } = await open(t, url)
  await redact(log, 1)
  await ask(jobs, 'first')

  for (const [index, stream] of [REDACTED, JOBS].entries()) {
    const info = await answer(() => streams.info(stream))
    t.equal(info.config.num_replicas, 3, `${stream} has as many replicas as the log`)
    const node = cluster.servers[Number(info.cluster?.leader?.slice(1)) - 1]
    await node?.process.kill()
    await redact(log, index + 2)
    await ask(jobs, `without${index}`)
    // Reads everything from the servers.
    const other = await open(t, url)
    const payloads = await answer(async () => (await other.log.read(START, 10)).map(({ payload }) => payload))
    t.strictSame(payloads.slice(0, index + 2), Array(index + 2).fill('"redacted"'))
    t.equal((await answer(() => other.jobs.read('askjob-first'))).length, 1)
    await node?.process.start()
    await allCurrent(streams)
  }
})

t.test('streams with too few replicas get the replicas of the log, unless NATS_CREATE=off', async (t) => {
  const cluster = await startCluster(t)
  if (cluster === null) return
  const { url, streams } = cluster
  const replicas = async () =>
    Promise.all([REDACTED, JOBS].map(async (name) => (await answer(() => streams.info(name))).config.num_replicas))
  for (const [position, settings, expected] of [
    [1, { NATS_REPLICAS: '1' }, 1],
    [2, { NATS_CREATE: 'off' }, 1],
    [3, {}, 3],
  ] as const) {
    const { log, jobs } = await open(t, url, settings)
    await redact(log, position)
    await ask(jobs, `question${position}`)
    t.strictSame(await replicas(), [expected, expected], JSON.stringify(settings))
  }
  await allCurrent(streams)
  const { log, jobs } = await open(t, url)
  t.equal((await answer(() => log.read(START, 10))).filter(({ payload }) => payload === '"redacted"').length, 3, 'nothing is lost')
  t.equal((await answer(() => jobs.read('askjob-question1'))).length, 1)
})

/** Its log has three replicas and holds the events. */
async function startCluster(t: Test): Promise<{ servers: NatsServer[]; url: string; streams: StreamAPI } | null> {
  const servers = await startNatsCluster(t)
  if (servers === null) return null
  const url = servers.map((server) => server.url).join()
  const connection = await connect({ servers: url.split(',') })
  t.teardown(() => connection.close())
  const { log } = await open(t, url, { NATS_REPLICAS: '3' })
  await log.append(events)
  const { streams } = await connection.jetstreamManager({ checkAPI: false })
  t.equal((await answer(() => streams.info(LOG))).config.num_replicas, 3)
  return { servers, url, streams }
}

async function open(t: Test, url: string, settings: Record<string, string> = {}): Promise<{ log: EventLog; jobs: EventStore }> {
  const config = readConfig({ NATS_URL: url, EVENTSTORE_URL: 'nats', ...settings })
  const [log, jobs] = [await openLog(config), await openEventStore(config)]
  t.teardown(async () => {
    await log.close()
    await jobs.close()
  })
  return { log, jobs }
}

const redact = (log: EventLog, position: number): Promise<void> =>
  answer(() => log.redact([{ position: position as Position, payload: '"redacted"' }]))

async function ask(jobs: EventStore, name: string): Promise<void> {
  const event = { id: name, type: 'asked', data: {} }
  await answer(() => jobs.append(`askjob-${name}`, [event], 'no stream'))
}

/** Every replica has what its leader has. */
const allCurrent = (streams: StreamAPI): Promise<unknown> =>
  eventually(async () => {
    const infos = await Promise.all([LOG, REDACTED, JOBS].map((name) => answer(() => streams.info(name))))
    return infos.every(({ cluster }) => cluster?.replicas?.length === 2 && cluster.replicas.every(({ current }) => current))
  })

/** A request sent while the nodes elect a leader is never answered, so ask again. */
async function answer<T>(question: () => Promise<T>): Promise<T> {
  const { value } = await eventually(async () =>
    question().then(
      (value) => ({ value }),
      () => null,
    ),
  )
  return value
}
