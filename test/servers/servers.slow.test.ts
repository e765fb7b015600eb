/** The servers other tests stand on: found, started, and started again where they left off. */

import { MongoClient } from 'mongodb'
import { connect } from 'nats'
import { createClient } from 'redis'
import t, { type Test } from 'tap'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import { eventually } from '../ports/subject.js'
import { binaryFor } from './binary.js'
import { startMongo } from './mongo.js'
import { natsUrl, startNats, startNatsCluster } from './nats.js'
import { redisUrl, startRedis } from './redis.js'
import { mongoUrl } from './shared-mongo.js'

t.test('a nats-server keeps its streams when it is killed and started again', async (t) => {
  const server = await startNats(t)
  if (server === null) return
  await withNats(server.url, async (connection) => {
    const manager = await connection.jetstreamManager()
    await manager.streams.add({ name: 'S', subjects: ['s'] })
    await connection.jetstream().publish('s', 'kept')
  })
  await server.process.kill()
  t.equal(server.process.running, false)
  await server.process.start()
  await withNats(server.url, async (connection) => {
    const { state } = await (await connection.jetstreamManager()).streams.info('S')
    t.equal(state.messages, 1)
  })
})

t.test('three nats-servers keep a stream while one of them is away', async (t) => {
  const servers = await startNatsCluster(t)
  if (servers === null) return
  await withNats(servers[0]?.url ?? '', async (connection) => {
    const manager = await connection.jetstreamManager()
    const { config } = await manager.streams.add({ name: 'S', subjects: ['s'], num_replicas: 3 })
    t.equal(config.num_replicas, 3)
  })
  await servers[0]?.process.kill()
  await withNats(servers[1]?.url ?? '', async (connection) => {
    const ack = await eventually(() =>
      connection
        .jetstream()
        .publish('s', 'kept', { timeout: 500 })
        .catch(() => null),
    )
    t.equal(ack.stream, 'S')
  })
})

t.test('a mongod keeps its documents when it is killed and started again', async (t) => {
  const servers = await startMongo(t)
  if (servers === null) return
  const [member] = servers.members
  await withMongo(servers.url, async (client) => {
    await client
      .db('d')
      .collection('c')
      .insertOne({ kept: true }, { writeConcern: { w: 'majority' } })
  })
  await member?.process.kill()
  await member?.process.start()
  await withMongo(servers.url, async (client) => t.equal(await client.db('d').collection('c').countDocuments(), 1))
})

t.test('three mongods elect another primary when theirs is killed', async (t) => {
  const servers = await startMongo(t, 3)
  if (servers === null) return
  await withMongo(servers.url, async (client) => {
    const { primary } = await client.db('admin').command({ hello: 1 })
    await servers.members.find(({ host }) => host === primary)?.process.kill()
    const next = await eventually(async () => {
      const answer = await client
        .db('admin')
        .command({ hello: 1 })
        .catch(() => null)
      return answer?.primary !== primary && answer?.primary
    })
    t.not(next, primary)
  })
})

t.test('a redis-server answers', async (t) => {
  const server = await startRedis(t)
  if (server === null) return
  const client = createClient({ url: server.url })
  await client.connect()
  t.equal(await client.incr('n'), 1)
  client.destroy()
})

t.test('an address in the environment comes before everything else', async (t) => {
  const variables = { TEST_NATS_URL: natsUrl, TEST_MONGODB_URL: mongoUrl, TEST_REDIS_URL: redisUrl }
  restoringEnvironment(t, ...Object.keys(variables))
  for (const [name, url] of Object.entries(variables)) {
    process.env[name] = 'somewhere'
    t.equal(await url(t), 'somewhere', name)
  }
})

t.test('a server that cannot be had skips its tests, and fails them in CI', async (t) => {
  const cache = await temporaryFolder()
  restoringEnvironment(t, 'XDG_CACHE_HOME', 'CI')
  t.teardown(() => removeFolder(cache))
  process.env.XDG_CACHE_HOME = cache
  const recipe = {
    name: 'no-such-server',
    version: '1',
    async unpack(): Promise<never> {
      throw new Error('no registry answers')
    },
  }
  process.env.CI = 'true'
  await t.rejects(binaryFor(t, recipe), /no-such-server cannot be had, its tests do not run: no registry answers/)
  process.env.CI = ''
  const skipped: string[] = []
  t.equal(await binaryFor({ pass: (_, { skip }) => skipped.push(skip) }, recipe), null)
  t.strictSame(skipped, ['no-such-server cannot be had, its tests do not run: no registry answers'])
})

function restoringEnvironment(t: Test, ...names: readonly string[]): void {
  const before = names.map((name) => [name, process.env[name]] as const)
  t.teardown(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })
}

async function withNats(url: string, work: (connection: Awaited<ReturnType<typeof connect>>) => Promise<void>): Promise<void> {
  const connection = await connect({ servers: url })
  try {
    await work(connection)
  } finally {
    await connection.close()
  }
}

async function withMongo(url: string, work: (client: MongoClient) => Promise<unknown>): Promise<void> {
  const client = new MongoClient(url)
  try {
    await work(client)
  } finally {
    await client.close()
  }
}
