/** More requests than can be served: some are served, the rest get a quick 503, and afterwards all is as before. */
import { once } from 'node:events'
import { Agent, createServer } from 'node:http'
import { connect } from 'node:net'
import { pino } from 'pino'
import t from 'tap'
import { OverloadedError } from '../../../src/contract/errors.js'
import { AdmissionController } from '../../../src/http/admission/admission-controller.js'
import { admitRequests } from '../../../src/http/admission/admission-listener.js'
import { createHost } from '../../../src/http/host.js'
import { RefusalLog } from '../../../src/http/refusal-log.js'
import { refused } from '../../harness/answers.js'
import { COMMUNITY } from '../../harness/community.js'
import { DataFolder } from '../../harness/data-folder.js'
import { complaints, Serving } from '../../harness/program.js'
import { Service } from '../../harness/service.js'
import { request } from '../../harness/sockets.js'
import { listening } from '../../support/listening.js'

const AWAITED = { 'service-min-position': String(COMMUNITY.length + 1) }
const READ = '/public/share/community'

await t.test('a host that is asked for more than it can hold', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY, waitMs: 60_000, admission: { maxInFlight: 8 } })
  const [api, web, admin] = [await service.listen(service.api), await service.listen(service.web), await service.listen(service.admin)]
  const shedSoFar = async () =>
    Number(/vitrine_shed_total\{host="api",reason="crowded"\} (\d+)/.exec((await request(admin, '/metrics')).body)?.[1])
  t.equal(await shedSoFar(), 0, 'shed requests are counted from nothing')

  // These wait for an event that has not come yet, so they stay in flight for as long as the test needs.
  const accepted = Array.from({ length: 8 }, () => request(api, READ, { headers: AWAITED }))
  let turnedAway = await request(api, `${READ}?q=0`)
  for (let n = 1; turnedAway.statusCode === 200; n += 1) turnedAway = await request(api, `${READ}?q=${n}`)

  await t.test('sheds the rest, on both public hosts, with an error envelope', async (t) => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        request(i % 2 === 0 ? api : web, i % 4 < 2 ? `${READ}?q=never-${i}` : '/nothing', { headers: { origin: 'https://page.example' } }),
      ),
    )
    for (const answer of [turnedAway, ...answers]) {
      refused(t, answer, 503, 'upstream_unavailable')
      t.match(answer.headers, { 'retry-after': '1', 'x-content-type-options': 'nosniff' })
    }
    for (const answer of answers) t.equal(answer.headers['access-control-allow-origin'], '*', 'which pages of others can read, too')
    t.ok((await shedSoFar()) >= 20, 'and counts them')
  })

  await t.test('before Fastify as by Fastify, header by header', async (t) => {
    const controller = new AdmissionController({ maxInFlight: 0 })
    t.teardown(() => controller.stop())
    const host = await createHost({ logger: pino({ level: 'silent' }), trustProxy: false, admission: { host: 'web', controller } })
    t.teardown(() => host.close())
    host.get('/shed', async () => {
      throw new OverloadedError()
    })
    const headers = { 'x-request-id': 'same' }
    const shed = await request(await service.listen(host), '/shed', { headers })
    const ordinary = await host.inject({ url: '/shed', headers })
    const { date, connection: _, 'keep-alive': __, ...sent } = shed.headers
    const { date: later, connection: ___, ...ordinarily } = ordinary.headers
    t.ok(date && later)
    t.strictSame({ ...sent }, { ...ordinarily, 'content-length': String(ordinarily['content-length']) })
    t.equal(shed.body, ordinary.body)
    const page = await request(web, '/', { headers: { accept: 'text/html', 'accept-language': 'de', 'x-request-id': 'same' } })
    t.strictSame([page.statusCode, page.headers['retry-after'], page.headers['content-language']], [503, '1', 'de'])
    t.match(page.headers['content-type'], /^text\/html/, 'and people see a page')
    t.match(page.body, /<html lang="de">.*Anfrage same</s, 'with the id of their request')
    const expecting = await request(web, READ, { headers: { expect: 'a miracle' } })
    t.equal(expecting.statusCode, 503, 'also with an Expect header')
    const preflight = { origin: 'https://page.example', 'access-control-request-method': 'GET' }
    t.equal((await request(web, READ, { method: 'OPTIONS', headers: preflight })).statusCode, 204, 'only preflights are answered')
    t.equal((await request(web, READ, { method: 'OPTIONS' })).statusCode, 503, 'no other OPTIONS')
  })

  await t.test('still answers on the admin host', async (t) => {
    for (const path of ['/health/live', '/health/ready', '/metrics']) t.equal((await request(admin, path)).statusCode, 200, path)
  })

  await t.test('answers the admitted requests, and recovers', async (t) => {
    await service.tell(COMMUNITY[0] as (typeof COMMUNITY)[number])
    for (const { statusCode } of await Promise.all(accepted)) t.equal(statusCode, 200)
    let after = await request(api, READ)
    while (after.statusCode === 503) after = await request(api, READ)
    t.equal(after.statusCode, 200)
    const again = await Promise.all(Array.from({ length: 6 }, () => request(api, READ)))
    for (const { statusCode } of again) t.equal(statusCode, 200, 'every slot is free again')
  })

  await t.test('frees the slots of callers that hang up', async (t) => {
    const impatient = new Agent()
    const lost = Array.from({ length: 8 }, () =>
      request(api, READ, { headers: { 'service-min-position': String(COMMUNITY.length + 2) }, agent: impatient }).catch(
        (error: NodeJS.ErrnoException) => error.code,
      ),
    )
    // Another one each time: a cached read needs no slot.
    let asked = 0
    const read = () => request(api, `${READ}?q=lost-${asked++}`)
    while ((await read()).statusCode === 200);
    for (const socket of Object.values(impatient.sockets).flat()) socket?.destroy()
    t.strictSame(await Promise.all(lost), Array(8).fill('ECONNRESET'))
    while ((await read()).statusCode === 503);
    t.equal((await read()).statusCode, 200)
    // What they waited for comes, so that nothing waits for it any longer.
    await service.tell(COMMUNITY[0] as (typeof COMMUNITY)[number])
  })
})

const turn = () => new Promise((resolve) => setImmediate(resolve))

await t.test('a question releases its slot when it has its facts', async (t) => {
  const words: (() => void)[] = []
  const model = () => new Promise<null>((resolve) => words.push(() => resolve(null)))
  const service = await Service.start(t, { events: COMMUNITY, admission: {}, model })
  const web = await service.listen(service.web)
  const body = (streaming: boolean) => JSON.stringify({ query: 'What is popular?', prefer: { streaming } })
  const tool = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'ask', arguments: { query: 'What is popular?' } },
  })
  // Far more than there are slots: each of them waits for its words.
  const asked: Promise<Response>[] = []
  const ask = async (path: string, content: string) => {
    const before = words.length
    asked.push(fetch(`http://127.0.0.1:${web}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: content }))
    while (words.length === before) await turn()
  }
  for (let i = 0; i < 12; i++) {
    await ask('/ask', body(false))
    await ask('/ask', body(true))
    await ask('/api/mcp', tool)
  }
  t.equal(words.length, 36, 'so that other requests are read in between')
  for (const say of words) say()
  for (const { status } of await Promise.all(asked)) t.equal(status, 200)
})

await t.test('a frozen process that finds many requests waiting', async (t) => {
  const folder = await DataFolder.of(t, ...COMMUNITY)
  const serving = await Serving.start(t, folder.path)
  await serving.ready()
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 2000 })
  t.teardown(() => agent.destroy())
  const seen = new Set<number>()
  // All of them arrive while the process is frozen, so it gets them at once; each round sends more, in case they were too few.
  for (let round = 1; round <= 4 && !(seen.has(200) && seen.has(503)); round += 1) {
    serving.signal('SIGSTOP')
    const requests = Array.from({ length: 400 * round }, (_, i) => request(serving.web, `/?q=${round}-${i}`, { agent }))
    await new Promise((resolve) => setImmediate(resolve))
    serving.signal('SIGCONT')
    for (const { statusCode, headers } of await Promise.all(requests)) {
      seen.add(statusCode)
      if (statusCode === 503) t.equal(headers['retry-after'], '1')
    }
  }
  t.strictSame([...seen].sort(), [200, 503], 'serves some and tells the others to come back')
  t.equal((await request(serving.web, '/')).statusCode, 200, 'and goes on')
  t.match((await request(serving.admin, '/metrics')).body, /vitrine_shed_total\{host="web",reason="late"\} [1-9]/)
  t.equal(complaints(serving.stderr), '', 'without a line for each')
})

await t.test('an answer that waits for its reader is not in flight', async (t) => {
  const controller = new AdmissionController()
  const answer = Buffer.alloc(32 * 1024 * 1024)
  const logger = pino({ level: 'silent' })
  const options = {
    ...{ host: 'web', controller, logger, trustProxy: false, cors: false },
    ...{ refusals: new RefusalLog(logger), telemetry: undefined, errorPages: undefined },
  }
  const server = createServer(admitRequests(options, (_request, response) => response.end(answer)))
  const port = await listening(server)
  t.teardown(() => {
    controller.stop()
    server.closeAllConnections()
    server.close()
  })
  const socket = connect(port, '127.0.0.1')
  socket.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const [arrived] = await once(server, 'connection')
  await once(socket, 'readable')
  t.ok(arrived.writableLength > 0, 'it is being sent')
  t.equal(controller.inFlight, 0)
})
