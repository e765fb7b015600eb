/** An installation on NATS and three mongods, each behind a proxy that can be cut, stalled and slowed. */
import { setTimeout as delay } from 'node:timers/promises'
import type { SeededRandom } from '../../demo/random.js'
import { MongoDocumentStore } from '../../src/adapters/mongo/document-store.js'
import { JetStreamEventLog } from '../../src/adapters/nats/event-log.js'
import { JetStreamEventStore } from '../../src/adapters/nats/event-store.js'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import { databaseOn } from '../adapters/mongo/databases.js'
import { type MongoServer, primaryOf, startMongoBehind } from '../servers/mongo.js'
import { startNats } from '../servers/nats.js'
import type { ServerProcess } from '../servers/process.js'
import { TcpProxy } from '../servers/tcp-proxy.js'
import { Endings, type Site, type Trouble } from './environment.js'
import { processTroubles } from './process-faults.js'

const STREAM = 'APP_EVENTS'

/** Not here: whoever started them has said why. */
export class NoServersError extends Error {
  override name = 'NoServersError'
}

export async function clusterSite(): Promise<Site> {
  const endings = new Endings()
  const host = { teardown: (ending: () => Promise<void>) => endings.teardown(ending), pass: () => {} }
  const doors = new Map<number, TcpProxy>()
  const doorTo = async (port: number) => {
    const proxy = await TcpProxy.start(host, port)
    doors.set(port, proxy)
    return proxy.port
  }
  try {
    const nats = await startNats(host)
    const mongo = await startMongoBehind(host, 3, doorTo)
    if (nats === null || mongo === null) throw new NoServersError('the servers cannot be had')
    const natsDoor = await TcpProxy.start(host, portOf(nats.url))
    const natsUrl = `nats://127.0.0.1:${natsDoor.port}`
    const mongoUrl = databaseOn(mongo.url)
    const folder = await temporaryFolder()
    const log = new JetStreamEventLog({ servers: natsUrl, stream: STREAM })
    const documents = await MongoDocumentStore.open(mongoUrl)
    const jobs = new JetStreamEventStore({ servers: natsUrl, name: 'VITRINE' })
    endings.teardown(async () => {
      await documents.close()
      await log.close()
      await jobs.close()
      await removeFolder(folder)
    })
    const doorOf = ({ url }: MongoServer): TcpProxy => doors.get(portOf(url)) as TcpProxy
    return {
      folder,
      flags: ['--nats-url', natsUrl, '--mongodb-url', mongoUrl, '--eventstore-url', 'nats'],
      log,
      documents,
      jobs,
      members: ['projector', 'standby', 'query', 'ask'],
      troubles: [
        ...processTroubles('projector', 2),
        ...processTroubles('standby', 1),
        ...processTroubles('query', 1),
        ...processTroubles('ask', 1),
        ...serverTroubles('nats', async () => nats.process),
        ...lineTroubles('nats', async () => [natsDoor]),
        ...serverTroubles('primary', async () => (await anyPrimary(mongo.members)).process),
        ...serverTroubles('a mongod', async (dice) => dice.pick(mongo.members).process),
        ...lineTroubles('primary', async () => [doorOf(await anyPrimary(mongo.members))]),
        ...lineTroubles('all mongods', async () => mongo.members.map(doorOf)),
      ],
      close: () => endings.run(),
    }
  } catch (error) {
    await endings.run()
    throw error
  }
}

/** Members of one replica set are one thing: a member that comes back must be able to find itself through its own door. */
const together = (what: string): string => (what === 'nats' ? 'nats' : 'mongo')

function serverTroubles(what: string, which: (dice: SeededRandom) => Promise<ServerProcess>): Trouble[] {
  return [
    {
      name: `kill ${what}`,
      with: together(what),
      weight: 3,
      async strike(_household, dice) {
        const pauseMs = dice.below(2500)
        const server = await which(dice)
        await server.kill()
        await delay(pauseMs)
        await server.start()
      },
    },
    {
      name: `freeze ${what}`,
      with: together(what),
      weight: 2,
      async strike(_household, dice) {
        const pauseMs = dice.below(4000)
        const server = await which(dice)
        server.signal('SIGSTOP')
        await delay(pauseMs)
        server.signal('SIGCONT')
      },
    },
  ]
}

function lineTroubles(what: string, which: () => Promise<TcpProxy[]>): Trouble[] {
  const trouble = (name: string, longestMs: number, begin: (proxy: TcpProxy, dice: SeededRandom) => void): Trouble => ({
    name: `${name} ${what}`,
    with: together(what),
    weight: 2,
    async strike(_household, dice) {
      const pauseMs = dice.below(longestMs)
      const proxies = await which()
      for (const proxy of proxies) begin(proxy, dice)
      await delay(pauseMs)
      for (const proxy of proxies) proxy.heal()
    },
  })
  return [
    trouble('cut the line to', 2000, (proxy) => proxy.cut()),
    // Sometimes longer than it takes to be noticed by those who only listen.
    trouble('stall the line to', 12_000, (proxy) => proxy.stall()),
    trouble('slow the line to', 3000, (proxy, dice) => proxy.slow(5 + dice.below(200))),
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
