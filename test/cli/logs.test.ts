/** What callers entrust to the service must not be found in its log, even at the level that says the most. */
import t from 'tap'
import { COMMUNITY } from '../serving/community.js'
import { DataFolder } from '../serving/data-folder.js'
import { Serving } from '../serving/program.js'
import { Script } from '../spec/script.js'

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

await t.test('a busy service', async (t) => {
  const folder = await DataFolder.open(t)
  await folder.append(new Script().write(...COMMUNITY))
  const env = { LOG_LEVEL: 'trace', ADMIN_TOKEN: TOKEN, ASK_LLM_KEY: SECRETS.llm, TRUST_PROXY: 'on' }
  const serving = await Serving.start(t, folder.path, [], env)
  await serving.ready()

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

  t.equal(await serving.end('SIGTERM'), 0)
  const log = serving.stdout + serving.stderr
  const lines = serving.stderr.split('\n').filter((line) => line.includes('"answered"'))
  t.ok(lines.length >= answered.length - 2, `${lines.length} lines for ${answered.length} requests: the log was on`)
  for (const [what, secret] of Object.entries(SECRETS)) {
    for (const written of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').replace(/=+$/, '')])
      t.notOk(log.includes(written), `${what}: ${log.split('\n').find((line) => line.includes(written)) ?? 'nowhere'}`)
  }
})
