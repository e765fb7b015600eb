/** What happens when mongod goes away: readers hear so at once, the projector goes on where it was, nothing is lost and nothing twice. */
import { MongoClient } from 'mongodb'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { openMongoStore } from '../../../src/adapters/mongo/document-store.js'
import { readConfig } from '../../../src/compose/config.js'
import { readIntegrityReport } from '../../../src/compose/live-models.js'
import { withDocuments } from '../../../src/compose/stores.js'
import { PublicUrls } from '../../../src/contract/public-urls.js'
import { Projector } from '../../../src/engine/leader/projector.js'
import { servePublicReads } from '../../../src/http/api/public-reads.js'
import { createHost } from '../../../src/http/host.js'
import { serveStatus } from '../../../src/http/web/host.js'
import { takeStatusSample } from '../../../src/observe/engine-status.js'
import { ServiceStatusDocument } from '../../../src/observe/service-status.js'
import { AnswerCache } from '../../../src/operations/cache/answer-cache.js'
import { ModelVersions } from '../../../src/operations/cache/model-versions.js'
import { ReadExecutor } from '../../../src/operations/read-executor.js'
import type { DocumentStore } from '../../../src/ports/document-store.js'
import { eventually } from '../../ports/subject.js'
import { primaryOf, startMongo } from '../../servers/mongo.js'
import { projections, READ_MODELS, publicReads as registry } from '../../support/built-in-models.js'
import { sameDump } from '../../support/dump.js'
import { MemoryEventLog } from '../../support/memory-log.js'
import { databaseOn } from './databases.js'
import { demoRecords, everything, replayed } from './models.js'

await t.test('a mongod killed and started again under a projector: as after a clean replay', async (t) => {
  const servers = await startMongo(t)
  if (servers === null) return
  const [member] = servers.members
  await underFire(t, servers.url, async () => {
    await member?.process.kill()
    await member?.process.start()
  })
})

await t.test('three members losing their primary under writes: as after a clean replay', async (t) => {
  const servers = await startMongo(t, 3)
  if (servers === null) return
  await underFire(t, servers.url, async () => {
    const client = new MongoClient(servers.url)
    const { me } = await client.db('admin').command({ hello: 1 })
    await client.close()
    const primary = servers.members.find(({ host }) => host === me)
    t.ok(primary?.process.running)
    await primary?.process.kill()
  })
})

await t.test('a read under way when its primary dies ends as soon as one that begins then', async (t) => {
  const servers = await startMongo(t, 3)
  if (servers === null) return
  const store = await openMongoStore(databaseOn(servers.url))
  const projector = new Projector(projections, new MemoryEventLog(demoRecords(50)), store, pino({ level: 'silent' }))
  t.teardown(() => store.close())
  projector.start()
  await reached(store, 50)
  await projector.stop()
  const [items] = projections.find(({ name }) => name === 'feed')?.collections ?? []
  if (items === undefined) throw new Error('the feed has no collections')
  const primary = await primaryOf(servers.members)
  const snapshot = await store.snapshot(['feed'])
  t.teardown(() => snapshot.release())
  await snapshot.model('feed').get(items, ['known'])

  primary?.process.signal('SIGSTOP')
  const underWay = timed(snapshot.model('feed').get(items, ['unknown']))
  // Two of three, so that there is no other primary to answer.
  await Promise.all([primary, servers.members.find((member) => member !== primary)].map((member) => member?.process.kill()))
  const lost = performance.now()
  const ended = await underWay
  t.match(ended.error, { name: 'StoreUnavailableError' })
  const begun = performance.now()
  const next = await timed(store.snapshot(['feed']))
  t.match(next.error, { name: 'StoreUnavailableError' })
  const [took, takes] = [ended.at - lost, next.at - begun]
  t.comment(`under way: ${Math.round(took)} ms, begun afterwards: ${Math.round(takes)} ms`)
  t.ok(took < 4 * takes, 'in time')
})

await t.test('a command waits for a busy server, and a reader does not', async (t) => {
  const servers = await startMongo(t)
  if (servers === null) return
  const MONGODB_URL = databaseOn(servers.url)
  const readers = await openMongoStore(MONGODB_URL)
  t.teardown(() => readers.close())
  const projector = new Projector(projections, new MemoryEventLog(demoRecords(50)), readers, pino({ level: 'silent' }))
  projector.start()
  await reached(readers, 50)
  await projector.stop()
  await withDocuments(readConfig({ MONGODB_URL }), async (documents) => {
    ;(await documents.snapshot(['feed'])).release()
    servers.members[0]?.process.signal('SIGSTOP')
    const asked = documents.snapshot(['feed'])
    await t.rejects(readers.snapshot(['feed']), { name: 'StoreUnavailableError' })
    servers.members[0]?.process.signal('SIGCONT')
    ;(await asked).release()
  })
})

async function timed(read: Promise<unknown>): Promise<{ error: unknown; at: number }> {
  const error = await read.then(
    () => null,
    (error: unknown) => error,
  )
  return { error, at: performance.now() }
}

await t.test('a process that starts without a server, and waits too long for it, continues once there is one', async (t) => {
  const servers = await startMongo(t)
  if (servers === null) return
  const [member] = servers.members
  const url = databaseOn(servers.url)
  const waiting = await openMongoStore(`${url}${url.includes('?') ? '&' : '?'}serverSelectionTimeoutMS=200`)
  t.teardown(() => waiting.close())
  await member?.process.kill()
  let told = 0
  waiting.onChange(() => (told += 1))
  // Twice: the driver gives up with the first, and would not try again with the second.
  for (const _ of [1, 2]) await t.rejects(waiting.generations('feed'), { name: 'StoreUnavailableError' })
  await member?.process.start()
  t.strictSame(await eventually(() => waiting.generations('feed').catch(() => null)), [])

  const other = await openMongoStore(url)
  t.teardown(() => other.close())
  told = 0
  await other.putControlRecord({ kind: 'test', id: 'one', revision: 0, value: {} })
  t.ok(await eventually(async () => told > 0), 'and is told of what others change')
})

/** Publishes events bit by bit while the models are live, with trouble in the middle. */
async function underFire(t: Test, server: string, trouble: () => Promise<void>): Promise<void> {
  const url = databaseOn(server)
  const records = demoRecords(1200)
  const log = new MemoryEventLog(records.slice(0, 400))
  const store = await openMongoStore(url)
  const projector = new Projector(projections, log, store, pino({ level: 'silent' }))
  t.teardown(async () => {
    await projector.stop()
    await store.close()
  })
  projector.start()
  await reached(store, 400)
  const publishing = (async () => {
    for (let at = 400; at < records.length; at += 20) {
      await log.append(records.slice(at, at + 20))
      await eventually(async () => (await positionOf(store)) >= at)
      if (at === 600) await trouble()
    }
  })()
  await publishing
  await reached(store, records.length)
  const expected = await replayed(records)
  for (const [name, dump] of await everything(store)) sameDump(dump, expected.get(name) ?? new Map())
  t.pass('equal')
}

async function reached(store: DocumentStore, position: number): Promise<void> {
  await eventually(async () => (await positionOf(store)) >= position)
}

/** The position of the slowest model; 0 while the store cannot be read. */
async function positionOf(store: DocumentStore): Promise<number> {
  const names = projections.map(({ name }) => name)
  try {
    const snapshot = await store.snapshot(names)
    snapshot.release()
    return Math.min(...names.map((name) => snapshot.model(name).checkpoint.position))
  } catch {
    return 0
  }
}

await t.test('while there is no mongod the API says so in half a second, and answers again by itself', async (t) => {
  const servers = await startMongo(t)
  if (servers === null) return
  const [member] = servers.members
  await member?.process.kill()
  // Started without a server.
  const store = await openMongoStore(databaseOn(servers.url))
  const logger = pino({ level: 'silent' })
  const api = await createHost({ logger, trustProxy: false })
  const versions = new ModelVersions(store, READ_MODELS)
  servePublicReads(api, registry, new AnswerCache(new ReadExecutor(store, new PublicUrls('vitrine.example'), { versions }), versions))
  const log = new MemoryEventLog(demoRecords(200))
  const models = projections.map(({ name }) => name)
  const limits = { public: null, agent: null, mcp: null }
  const sample = () => takeStatusSample({ log: async () => log, store, projections, readIntegrity: readIntegrityReport })
  serveStatus(api, { sample, jobs: () => null, limits })
  t.teardown(() => api.close())
  const projector = new Projector(projections, log, store, logger)
  t.teardown(async () => {
    await projector.stop()
    await store.close()
  })
  const ask = async () => {
    const began = performance.now()
    const { statusCode, headers, json } = await api.inject('/public/share/community')
    return { statusCode, retryAfter: headers['retry-after'], error: json().error, ms: performance.now() - began }
  }
  const modelStates = async () => {
    const { statusCode, json } = await api.inject('/status')
    const { components } = ServiceStatusDocument.parse(json())
    return [statusCode, ...components.filter(({ kind }) => kind === 'projection').map(({ status }) => status)]
  }
  const away = async (what: string) => {
    const answer = await ask()
    t.match(answer, { statusCode: 503, retryAfter: '2', error: 'upstream_unavailable' }, what)
    t.comment(`${what}: after ${Math.round(answer.ms)} ms`)
    t.ok(answer.ms < 2000, 'in time')
    t.strictSame(await modelStates(), [200, ...models.map(() => 'unavailable')], 'and the status says so')
  }
  await away('before the first connection')
  projector.start()
  await member?.process.start()
  await eventually(async () => (await ask()).statusCode === 200)
  await member?.process.kill()
  // The cached answer is shown until the loss is noticed.
  await eventually(async () => (await ask()).statusCode === 503)
  await away('after it was killed')
  await away('and again')
  await member?.process.start()
  await eventually(async () => (await ask()).statusCode === 200)
  member?.process.signal('SIGSTOP')
  // A hanging server sends no error: the cached answer is shown until the models are read again, half a second later.
  await eventually(async () => (await ask()).statusCode === 503)
  await away('while it hangs')
  member?.process.signal('SIGCONT')
  await eventually(async () => (await ask()).statusCode === 200)
  // The outages have come in the middle of the first load of some models.
  await eventually(async () => (await modelStates()).every((one) => one === 200 || one === 'ok'))
})
