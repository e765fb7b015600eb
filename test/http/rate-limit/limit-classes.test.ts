import { pino } from 'pino'
import t from 'tap'
import { createHost } from '../../../src/http/host.js'
import { API_LIMIT_RULES, type LimitRule, WEB_LIMIT_RULES } from '../../../src/http/rate-limit/limit-classes.js'
import { RateLimit } from '../../../src/http/rate-limit/rate-limit.js'
import { refused } from '../../harness/answers.js'

const classOf = (rules: readonly LimitRule[], route: string) => rules.find(([pattern]) => pattern.test(route))?.[1]

await t.test('every route of the public hosts has one class', async (t) => {
  const web: [route: string, limit: string][] = [
    ['GET /public/share/community', 'public'],
    ['POST /batch', 'public'],
    ['GET /batch', 'agent'],
    ['POST /mcp', 'mcp'],
    ['GET /mcp', 'mcp'],
    ['POST /api/mcp', 'mcp'],
    ['POST /webmcp', 'mcp'],
    ['POST /ask', 'agent'],
    ['POST /:locale/ask', 'agent'],
    ['POST /api/ask', 'agent'],
    ['POST /ask/jobs', 'agent'],
    ['GET /ask/jobs/:jobId', 'agent'],
    ['GET /status', 'agent'],
    ['POST /agent/auth/claim', 'agent'],
    ['GET /llms.txt', 'agent'],
    ['GET /.well-known/mcp', 'agent'],
    ['GET /', 'pages'],
    ['GET /@:handle', 'pages'],
    ['GET /@:handle/:slug', 'pages'],
    ['HEAD /docs', 'pages'],
    ['GET /changelog', 'pages'],
    ['GET /changelog/', 'pages'],
    ['GET /docs/', 'pages'],
    ['GET /changelog-of-others', 'agent'],
    ['GET /docs/:language/:page', 'pages'],
    ['GET /covers/:file', 'pictures'],
    ['HEAD /avatars/:file', 'pictures'],
    ['GET /assets/*', 'pictures'],
  ]
  for (const [route, limit] of web) t.equal(classOf(WEB_LIMIT_RULES, route), limit, `web: ${route}`)
  const api: [route: string, limit: string][] = [
    ['GET /public/share/user/:handle', 'public'],
    ['POST /mcp', 'mcp'],
    ['GET /app/*', 'other'],
  ]
  for (const [route, limit] of api) t.equal(classOf(API_LIMIT_RULES, route), limit, `api: ${route}`)
})

await t.test('each class counts for itself, preflights for none', async (t) => {
  const limits = {
    public: new RateLimit('public', 5),
    agent: new RateLimit('agent', 3),
    mcp: new RateLimit('mcp', 2),
    pages: new RateLimit('pages', 4, { announced: false }),
    pictures: new RateLimit('pictures', 4, { announced: false }),
    other: new RateLimit('other', 12, { announced: false }),
  }
  const host = await createHost({ logger: pino({ level: 'silent' }), trustProxy: false, rateLimits: { limits, rules: WEB_LIMIT_RULES } })
  t.teardown(() => host.close())
  const answer = async () => ({})
  host.post('/ask', answer)
  host.get('/status', answer)
  host.post('/mcp', answer)
  host.get('/docs', answer)
  host.post('/batch', { config: { cost: (body) => (Array.isArray(body) ? body.length : 1) }, handler: answer })
  const send = (method: 'GET' | 'POST' | 'OPTIONS', url: string, payload?: string) =>
    host.inject({
      method,
      url,
      headers: { 'content-type': 'application/json', origin: 'https://a.example', 'access-control-request-method': 'POST' },
      ...(payload ? { payload } : {}),
    })

  for (let i = 0; i < 10; i++) {
    t.equal((await send('OPTIONS', '/ask')).statusCode, 204)
    const { statusCode, headers } = await send('POST', '/nothing')
    t.strictSame([statusCode, headers.ratelimit, headers['ratelimit-limit']], [404, undefined, undefined])
    const page = await send('GET', '/docs')
    t.strictSame([page.statusCode, page.headers.ratelimit], [i < 4 ? 200 : 429, undefined], 'pages have their own limit, not announced')
  }
  t.equal((await send('GET', '/ask')).statusCode, 405)
  t.equal((await send('GET', '/ask')).statusCode, 405)
  const unknown = await send('GET', '/nothing')
  refused(t, unknown, 429, 'rate_limited')
  t.match(unknown.headers['retry-after'], /^\d+$/, 'unknown paths have their own limit')
  t.equal(unknown.headers['ratelimit-limit'], undefined, 'which is not announced')
  t.equal((await send('POST', '/ask', '{')).headers['ratelimit-remaining'], '2', 'what cannot be read counts')
  t.equal((await send('GET', '/status')).headers['ratelimit-remaining'], '1')
  t.match((await send('POST', '/ask', '{}')).headers, { 'ratelimit-policy': '"agent";q=3;w=60', ratelimit: /^"agent";r=0;t=\d+$/ })
  refused(t, await send('POST', '/ask', '{'), 429, 'rate_limited')
  for (const status of [200, 200, 429]) t.equal((await send('POST', '/mcp', '{}')).statusCode, status)

  t.equal((await send('POST', '/batch', '[1,2]')).headers['ratelimit-remaining'], '3', 'what it costs depends on the body')
  const tooMany = await send('POST', '/batch', '[1,2,3,4]')
  refused(t, tooMany, 429, 'rate_limited')
  t.equal(tooMany.headers['ratelimit-remaining'], '2', 'a batch that does not fit costs no more than its head')
  t.equal((await send('POST', '/batch', '{')).headers['ratelimit-remaining'], '1', 'unreadable: one')
  t.equal((await send('POST', '/batch')).headers['ratelimit-remaining'], '0', 'empty: one')
  refused(t, await send('POST', '/batch'), 429, 'rate_limited')
})
