/** `vitrine serve` as a process: what it prints, logs, shows and says of itself. */
import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { PopularTags } from '../../readmodels/tags/public-reads.js'
import { dataOf } from '../harness/answers.js'
import { RunningCommand, vitrine } from '../harness/command.js'
import { COMMUNITY } from '../harness/community.js'
import { DataFolder } from '../harness/data-folder.js'
import { complaints, freePorts, Serving, serveArguments, takenPort } from '../harness/program.js'
import { request } from '../harness/sockets.js'
import { eventually } from '../ports/subject.js'
import { serverPorts } from '../servers/ports.js'
import { played, poison, published } from '../spec/events.js'
import { Script } from '../spec/script.js'
import { scaledTimeout } from '../support/scaled-timeout.js'

/** Publications that a reader waits for, one after the other. */
const ROUNDS = 5
/** The goal is 50 ms. */
const GUARD_MS = 2000

await t.test('serve', async (t) => {
  const folder = await DataFolder.open(t)
  const script = new Script()
  await folder.append(script.write(...COMMUNITY))
  const serving = await Serving.start(t, folder.path)
  await serving.ready()

  await t.test('prints what to open, and all of it opens', async (t) => {
    const urls: readonly string[] = serving.stdout.match(/http:\S+/g) ?? []
    t.ok(urls.length >= 5, serving.stdout)
    for (const url of urls) {
      const { port, pathname, search } = new URL(url)
      t.equal((await request(Number(port), pathname + search)).statusCode, 200, url)
    }
    t.strictSame(new Set(urls.map((url) => Number(new URL(url).port))), new Set([serving.api, serving.web, serving.admin]))
    for (const page of [`${serving.web}/llms.txt`, `${serving.admin}/`]) t.ok(urls.includes(`http://127.0.0.1:${page}`), page)
  })

  await t.test('shows promptly what another process publishes', async (t) => {
    const delays: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const lines = script.write(published(`new${round}`, { by: 'ada', tags: [`tag${round}`] })).map(({ payload }) => payload)
      const position = COMMUNITY.length + round + 1
      const seen = seenAt(serving.api, position)
      const { code, stderr } = await vitrine(['publish', '-', '--data-dir', folder.path], { input: lines.join('\n') })
      t.strictSame([code, stderr], [0, ''])
      const { at, tags } = await seen
      t.ok(tags.includes(`tag${round}`), 'the reader got the answer with the new creation in it')
      const record = (await folder.records()).at(-1)
      t.equal(record?.position, position)
      delays.push(at - (record?.appendedAt ?? 0))
    }
    const [fastest = 0, , median = 0] = delays.toSorted((a, b) => a - b)
    t.comment(`visible after ${delays.join(', ')} ms: median ${median} ms, fastest ${fastest} ms (goal 50 ms)`)
    t.ok(median < scaledTimeout(GUARD_MS), `median ${median} ms`)
  })

  await t.test('stops cleanly, also while connections are open', async (t) => {
    const request = 'GET /public/share/tags HTTP/1.1\r\nHost: x\r\n\r\n'
    for (const sent of [request, `${request}GET /half/a/request HTTP/1.1\r\n`]) {
      const socket = connect(serving.api, '127.0.0.1')
      socket.on('error', () => {})
      t.teardown(() => socket.destroy())
      socket.write(sent)
      await once(socket, 'data')
    }
    const began = Date.now()
    t.equal(await serving.end('SIGTERM'), 0)
    t.ok(Date.now() - began < 15_000, 'and does not wait for those that never finish')
    t.equal(complaints(serving.stderr), '', 'and there is nothing to complain about')
  })

  await t.test('a port that is taken is one line and exit code 2', async (t) => {
    const taken = String(await takenPort(t))
    const [one, two] = (await freePorts(2)).map(String)
    for (const ports of [
      ['--api-port', taken, '--web-port', String(one), '--admin-port', String(two)],
      ['--api-port', String(one), '--web-port', String(two), '--admin-port', taken],
    ]) {
      const { code, stdout, stderr } = await vitrine(['serve', '--data-dir', folder.path, ...ports])
      t.strictSame([code, stdout], [2, ''])
      t.match(stderr, new RegExp(`^vitrine serve: port ${taken} is taken[^\n]*\n$`))
    }
  })

  await t.test('a folder that cannot be written is one line and exit code 2', async (t) => {
    const [api, web, admin] = (await freePorts(3)).map(String)
    const ports = ['--api-port', String(api), '--web-port', String(web), '--admin-port', String(admin)]
    const { code, stderr } = await vitrine(['serve', '--data-dir', '/dev/null/data', ...ports], { env: { LOG_LEVEL: 'silent' } })
    t.equal(code, 2)
    t.match(stderr, /^vitrine serve: [^\n]*\/dev\/null\/data[^\n]*\n$/)
  })
})

/** A reader who waits for a position, and asks again should the wait run out. */
async function seenAt(port: number, position: number): Promise<{ at: number; tags: string[] }> {
  for (;;) {
    const response = await request(port, '/public/share/tags', { headers: { 'service-min-position': String(position) } })
    if (response.statusCode === 504) continue
    return { at: Date.now(), tags: dataOf(PopularTags, response).items.map(({ key }) => key) }
  }
}

t.test('every process has an admin host, with any roles', async (t) => {
  const folder = await DataFolder.of(t, ...COMMUNITY, poison(played('maze')))

  await t.test('one that projects', async (t) => {
    const serving = await Serving.start(t, folder.path, ['--roles', 'project'])
    const ask = (path: string) => fetch(`http://127.0.0.1:${serving.admin}${path}`)
    const text = async () => (await ask('/metrics')).text()
    await eventually(async () => (await ask('/health/ready').catch(() => null))?.status === 200)
    t.strictSame(await (await ask('/health/live')).json(), { status: 'alive' })
    await folder.caughtUp()
    // Figures come from the projector's thread a few times a second, the survey of the stores every other second.
    await eventually(async () => /^vitrine_parked_aggregates\{projection="feed"\} 1$/m.test(await text()))
    await eventually(async () => /^vitrine_events_total\{projection="feed",outcome="applied"\} [1-9]/m.test(await text()))
    await eventually(async () => /^vitrine_projection_state\{projection="integrity",state="live"\} 1$/m.test(await text()))
    const metrics = await text()
    t.match(metrics, /^vitrine_events_total\{projection="feed",outcome="parked"\} 1$/m)
    t.match(metrics, new RegExp(`^vitrine_projection_position\\{projection="tags"\\} ${COMMUNITY.length + 1}$`, 'm'))
    t.match(metrics, /^vitrine_projection_lag_events\{projection="tags"\} 0$/m)
    t.match(metrics, /^vitrine_projection_lag_seconds\{projection="tags"\} 0$/m)
    t.match(metrics, /^vitrine_commit_seconds_count\{projection="shares"\} [1-9]/m)
    t.match(metrics, /^vitrine_process_resident_memory_bytes \d+$/m)
    t.match(metrics, /^vitrine_ready 1$/m)
    t.notMatch(metrics, /^(?!#|vitrine_)\S/m, 'every name says whose it is')
    t.match(serving.stderr, /"event":"[^"]+","aggregate":"creation\/maze","position":\d+/, 'the log names the event that was parked')
    await t.rejects(request(serving.api, '/public/share/tags'), { code: 'ECONNREFUSED' }, 'it opens no port to readers')
    t.equal(await serving.end('SIGTERM'), 0)
  })

  await t.test('one that answers questions', async (t) => {
    const [api = 0, web = 0, admin = 0] = await serverPorts(3)
    const serving = new RunningCommand(serveArguments(folder.path, { api, web, admin }, ['--roles', 'ask']))
    const ask = (path: string) => fetch(`http://127.0.0.1:${admin}${path}`)
    await eventually(async () => (await ask('/health/ready').catch(() => null))?.status === 200)
    t.match(await (await ask('/metrics')).text(), /^vitrine_ask_jobs\{state="queued"\} 0$/m)
    serving.signal('SIGTERM')
    t.match(await serving.ended, { code: 0, stdout: '', stderr: '' })
  })
})

const TOKEN = 'admin-token-9f8e7d6c5b'
/** Each of these is sent in some place; none may turn up. */
const SECRETS = {
  mail: 'maria.lindqvist@mail.example',
  name: 'Lindqvist',
  phone: '+46701234567',
  bearer: 'bearer-1a2b3c4d5e',
  key: 'idempotency-6f7a8b9c',
  code: 'claim-code-837465',
  cookie: 'cookie-0d9c8b7a',
  admin: TOKEN,
  wrong: 'wrong-admin-token-5566',
  llm: 'llm-key-11223344',
  query: 'query-word-77889900',
  address: '203.0.113.77',
}
const { mail, phone, bearer, key, code, cookie, wrong, query, address } = SECRETS

await t.test('a busy service logs nothing private of its callers, even at the most verbose level', async (t) => {
  const folder = await DataFolder.of(t, ...COMMUNITY)
  const env = { LOG_LEVEL: 'trace', ADMIN_TOKEN: TOKEN, ASK_LLM_KEY: SECRETS.llm, TRUST_PROXY: 'on' }
  const serving = await Serving.start(t, folder.path, ['--json', '--admin-host', '0.0.0.0'], env)
  await serving.ready()
  t.strictSame(
    JSON.parse(serving.stdout),
    {
      api: `http://127.0.0.1:${serving.api}`,
      web: `http://127.0.0.1:${serving.web}`,
      admin: `http://localhost:${serving.admin}`,
    },
    'where it listens, for programs, as it can be opened',
  )

  const personal = {
    authorization: `Bearer ${bearer}`,
    cookie: `session=${cookie}`,
    'x-forwarded-for': address,
    referer: `https://mail.example/${mail}`,
    'user-agent': `Reader of ${mail}`,
    'content-type': 'application/json',
  }
  const answered: number[] = []
  const send = async (port: number, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const method = body === undefined ? 'GET' : 'POST'
    const payload = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...personal, ...headers },
      redirect: 'manual',
      ...payload,
    })
    await response.text()
    answered.push(response.status)
    return response.status
  }
  const keyed = { 'idempotency-key': key }
  const question = { query: { text: `I am Maria ${SECRETS.name}, ${mail}, ${phone}: which mazes are there?` } }
  for (const port of [serving.api, serving.web]) {
    await send(port, `/public/share/community?q=${query}`)
    await send(port, `/public/share/user/${encodeURIComponent(mail)}`)
    await send(port, `/public/share/community?limit=${query}&cursor=${query}`)
    await send(port, `/reset/${code}?mail=${encodeURIComponent(mail)}`)
    await send(port, `/%zz${query}`)
    await send(port, `/app/me/${mail}`)
    await send(port, '/mcp', { jsonrpc: '2.0', id: key, method: 'tools/call', params: { name: 'ask', arguments: question } })
    await send(port, '/mcp', `{"mail": "${mail}"`)
  }
  t.equal(await send(serving.web, '/ask', question, keyed), 200)
  await send(serving.web, '/ask', { query: { text: phone } }, keyed)
  await send(serving.web, '/ask', { ...question, prefer: { streaming: true } })
  await send(serving.web, '/ask', `{"query": "${mail}`)
  t.equal(await send(serving.web, '/ask/jobs', question, { 'idempotency-key': `${key}-job` }), 202)
  await send(serving.web, '/batch', { requests: [{ id: mail, operation: query, arguments: { q: query } }] })
  for (const path of ['/agent/auth/register', '/agent/auth/claim', '/agent/auth/revoke'])
    await send(serving.web, path, { email: mail, code, claim_token: code, token: bearer }, keyed)
  await send(serving.admin, `/board?token=${TOKEN}`, undefined, { authorization: `Bearer ${wrong}` })
  t.equal(await send(serving.admin, '/board', undefined, { authorization: `Bearer ${TOKEN}` }), 200)
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin: `http://127.0.0.1:${serving.admin}` }
  t.equal(await send(serving.admin, '/login', `token=${wrong}`, form), 403)
  await send(serving.admin, '/actions', { action: 'rebuild', projection: mail }, { authorization: `Bearer ${TOKEN}` })

  t.equal(await serving.end('SIGINT'), 0)
  const log = serving.stdout + serving.stderr
  const lines = serving.stderr.split('\n').filter((line) => line.includes('"answered"'))
  t.ok(lines.length >= answered.length - 2, `${lines.length} lines for ${answered.length} requests: the log was on`)
  for (const [what, secret] of Object.entries(SECRETS)) {
    for (const written of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').replace(/=+$/, '')])
      t.notOk(log.includes(written), `${what}: ${log.split('\n').find((line) => line.includes(written)) ?? 'nowhere'}`)
  }
})
