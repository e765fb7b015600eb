/** A caller that hangs up while it waits is no failure of ours: no 500 in log or metrics, and no stack. */
import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'
import { request } from '../harness/sockets.js'
import { eventually } from '../ports/subject.js'

const post = (path: string, body: object, headers = '') => {
  const text = JSON.stringify(body)
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n${headers}\r\n${text}`
}
const question = (streaming: boolean) => ({ query: 'What is popular?', prefer: { streaming } })
const tool = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask', arguments: { query: 'What is popular?' } } }
const later = `Service-Min-Position: ${COMMUNITY.length + 1}\r\n`
const batch = { requests: [{ id: 'a', operation: 'get_popular_tags' }] }

await t.test('callers that leave while they wait', async (t) => {
  const lines: { level: number; err?: { stack: string }; status?: number; msg: string }[] = []
  let phrasing = 0
  /** Words that never come; like `fetch`, it fails when it is aborted. */
  const model = (_task: string, _data: unknown, signal?: AbortSignal) =>
    new Promise<null>((_resolve, reject) => {
      phrasing += 1
      signal?.addEventListener('abort', () => reject(signal.reason))
    })
  const service = await Service.start(t, {
    events: COMMUNITY,
    waitMs: 500,
    model,
    admission: {},
    logged: (line) => lines.push(JSON.parse(line)),
  })
  const [web, admin] = [await service.listen(service.web), await service.listen(service.admin)]

  /** Sends it, waits until it is being worked on, and hangs up. */
  const leave = async (bytes: string, isWaiting: () => boolean = () => true) => {
    const entered = once(service.web.server, 'request')
    const socket = connect(web, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(bytes)
    const [, response] = await entered
    await eventually(async () => isWaiting())
    const left = once(response, 'close')
    socket.destroy()
    await left
  }

  for (const streaming of [false, true]) {
    const before = phrasing
    await leave(post('/ask', question(streaming)), () => phrasing > before)
    const keyed = phrasing
    await leave(post('/ask', question(streaming), `Idempotency-Key: k${streaming}\r\n`), () => phrasing > keyed)
  }
  const called = phrasing
  await leave(post('/api/mcp', tool), () => phrasing > called)
  await leave(`GET /public/share/community HTTP/1.1\r\nHost: x\r\n${later}\r\n`)
  await leave(post('/batch', batch, later))
  // Before anything of the stream was read.
  await leave(post('/ask', question(true), 'Idempotency-Key: gone\r\nAccept-Language: *\r\n'))
  await eventually(async () => {
    const hangUp = new AbortController()
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'gone' }
    const body = JSON.stringify(question(true))
    const again = await fetch(`http://127.0.0.1:${web}/ask`, { method: 'POST', headers, body, signal: hangUp.signal })
    hangUp.abort()
    return again.status === 200
  })
  await leave('POST /ask HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{')
  await leave('POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{')
  // Long enough for those that waited for a position to run out.
  await request(web, '/public/share/community', { headers: { 'service-min-position': String(COMMUNITY.length + 1) } })

  t.strictSame(
    lines.filter(({ level, err, status }) => level >= 50 || err !== undefined || status === 500),
    [],
  )
  t.notMatch((await request(admin, '/metrics')).body, /status="500"/)
})
