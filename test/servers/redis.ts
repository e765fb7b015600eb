/** A real redis-server. `TEST_REDIS_URL` names one that runs already, for tests that only need an address. */
import { createClient } from 'redis'
import type { Test } from 'tap'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import { binaryFor, type Recipe } from './binary.js'
import { unpackDebian } from './packages.js'
import { serverPorts } from './ports.js'
import { ServerProcess } from './process.js'

const recipe: Recipe = {
  name: 'redis-server',
  version: 'debian',
  async unpack(folder) {
    await unpackDebian(folder, ['redis-tools', 'libjemalloc2', 'liblzf1', 'libatomic1'])
    const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
    const libraries = ['libjemalloc.so.2', 'liblzf.so.1', 'libatomic.so.1'].map((name) => `usr/lib/${triplet}/${name}`)
    // Debian's redis-server is a link to this: one program whose name says what it does.
    return { executable: 'usr/bin/redis-check-rdb', libraries }
  },
}

export interface RedisServer {
  url: string
  process: ServerProcess
}

/** An address to use, of a server that may hold other people's keys; null where there is none to be had. */
export async function redisUrl(t: Test): Promise<string | null> {
  return process.env.TEST_REDIS_URL ?? (await startRedis(t))?.url ?? null
}

/** A server for this test alone, which stops it; null where it cannot be had. `more` begins with a file of settings, if there is one. */
export async function startRedis(t: Test, more: readonly string[] = [], password = ''): Promise<RedisServer | null> {
  const binary = await binaryFor(t, recipe)
  if (binary === null) return null
  const folder = await temporaryFolder()
  const [port = 0] = await serverPorts(1)
  const url = `redis://127.0.0.1:${port}`
  const server = new ServerProcess({
    binary,
    args: [...more, '--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', ''],
    ready: () => pings(url, password),
  })
  t.teardown(async () => {
    await server.kill()
    await removeFolder(folder)
  })
  await server.start()
  return { url, process: server }
}

async function pings(url: string, password: string): Promise<boolean> {
  const client = createClient({ url, ...(password && { password }), socket: { reconnectStrategy: false } })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.ping()) === 'PONG'
  } finally {
    client.destroy()
  }
}
