import { Writable } from 'node:stream'
import { pino } from 'pino'
import t from 'tap'
import { createHost } from '../../src/http/host.js'
import { serveAgentAuth } from '../../src/http/web/agent-auth.js'
import { refused } from '../harness/answers.js'
import { Service, WEB_URL } from '../harness/service.js'

const STEPS = ['register', 'claim', 'revoke'].map((step) => `/agent/auth/${step}`)
const EMAIL = 'somebody.private@mail.example'
const CODE = '493817'
const CLAIM = { method: 'email_code', email: EMAIL, code: CODE, claim_token: 'opaque-token-1' }

const FORM = 'application/x-www-form-urlencoded'

const BODIES: [type: string | undefined, body: string | Buffer | undefined][] = [
  [undefined, undefined],
  ['application/json', undefined],
  ['application/json', '{}'],
  ['application/json', '{"method":"email"}'],
  ['application/json', '{"method":["email_code"]}'],
  ['application/json', 'null'],
  ['application/json', '[1]'],
  ['application/json', `{"email":"${EMAIL}","code":"${CODE}"`],
  ['application/json', `["email","${EMAIL}"]`],
  ['application/json', `{"method":"other","claim":{"email":"${EMAIL}"}}`],
  [FORM, 'method=other'],
  [FORM, `=${EMAIL}&&%E0%A4%A&__proto__=${CODE}`],
  [FORM, Buffer.alloc(200_000, EMAIL)],
  ['text/plain', EMAIL],
  [undefined, CODE],
  ['nonsense', EMAIL],
  ['application/json', Buffer.alloc(200_000, EMAIL)],
]

await t.test('agents get no credentials for any request', async (t) => {
  const lines: string[] = []
  const log = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const host = await createHost({ logger: pino({ level: 'trace' }, log), trustProxy: false })
  serveAgentAuth(host, WEB_URL)
  t.teardown(() => host.close())

  const answers: string[] = []
  const post = async (url: string, type: string | undefined, payload: string | Buffer | undefined) => {
    const headers = type === undefined ? {} : { 'content-type': type }
    const response = await host.inject({ method: 'POST', url, headers, ...(payload === undefined ? {} : { payload }) })
    answers.push(response.body, JSON.stringify(response.headers))
    return response
  }
  const expected = (error: string) => ({ code: 40300, error, retryable: false, message: /\S.*web\.example\/auth\.md/, request_id: /./ })

  for (const url of STEPS) {
    for (const [type, body] of BODIES) {
      const response = await post(`${url}?email=${EMAIL}&code=${CODE}`, type, body)
      t.equal(response.statusCode, 403, `${url} ${type} ${String(body).slice(0, 40)}`)
      t.match(response.json(), expected('agent_auth_not_available'))
      t.match(response.headers, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    }
  }
  const claims = [CLAIM, { method: 'email_code' }, { ...CLAIM, email: 5 }, { email: EMAIL }, { code: CODE }, { method: 'x', code: null }]
  const forms = ['method=email_code', `email=${encodeURIComponent(EMAIL)}`, `code=${CODE}`, new URLSearchParams(CLAIM).toString()]
  const emailClaims: [type: string, body: string][] = [
    ...claims.map((claim): [string, string] => ['application/json', JSON.stringify(claim)]),
    ...forms.map((form): [string, string] => [FORM, form]),
    [`${FORM}; charset=utf-8`, 'method=email_code'],
  ]
  for (const [type, body] of emailClaims) {
    const response = await post('/agent/auth/claim', type, body)
    t.equal(response.statusCode, 403)
    t.match(response.json(), expected('email_not_enabled'), body)
    for (const url of ['/agent/auth/register', '/agent/auth/revoke']) {
      t.match((await post(url, type, body)).json(), expected('agent_auth_not_available'))
    }
  }

  t.ok(lines.length >= STEPS.length * BODIES.length, 'every request is in the log')
  for (const secret of [EMAIL, encodeURIComponent(EMAIL), CODE, 'opaque-token-1']) {
    t.notOk(lines.join('').includes(secret), 'nothing of what was sent is in the log')
    t.notOk(answers.join('').includes(secret), 'nor in the answers')
  }
})

await t.test('the auth paths are part of the web host', async (t) => {
  const service = await Service.start(t, { agentLimit: 4 })
  for (const url of STEPS) {
    const response = await service.web.inject({ method: 'POST', url })
    t.match(response.json(), { error: 'agent_auth_not_available' }, url)
    t.match(response.headers['ratelimit-policy'], /^"agent"/)
  }
  refused(t, await service.web.inject({ method: 'GET', url: '/agent/auth/claim' }), 405, 'invalid_request')
  refused(t, await service.web.inject({ method: 'POST', url: '/agent/auth/other' }), 404, 'not_found')
  t.equal((await service.web.inject({ method: 'POST', url: '/agent/auth/claim', payload: CLAIM })).statusCode, 403)
  refused(t, await service.web.inject({ method: 'POST', url: '/agent/auth/claim' }), 429, 'rate_limited', 'limits hold here too')
})
