import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { connect, type NatsConnection } from 'nats'
import { demoLog } from '../demo/index.js'
import { type Config, readConfig } from '../src/compose/config.js'
import { openDocuments, openLog } from '../src/compose/stores.js'
import { startMongo } from '../test/servers/mongo.js'
import { startNats } from '../test/servers/nats.js'
import { cpuMs } from './cpu.js'
import type { Figure } from './figures.js'
import { startProjector, untilAt } from './projector-process.js'
import { TeardownStack } from './servers.js'
import { inChunks } from './workspace.js'

const CHUNK = 1000
const POLL_MS = 50
const STREAM = 'APP_EVENTS'
const GOAL = { deliveries: 1.2, ofRawConsume: 0.15, perSecond: 5000 }

interface Round {
  build: string
  what: 'a first load' | 'catching up'
  events: number
  seconds: number
  /** How many messages JetStream sent to the projector. */
  deliveries: number
  /** Processor time, in milliseconds. */
  projector: number
  mongod: number
}

/**
 * On NATS and MongoDB: a projector builds all models from half of the log, and later catches up with the other half, in a process
 * of its own. `over`: the `dist` folder of another build, which does the same in turn.
 */
export async function benchCatchUp(creations: number, over: string | undefined): Promise<Figure[]> {
  const events = [...demoLog({ creators: Math.ceil(creations / 10), creations, seed: 1, webUrl: 'https://vitrine.example' })]
  const half = Math.floor(events.length / 2)
  const ends = new TeardownStack()
  try {
    const [nats, mongo] = [await startNats(ends), await startMongo(ends, 1, { cacheGb: null })]
    if (nats === null || mongo === null) return []
    const mongod = mongo.members[0]?.process.pid
    const connection = await connect({ servers: nats.url })
    ends.teardown(() => connection.close())
    const builds = [
      { name: 'this build', folder: fileURLToPath(new URL('../', import.meta.url)) },
      ...(over === undefined ? [] : [{ name: 'the other build', folder: over }]),
    ].map((build, i) => ({ ...build, url: mongo.url.replace(/\/[^/?]*\?/, `/build${i}?`) }))
    const config = readConfig({ NATS_URL: nats.url, MONGODB_URL: mongo.url, LOG_LEVEL: 'warn' })
    const log = await openLog(config)
    ends.teardown(() => log.close())
    const rounds: Round[] = []
    for (const [what, records] of [
      ['a first load', events.slice(0, half)],
      ['catching up', events.slice(half)],
    ] as const) {
      await inChunks(records, CHUNK, (chunk) => log.append(chunk))
      const { last } = await log.bounds()
      for (const { name, folder, url } of builds) {
        const environment = { NATS_URL: nats.url, MONGODB_URL: url }
        rounds.push({ build: name, what, events: records.length, ...(await catchUp(folder, environment, last, connection, mongod)) })
      }
    }
    const rawSeconds = await consumeRaw(connection, events.length)
    return rounds.flatMap((round) => figuresOf(round, events.length / rawSeconds))
  } finally {
    await ends.all()
  }
}

function figuresOf(round: Round, rawRate: number): Figure[] {
  const { build, what, events, seconds, deliveries, projector, mongod } = round
  const rate = events / seconds
  const name = `${what}, NATS and MongoDB, ${build}`
  const figure = (of: string, value: number, goal: number, isMet: boolean, unit = '', reference?: string): Figure => ({
    name: `${name}: ${of}`,
    value,
    unit,
    ...(reference === undefined ? {} : { reference }),
    goal: String(goal),
    met: isMet,
  })
  return [
    figure('deliveries over events', deliveries / events, GOAL.deliveries, deliveries / events <= GOAL.deliveries),
    figure(
      'over the raw consume rate',
      rate / rawRate,
      GOAL.ofRawConsume,
      rate / rawRate >= GOAL.ofRawConsume,
      '',
      `${Math.round(rawRate)}/s`,
    ),
    figure('events', rate, GOAL.perSecond, rate >= GOAL.perSecond, '/s'),
    {
      name: `${name}: processor time per event`,
      value: (projector + mongod) / events,
      unit: 'ms',
      reference: `projector ${(projector / events).toFixed(2)}, mongod ${(mongod / events).toFixed(2)}`,
      goal: 'reported',
      met: true,
    },
  ]
}

/** Starts a projector and waits until all its models have reached a position. */
async function catchUp(
  folder: string,
  environment: { NATS_URL: string; MONGODB_URL: string },
  last: number,
  connection: NatsConnection,
  mongod: number | undefined,
): Promise<Pick<Round, 'seconds' | 'deliveries' | 'projector' | 'mongod'>> {
  const config: Config = readConfig({ ...environment, LOG_LEVEL: 'warn' })
  const documents = await openDocuments(config)
  const deliveries = await countDeliveries(connection)
  const before = cpuMs(mongod) ?? 0
  const began = performance.now()
  const child = await startProjector(folder, environment)
  await untilAt(documents, last)
  const seconds = (performance.now() - began) / 1000
  const projector = cpuMs(child.pid) ?? 0
  const spent = (cpuMs(mongod) ?? 0) - before
  const delivered = await deliveries()
  child.kill('SIGTERM')
  await once(child, 'exit')
  await documents.close()
  return { seconds, deliveries: delivered, projector, mongod: spent }
}

/** Of all consumers of the stream, which are asked again and again, because a projector drops those it needs no more. */
async function countDeliveries(connection: NatsConnection): Promise<() => Promise<number>> {
  const manager = await connection.jetstreamManager()
  const delivered = new Map<string, number>()
  const look = async () => {
    for await (const { name, delivered: reached } of manager.consumers.list(STREAM)) delivered.set(name, reached.consumer_seq)
  }
  await look()
  const known = [...delivered.values()].reduce((sum, count) => sum + count, 0)
  let isOver = false
  const looking = (async () => {
    while (!isOver) {
      await look()
      await delay(POLL_MS)
    }
  })()
  return async () => {
    await look()
    isOver = true
    await looking
    return [...delivered.values()].reduce((sum, count) => sum + count, 0) - known
  }
}

async function consumeRaw(connection: NatsConnection, events: number): Promise<number> {
  const began = performance.now()
  const consumer = await connection.jetstream().consumers.get(STREAM)
  let left = events
  for await (const message of await consumer.consume({ max_messages: CHUNK })) {
    JSON.parse(message.string())
    left -= 1
    if (left === 0) break
  }
  return (performance.now() - began) / 1000
}
