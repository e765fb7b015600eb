/** The services of compose.yaml as it starts them: from the image's files, with its variables and secrets, on real servers. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Collection, MongoClient } from 'mongodb'
import t from 'tap'
import { Serving, spawnVitrine } from '../harness/program.js'
import { request } from '../harness/sockets.js'
import { eventually } from '../ports/subject.js'
import { SET, startMongo } from '../servers/mongo.js'
import { compose, services } from './compose-file.js'
import { makeSecrets, startComposeServers, startProtectedMongo } from './compose-servers.js'
import { stagesOf } from './dockerfile.js'
import { layOut } from './layout.js'

const secrets = await makeSecrets()
const servers = await startComposeServers(t, secrets)

if (servers !== null) {
  const image = await layOut(stagesOf('Dockerfile'))
  /** Not where they are among containers. */
  const here = { ...servers, HOST: '127.0.0.1', ADMIN_HOST: '127.0.0.1' }
  const environmentOf = (variables: Record<string, string> = {}): Record<string, string> => {
    const local = Object.entries(variables).map(([name, value]) => [name, value.replace('/secrets', secrets)])
    return { ...image.environment, ...Object.fromEntries(local), ...here }
  }
  const unused = join(image.folder, 'data')
  const containers = services
    .filter(([, { environment }]) => environment?.ROLES !== undefined)
    .flatMap(([name, { environment, deploy }]) => Array.from({ length: deploy?.replicas ?? 1 }, () => ({ name, environment })))
  const running = await Promise.all(
    containers.map(async ({ name, environment }) => {
      const env = environmentOf(environment)
      return { name, env, serving: await Serving.start(t, unused, [], env, image.main) }
    }),
  )
  const query = running.find(({ name }) => name === 'query')?.serving
  if (query === undefined) throw new Error('somebody answers readers')

  await t.test('every container becomes healthy', async (t) => {
    t.equal(running.length, 5)
    for (const { name, env, serving } of running) {
      const health = () => spawnVitrine(image.healthCheck, { env: { ...env, ADMIN_PORT: String(serving.admin) }, main: image.main })
      t.ok(await eventually(async () => (await health()).code === 0), name)
    }
  })

  await t.test('the demo is written once, and read', async (t) => {
    const { command = [], environment } = compose.services.demo ?? {}
    const args = [...command, '--creators', '5', '--creations', '20']
    const demo = () => spawnVitrine(args, { env: environmentOf(environment), main: image.main })
    t.match(await demo(), { code: 0, stdout: /^[1-9]\d* events written/ })
    t.match(await demo(), { code: 0, stdout: /^0 events written/ })
    await query.ready()
    const total = await eventually(async () => {
      const { body } = await request(query.api, '/public/share/community?limit=1')
      return JSON.parse(body).data?.total
    })
    t.ok(total > 0)
    for (const path of ['/', '/docs', '/llms.txt', '/status']) t.equal((await request(query.web, path)).statusCode, 200, path)
  })

  await t.test('the dashboard asks for the token that was printed', async (t) => {
    const token = readFileSync(join(secrets, 'admin-token'), 'utf8')
    const board = (headers = {}) => request(query.admin, '/board', { headers: { host: 'localhost:3002', ...headers } })
    t.equal((await board()).statusCode, 401)
    t.equal((await board({ authorization: `Bearer ${token}` })).statusCode, 200)
  })

  await t.test('each stops when it is told to', async (t) => {
    for (const { name, serving } of running) t.equal(await serving.end('SIGTERM'), 0, name)
  })
}

await t.test('a MongoDB from before there were passwords asks for one, and keeps what it has', async (t) => {
  const host = await startProtectedMongo(t, secrets, async (t) => {
    const servers = await startMongo(t)
    if (servers !== null) await onMongo(servers.url, (documents) => documents.insertOne({ kept: true }))
    return servers
  })
  if (host === null) return
  const count = (url: string) => onMongo(url, (documents) => documents.countDocuments())
  await t.rejects(count(`mongodb://${host}/?directConnection=true`), /requires authentication/)
  const urlOf = (folder: string) =>
    readFileSync(join(folder, 'mongodb-url'), 'utf8')
      .replace(/@[^/]+/, `@${host}`)
      .replace('replicaSet=rs0', `replicaSet=${SET}`)
  await t.rejects(count(urlOf(await makeSecrets())), /Authentication failed/)
  t.equal(await count(urlOf(secrets)), 1)
})

async function onMongo<T>(url: string, work: (documents: Collection) => Promise<T>): Promise<T> {
  const client = new MongoClient(url)
  try {
    return await work(client.db('vitrine').collection('any'))
  } finally {
    await client.close()
  }
}
