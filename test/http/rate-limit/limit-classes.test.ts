import { pino } from 'pino'
import t from 'tap'
import { createHost } from '../../../src/http/host.js'
import { RateLimit } from '../../../src/http/rate-limit/rate-limit.js'
import { refused } from '../../harness/answers.js'
import { Service } from '../../harness/service.js'

/** Below one, so that the first request is refused, in words that tell the limit. */
const LIMITS = { limit: 0.1, agentLimit: 0.2, mcpLimit: 0.3, pageLimit: 0.4, pictureLimit: 0.5, otherLimit: 0.6 }
const CLASSES = ['', 'public', 'agent', 'mcp', 'pages', 'pictures', 'other']

await t.test('every route of the public hosts has one class', async (t) => {
  const service = await Service.start(t, { ...LIMITS, projecting: false })
  const classOf = async (host: typeof service.web, route: string) => {
    const [method = '', url = ''] = route.split(' ')
    const { message } = refused(t, await host.inject({ method: method as 'GET', url }), 429, 'rate_limited')
    return CLASSES[Number(/More than 0\.(\d) /.exec(message)?.[1])]
  }
  const web: [route: string, limit: string][] = [
    ['GET /public/share/community', 'public'],
    ['GET /public/share/tags', 'other'],
    ['POST /batch', 'public'],
    ['GET /batch', 'agent'],
    ['POST /mcp', 'mcp'],
    ['GET /mcp', 'mcp'],
    ['GET /mcp/server-card', 'mcp'],
    ['POST /api/mcp', 'mcp'],
    ['POST /webmcp', 'mcp'],
    ['POST /ask', 'agent'],
    ['POST /de/ask', 'agent'],
    ['POST /api/ask', 'agent'],
    ['POST /ask/jobs', 'agent'],
    ['GET /ask/jobs/some', 'agent'],
    ['GET /status', 'agent'],
    ['GET /text/tags', 'agent'],
    ['POST /agent/auth/claim', 'agent'],
    ['GET /llms.txt', 'agent'],
    ['GET /sitemap.xml', 'agent'],
    ['GET /.well-known/mcp', 'agent'],
    ['GET /', 'pages'],
    ['GET /@ada', 'pages'],
    ['GET /@ada/maze', 'pages'],
    ['GET /@ada/', 'pages'],
    ['GET /docs', 'pages'],
    ['GET /docs/', 'pages'],
    ['GET /docs/en/start', 'pages'],
    ['GET /docs/en/start.md', 'pages'],
    ['GET /changelog', 'pages'],
    ['GET /changelog/', 'pages'],
    ['GET /changelog-of-others', 'other'],
    ['GET /covers/x.svg', 'pictures'],
    ['GET /avatars/x.svg', 'pictures'],
    ['GET /assets/x.css', 'pictures'],
    ['PUT /ask', 'other'],
  ]
  for (const [route, limit] of web) t.equal(await classOf(service.web, route), limit, `web: ${route}`)
  const api: [route: string, limit: string][] = [
    ['GET /public/share/user/ada', 'public'],
    ['POST /mcp', 'mcp'],
    ['GET /.well-known/oauth-protected-resource/app', 'agent'],
    ['GET /app/x', 'other'],
    ['GET /nothing', 'other'],
  ]
  for (const [route, limit] of api) t.equal(await classOf(service.api, route), limit, `api: ${route}`)
  for (const url of ['/docs', '/avatars/x.svg', '/status'])
    t.equal((await service.web.inject({ method: 'HEAD', url })).statusCode, 429, `HEAD ${url}`)
})

await t.test('each class counts for itself, preflights with pages', async (t) => {
  const limits = {
    public: new RateLimit('public', 5),
    agent: new RateLimit('agent', 3),
    mcp: new RateLimit('mcp', 2),
    pages: new RateLimit('pages', 4, { announced: false }),
    pictures: new RateLimit('pictures', 4, { announced: false }),
    other: new RateLimit('other', 12, { announced: false }),
  }
  const host = await createHost({ logger: pino({ level: 'silent' }), trustProxy: false, rateLimits: { limits, otherwise: 'agent' } })
  t.teardown(() => host.close())
  const answer = async () => ({})
  host.post('/ask', answer)
  host.get('/status', answer)
  host.post('/mcp', { config: { limit: 'mcp' }, handler: answer })
  host.get('/docs', { config: { limit: 'pages' }, handler: answer })
  host.post('/batch', { config: { limit: 'public', cost: ({ body }) => (Array.isArray(body) ? body.length : 1) }, handler: answer })
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
