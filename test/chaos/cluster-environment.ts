/** An installation on NATS and three mongods, each reached through a proxy that can be cut, stalled and slowed. */
import { setTimeout as delay } from 'node:timers/promises'
import type { SeededRandom } from '../../demo/random.js'
import { openMongoStore } from '../../src/adapters/mongo/document-store.js'
import { JetStreamEventLog } from '../../src/adapters/nats/event-log.js'
import { JetStreamEventStore } from '../../src/adapters/nats/event-store.js'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import { databaseOn } from '../adapters/mongo/databases.js'
import { type MongoServer, primaryOf, startMongoThroughProxies } from '../servers/mongo.js'
import { startNats } from '../servers/nats.js'
import type { ServerProcess } from '../servers/process.js'
import { TcpProxy } from '../servers/tcp-proxy.js'
import { type Environment, type Fault, TeardownStack } from './environment.js'
import { processFaults } from './process-faults.js'

const STREAM = 'APP_EVENTS'

/** NATS or MongoDB could not be started; the code that tried has printed why. */
export class NoServersError extends Error {
  override name = 'NoServersError'
}

export async function clusterEnvironment(): Promise<Environment> {
  const teardowns = new TeardownStack()
  const host = { teardown: (teardown: () => Promise<void>) => teardowns.teardown(teardown), pass: () => {} }
  const proxies = new Map<number, TcpProxy>()
  const proxyTo = async (port: number) => {
    const proxy = await TcpProxy.start(host, port)
    proxies.set(port, proxy)
    return proxy.port
  }
  try {
    const nats = await startNats(host)
    const mongo = await startMongoThroughProxies(host, 3, proxyTo)
    if (nats === null || mongo === null) throw new NoServersError('the servers cannot be had')
    const natsProxy = await TcpProxy.start(host, portOf(nats.url))
    const natsUrl = `nats://127.0.0.1:${natsProxy.port}`
    const mongoUrl = databaseOn(mongo.url)
    const folder = await temporaryFolder()
    const log = new JetStreamEventLog({ servers: natsUrl, stream: STREAM })
    const documents = await openMongoStore(mongoUrl)
    const jobs = new JetStreamEventStore({ servers: natsUrl, name: 'VITRINE' })
    teardowns.teardown(async () => {
      await documents.close()
      await log.close()
      await jobs.close()
      await removeFolder(folder)
    })
    const proxyOf = ({ url }: MongoServer): TcpProxy => proxies.get(portOf(url)) as TcpProxy
    return {
      folder,
      flags: ['--nats-url', natsUrl, '--mongodb-url', mongoUrl, '--eventstore-url', 'nats'],
      log,
      documents,
      jobs,
      roles: ['projector', 'standby', 'query', 'ask'],
      faults: [
        ...processFaults('projector', 2),
        ...processFaults('standby', 1),
        ...processFaults('query', 1),
        ...processFaults('ask', 1),
        ...serverFaults('nats', async () => nats.process),
        ...connectionFaults('nats', async () => [natsProxy]),
        ...serverFaults('primary', async () => (await anyPrimary(mongo.members)).process),
        ...serverFaults('a mongod', async (dice) => dice.pick(mongo.members).process),
        ...connectionFaults('primary', async () => [proxyOf(await anyPrimary(mongo.members))]),
        ...connectionFaults('all mongods', async () => mongo.members.map(proxyOf)),
      ],
      close: () => teardowns.run(),
    }
  } catch (error) {
    await teardowns.run()
    throw error
  }
}

/** Members of a replica set count as one target: a member that restarts must be able to reach itself through its own proxy. */
const targetOf = (what: string): string => (what === 'nats' ? 'nats' : 'mongo')

function serverFaults(what: string, which: (dice: SeededRandom) => Promise<ServerProcess>): Fault[] {
  return [
    {
      name: `kill ${what}`,
      target: targetOf(what),
      weight: 3,
      async run(_installation, dice) {
        const pauseMs = dice.below(2500)
        const server = await which(dice)
        await server.kill()
        await delay(pauseMs)
        await server.start()
      },
    },
    {
      name: `freeze ${what}`,
      target: targetOf(what),
      weight: 2,
      async run(_installation, dice) {
        const pauseMs = dice.below(4000)
        const server = await which(dice)
        server.signal('SIGSTOP')
        await delay(pauseMs)
        server.signal('SIGCONT')
      },
    },
  ]
}

function connectionFaults(what: string, which: () => Promise<TcpProxy[]>): Fault[] {
  const fault = (name: string, longestMs: number, begin: (proxy: TcpProxy, dice: SeededRandom) => void): Fault => ({
    name: `${name} ${what}`,
    target: targetOf(what),
    weight: 2,
    async run(_installation, dice) {
      const pauseMs = dice.below(longestMs)
      const proxies = await which()
      for (const proxy of proxies) begin(proxy, dice)
      await delay(pauseMs)
      for (const proxy of proxies) proxy.heal()
    },
  })
  return [
    fault('cut the line to', 2000, (proxy) => proxy.cut()),
    // Sometimes long enough for a client that only listens to notice.
    fault('stall the line to', 12_000, (proxy) => proxy.stall()),
    fault('slow the line to', 3000, (proxy, dice) => proxy.slow(5 + dice.below(200))),
  ]
}

async function anyPrimary(members: readonly MongoServer[]): Promise<MongoServer> {
  for (;;) {
    const primary = await primaryOf(members)
    if (primary !== null) return primary
    await delay(50)
  }
}

const portOf = (url: string): number => Number(new URL(url.replace(/^\w+:/, 'http:')).port)
