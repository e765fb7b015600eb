/** A request counts when its head arrives: whatever becomes of it then, it costs its caller one. */
import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { BodyGate } from '../../../src/http/admission/body-gate.js'
import { refused } from '../../harness/answers.js'
import { COMMUNITY } from '../../harness/community.js'
import { Service } from '../../harness/service.js'
import { request, sendRaw } from '../../harness/sockets.js'
import { eventually } from '../../ports/subject.js'

const TAGS = '/public/share/tags'
const now = () => 1_000_000 * 60_000

await t.test('what is refused, too slow or shed costs one, and a 429 nothing more', async (t) => {
  const service = await Service.start(t, {
    ...{ events: COMMUNITY, now, waitMs: 60_000 },
    ...{ limit: 20, agentLimit: 12, otherLimit: 3 },
    bodies: new BodyGate({ timeoutMs: 50 }),
    admission: { maxInFlight: 1 },
  })
  const [api, web] = [await service.listen(service.api), await service.listen(service.web)]
  const remaining = async (port: number, path: string, headers = {}) =>
    (await request(port, path, { headers })).headers['ratelimit-remaining']
  t.equal(await remaining(web, '/status'), '11')
  t.equal(await remaining(web, '/status', { 'service-api-version': 'x' }), '10', 'a 400 before the route')
  const slow = await sendRaw(web, 'POST /ask HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{')
  t.match(slow, /^HTTP\/1\.1 408 /)
  t.match(slow, /^ratelimit-remaining: 9\r$/im, 'a body that is too slow')
  await sendRaw(web, 'GET /status HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n')
  t.equal(await remaining(web, '/status'), '7', 'two hosts')

  const socket = connect(web, '127.0.0.1')
  socket.on('error', () => {})
  const entered = once(service.web.server, 'request')
  socket.write('POST /ask HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{')
  await entered
  socket.destroy()
  t.equal(await remaining(web, '/status'), '5', 'a body that never came')

  const awaited = connect(api, '127.0.0.1')
  t.teardown(() => awaited.destroy())
  awaited.write(`GET ${TAGS} HTTP/1.1\r\nHost: x\r\nService-Min-Position: ${COMMUNITY.length + 1}\r\n\r\n`)
  await eventually(async () => (await request(api, '/app/x')).statusCode !== 401)
  const shed = await request(web, '/status')
  refused(t, shed, 503, 'upstream_unavailable')
  t.equal(shed.headers['ratelimit-remaining'], '4', 'a request that is shed')
  // What is waited for comes, so that nothing waits for it any longer.
  await service.tell(COMMUNITY[0] as (typeof COMMUNITY)[number])
})

await t.test('a 429 is sent before Fastify as by Fastify, header by header', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY, now, limit: 1, agentLimit: 1, otherLimit: 1, admission: {} })
  const [api, web] = [await service.listen(service.api), await service.listen(service.web)]
  const headers = { 'x-request-id': 'same' }
  for (const [port, host, path] of [
    [api, service.api, TAGS],
    [api, service.api, '/app/x'],
    [web, service.web, '/status'],
    [web, service.web, '/nothing'],
  ] as const) {
    await request(port, path)
    const { date, connection, 'keep-alive': _, ...raw } = (await request(port, path, { headers })).headers
    const injected = await host.inject({ url: path, headers })
    const { date: later, connection: __, ...ordinary } = injected.headers
    t.ok(date && later && connection)
    t.equal(injected.statusCode, 429, path)
    t.strictSame({ ...raw }, { ...ordinary, 'content-length': String(ordinary['content-length']) })
    const { body } = await request(port, path, { headers })
    t.equal(body, injected.body)
  }
})
