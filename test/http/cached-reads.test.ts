import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { PublicUrls } from '../../src/contract/public-urls.js'
import { AdmissionController } from '../../src/http/admission/admission-controller.js'
import { servePublicReads } from '../../src/http/api/public-reads.js'
import { createHost } from '../../src/http/host.js'
import { RateLimit } from '../../src/http/rate-limit/rate-limit.js'
import { AnswerCache } from '../../src/operations/cache/answer-cache.js'
import { ModelVersions } from '../../src/operations/cache/model-versions.js'
import { ReadExecutor } from '../../src/operations/read-executor.js'
import type { RateWindows } from '../../src/ports/rate-windows.js'
import { LocalRateWindows } from '../../src/rate-limit/local-rate-windows.js'
import { COMMUNITY } from '../harness/community.js'
import { READS } from '../harness/reads.js'
import { request } from '../harness/sockets.js'
import { liveModels } from '../spec/cached.js'
import { erased, played, type Told } from '../spec/events.js'
import { Script } from '../spec/script.js'
import { publicReads, READ_MODELS } from '../support/built-in-models.js'
import { memoryStore } from '../support/memory-store.js'
import { admit } from './admission/admit.js'

interface Options {
  most?: number | null
  windows?: RateWindows
  trustProxy?: boolean
  controller?: AdmissionController
}

/** A host with the reads only, which counts requests that reach Fastify. */
async function host(t: Test, { most = 1000, windows = new LocalRateWindows(), trustProxy = false, controller }: Options = {}) {
  // In memory and with a clock that stands still: a cached answer stays valid until the test expires it.
  const store = memoryStore()
  const models = await liveModels(t, store)
  const script = new Script()
  await models.deliver(script.write(...COMMUNITY))
  const versions = new ModelVersions(store, READ_MODELS, { now: () => 0 })
  t.teardown(() => versions.close())
  const answers = new AnswerCache(new ReadExecutor(store, new PublicUrls('vitrine.example'), { versions }), versions)
  const limit = new RateLimit('public', most, { windows, now: () => 0 })
  const lines: Record<string, unknown>[] = []
  const logger = pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const watched = controller === undefined ? {} : { admission: { host: 'api', controller } }
  const app: FastifyInstance = await createHost({
    ...{ logger, trustProxy, ...watched },
    cachedReads: { answers },
    rateLimits: {
      limits: { public: limit, agent: limit, mcp: limit, pages: limit, pictures: limit, other: limit },
      otherwise: 'other',
    },
  })
  const seen = { byFastify: 0 }
  app.addHook('onRequest', async () => {
    seen.byFastify += 1
  })
  servePublicReads(app, publicReads, answers)
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => app.close())
  const { port } = app.server.address() as { port: number }
  const get = (path: string, headers: Record<string, string> = {}) => request(port, path, { headers })
  const deliver = async (...told: Told[]) => {
    await models.deliver(script.write(...told))
    versions.expire()
  }
  return { app, get, seen, lines, versions, deliver }
}

const asynchronously = (windows: LocalRateWindows): RateWindows => ({
  take: async (...args) => windows.take(...args),
})

/** Without what is about the connection, and with only the form of what counts down. */
function comparable(headers: Record<string, unknown>): Record<string, unknown> {
  const { date: _, connection: __, 'keep-alive': ___, ...rest } = headers
  for (const name of ['ratelimit', 'ratelimit-remaining'])
    if (rest[name] !== undefined) rest[name] = String(rest[name]).replaceAll(/\d+/g, '0')
  return rest
}

await t.test('a cached answer equals that of Fastify, with all its headers', async (t) => {
  for (const [name, options] of [
    ['with limits', {}],
    ['without', { most: null }],
    ['behind a proxy', { trustProxy: true }],
    ['with limits that are shared', { windows: asynchronously(new LocalRateWindows()) }],
  ] as [string, Options][]) {
    const { app, get, seen, lines } = await host(t, options)
    let compressed = 0
    for (const path of READS) {
      const { headers: first } = await get(path)
      const variants: Record<string, string>[] = [
        {},
        { accept: 'application/json', origin: 'https://elsewhere.example', 'accept-encoding': 'gzip, br' },
        { 'if-none-match': String(first.etag) },
        { 'if-none-match': `"other", W/${first.etag}` },
        { 'if-none-match': '"other"' },
        { 'x-forwarded-for': '10.0.0.1, 10.0.0.2', 'x-forwarded-proto': 'http,https' },
      ]
      for (const given of variants) {
        const headers = { ...given, 'x-request-id': 'the-same' }
        const ordinary = await app.inject({ url: path, headers })
        const before = seen.byFastify
        lines.length = 0
        const cached = await get(path, headers)
        t.equal(seen.byFastify, before, `${name}: ${path} was cached`)
        compressed += Number(cached.headers['content-encoding'] !== undefined)
        t.strictSame(
          [cached.statusCode, comparable(cached.headers), cached.body],
          [ordinary.statusCode, comparable(ordinary.headers), ordinary.body],
          `${path} ${JSON.stringify(given)}`,
        )
        t.match(lines, [{ reqId: 'the-same', method: 'GET', operation: /^get_/, status: cached.statusCode, ms: Number, msg: 'answered' }])
      }
    }
    t.ok(compressed > 0, 'some of them compressed')
  }
})

await t.test('unusual requests go to Fastify', async (t) => {
  const { app, get, seen } = await host(t)
  const [path = ''] = READS
  await get(path)
  for (const [name, value] of [
    ['service-min-position', '1'],
    ['service-api-version', '2026-05-26'],
    ['content-length', '0'],
  ] as const) {
    const before = seen.byFastify
    t.equal((await get(path, { [name]: value })).statusCode, 200)
    t.equal(seen.byFastify, before + 1, name)
  }
  t.equal((await get(path, { 'service-api-version': 'yesterday' })).statusCode, 400)
  const before = seen.byFastify
  const { port } = app.server.address() as { port: number }
  t.equal((await request(port, path, { method: 'HEAD' })).statusCode, 200)
  t.equal((await get('/public/share/nothing')).statusCode, 404)
  t.equal(seen.byFastify, before + 1, 'the other was refused before it was counted here')
})

await t.test('a cached read counts against the limit once', async (t) => {
  for (const windows of [new LocalRateWindows(), asynchronously(new LocalRateWindows())]) {
    const { get, seen } = await host(t, { most: 4, windows })
    const [path = ''] = READS
    const left: unknown[] = []
    for (let i = 0; i < 6; i++) {
      const { statusCode, headers } = await get(path)
      left.push([statusCode, headers['ratelimit-remaining']])
    }
    t.strictSame(left, [
      [200, '3'],
      [200, '2'],
      [200, '1'],
      [200, '0'],
      [429, '0'],
      [429, '0'],
    ])
    t.equal(seen.byFastify, 1, 'only the first; one too many was refused before it got here')
  }
})

await t.test('a change is seen, and no erased creator', async (t) => {
  const { get, deliver } = await host(t)
  for (const path of READS) await get(path)
  await deliver(played('c1'))
  for (const path of READS) t.equal((await get(path)).headers['service-position'], String(COMMUNITY.length + 1), path)
  await deliver(erased('ben'))
  for (const path of READS) t.notMatch((await get(path)).body, /"ben"/i, path)
})

await t.test('over capacity a cached read is sent, and others are shed', async (t) => {
  const controller = new AdmissionController({ maxInFlight: 1 })
  t.teardown(() => controller.stop())
  const { get, versions } = await host(t, { controller })
  const [path = ''] = READS
  t.equal((await get(path)).statusCode, 200)
  t.equal((await get(path)).statusCode, 200)
  const ticket = await admit(controller, 'api', null)
  t.equal((await get(path)).statusCode, 200)
  versions.expire()
  t.equal((await get(path)).statusCode, 200, 'also when the store has to be looked at first')
  const { statusCode, headers } = await get(`${path}?limit=7`)
  t.strictSame([statusCode, headers['retry-after']], [503, '1'])
  ticket.close()
})
