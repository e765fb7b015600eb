/** Vitrine behind a real nginx with the configuration of ops/proxy, with the variables that its comment names. */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect as connectHttp2 } from 'node:http2'
import { Agent, request as httpsRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { COMMUNITY } from '../harness/community.js'
import { DataFolder } from '../harness/data-folder.js'
import { Serving } from '../harness/program.js'
import { request } from '../harness/sockets.js'
import { eventually } from '../ports/subject.js'
import { PRETENDER, startNginx } from './nginx.js'

interface Asked {
  headers?: Record<string, string>
  body?: string
  /** One of this machine's own addresses. */
  from?: string
}

/** From the comment at the top of the configuration. */
const [comment = ''] = readFileSync('ops/proxy/nginx.conf', 'utf8').match(/^# {3}.+$/m) ?? []
const environment = Object.fromEntries(
  comment
    .slice(1)
    .trim()
    .split(' ')
    .map((pair) => pair.split('=', 2) as [string, string]),
)

const AGENT_LIMIT = 10

const folder = await DataFolder.of(t, ...COMMUNITY)
const serving = await Serving.start(t, folder.path, ['--rate-limit-agent', String(AGENT_LIMIT)], environment)
const nginx = await startNginx(t, serving)

if (nginx !== null) {
  await serving.ready()
  const agent = new Agent({ ca: nginx.certificate.cert, keepAlive: false })
  t.teardown(() => agent.destroy())
  const ask = async (url: string, { headers = {}, body, from = '127.0.0.1' }: Asked = {}) => {
    const { host, pathname, search } = new URL(url)
    const outgoing = httpsRequest({
      agent,
      host: '127.0.0.1',
      localAddress: from,
      port: nginx.https,
      servername: host,
      path: pathname + search,
      method: body === undefined ? 'GET' : 'POST',
      headers: { host, ...headers },
    })
    outgoing.end(body)
    const [response] = await once(outgoing, 'response')
    return { statusCode: response.statusCode as number, headers: response.headers, body: await text(response) }
  }

  await t.test('each host is reached by its name, over TLS, and says that it is', async (t) => {
    const feed = await ask(`${environment.BASE_URL}/public/share/community?limit=1`)
    t.equal(feed.statusCode, 200)
    t.ok(feed.headers['strict-transport-security'], 'the service knows of TLS')
    const [{ url }] = JSON.parse(feed.body).data.items
    t.match(url, /^https:\/\/[a-z0-9-]+\.gallery\.example\//)
    t.match(await ask(url), { statusCode: 200, headers: { 'content-type': /html/ } }, 'a creation is on its creator’s subdomain')
    t.match(await ask(`${environment.WEB_URL}/llms.txt`), { statusCode: 200, body: environment.BASE_URL })
    t.equal((await ask(`${environment.WEB_URL}/metrics`)).statusCode, 404, 'the admin host is not')
  })

  await t.test('browsers get HTTP/2', async (t) => {
    const session = connectHttp2(`https://127.0.0.1:${nginx.https}`, { ca: nginx.certificate.cert, servername: 'gallery.example' })
    t.teardown(() => session.close())
    const stream = session.request({ ':path': '/llms.txt', ':authority': 'gallery.example' })
    const [headers] = await once(stream, 'response')
    t.equal(headers[':status'], 200)
    t.match(await text(stream), environment.BASE_URL)
  })

  await t.test('plain HTTP leads to TLS', async (t) => {
    const { statusCode, headers } = await request(nginx.http, '/docs?locale=de', { headers: { host: 'gallery.example' } })
    t.strictSame([statusCode, headers.location], [308, 'https://gallery.example/docs?locale=de'])
  })

  await t.test('an answer that comes in parts comes through', async (t) => {
    const body = JSON.stringify({ query: 'what is this?', prefer: { streaming: true } })
    const answer = await ask(`${environment.WEB_URL}/ask`, { headers: { 'content-type': 'application/json' }, body })
    t.match(answer, {
      statusCode: 200,
      headers: { 'content-type': /event-stream/ },
      body: /event: start.+event: result.+event: complete/s,
    })
  })

  await t.test('callers cannot say who they are, or which host they mean', async (t) => {
    const status = async (from: string, forged: string) => {
      const headers = { 'x-forwarded-for': forged, 'x-forwarded-host': 'ada.gallery.example', 'x-forwarded-proto': 'http' }
      return (await ask(`${environment.WEB_URL}/status`, { headers, from })).statusCode
    }
    const statuses: number[] = []
    for (let i = 0; i <= AGENT_LIMIT; i++) statuses.push(await status('127.0.0.2', `192.0.2.${i}`))
    t.strictSame(statuses, [...Array<number>(AGENT_LIMIT).fill(200), 429])
    t.equal(await status('127.0.0.3', '127.0.0.2'), 200, 'and are not held to what others have used up')
  })

  await t.test('connections are counted by address, and by /64 for IPv6', async (t) => {
    const statusFor = async (address: string) =>
      (await ask(`${environment.WEB_URL}/llms.txt`, { from: PRETENDER, headers: { 'x-pretended-address': address } })).statusCode
    const table: [holds: (n: number) => string, refused: string, passes: string[]][] = [
      [(n) => `2001:db8:0:a0a::${n.toString(16)}`, '2001:db8:0:a0a:ffff::1', ['2001:db8:0:a0b::1', '192.0.2.1', '::ffff:192.0.2.1']],
      [() => '192.0.2.1', '192.0.2.1', ['192.0.2.2', '2001:db8:0:a0a::1']],
      [() => '::ffff:192.0.2.1', '::ffff:192.0.2.1', ['::ffff:192.0.2.2', '::1']],
    ]
    for (const [holds, refused, passes] of table) {
      const held = Array.from({ length: 256 }, (_, n) => {
        const headers = { host: 'gallery.example', 'content-length': '9', 'x-pretended-address': holds(n + 1) }
        const options = { host: '127.0.0.1', localAddress: PRETENDER, port: nginx.https, servername: 'gallery.example' }
        const outgoing = httpsRequest({ ...options, ca: nginx.certificate.cert, agent: false, path: '/ask', method: 'POST', headers })
        outgoing.on('error', () => {})
        // nginx waits for the rest of it.
        outgoing.flushHeaders()
        return outgoing
      })
      await eventually(async () => (await statusFor(refused)) === 429)
      for (const address of passes) t.equal(await statusFor(address), 200, `${address} beside ${refused}`)
      for (const outgoing of held) outgoing.destroy()
      await eventually(async () => (await statusFor(refused)) === 200)
    }
  })

  await t.test('it stops when it is told to', async (t) => {
    t.equal(await serving.end('SIGTERM'), 0)
  })
}
