/** What every answer of every host tells browsers not to do with it. */
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { FastifyInstance, InjectOptions } from 'fastify'
import t from 'tap'
import { openApiDocument } from '../../src/discovery/openapi/document.js'
import { COMMUNITY } from '../harness/community.js'
import { PICTURE_ORIGINS } from '../harness/mcp.js'
import { READS } from '../harness/reads.js'
import { BASE_URL, Service, WEB_URL } from '../harness/service.js'
import { sendRaw } from '../harness/sockets.js'
import { publicReads } from '../support/built-in-models.js'

const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
const PAGES = ['/', '/?q=maze', '/@Ada-L', '/@ben/Garden.Maze', '/@nobody', '/docs', '/docs/en/overview', '/changelog', '/nothing']
const OTHERS = [
  ...[
    '/llms.txt',
    '/llms-full.txt',
    '/auth.md',
    '/robots.txt',
    '/openapi.json',
    '/sitemap.xml',
    '/status',
    '/covers/x.svg',
    '/avatars/x.svg',
  ],
  ...['/.well-known/mcp', '/.well-known/webmcp', '/.well-known/ai-catalog.json', '/.well-known/oauth-protected-resource'],
  ...['/.well-known/oauth-authorization-server', '/.well-known/agent-skills/index.json', '/mcp', '/api/mcp', '/webmcp', '/mcp/server-card'],
  ...['/ask', '/ask/jobs/nobody', '/%zz', '/public/share/community?limit=0'],
]

const service = await Service.start(t, { events: COMMUNITY, trustProxy: true, adminToken: 'a-token-of-some-length' })
const authorization = 'Bearer a-token-of-some-length'

/** Every kind of answer there is: pages, reads, documents, MCP, posts, errors. */
const requests: [FastifyInstance, InjectOptions][] = [
  ...READS.flatMap((url): [FastifyInstance, InjectOptions][] => [
    [service.api, { url }],
    [service.web, { url }],
  ]),
  ...Object.keys(openApiDocument({ baseUrl: BASE_URL, webUrl: WEB_URL }, publicReads).paths).flatMap(
    (path): [FastifyInstance, InjectOptions][] => {
      const url = path.replaceAll(/\{\w+\}/g, 'ben')
      return [service.api, service.web].flatMap((host) => (['GET', 'POST', 'OPTIONS'] as const).map((method) => [host, { method, url }]))
    },
  ),
  ...[...PAGES, ...OTHERS].flatMap((url): [FastifyInstance, InjectOptions][] => [
    [service.web, { url, headers: { accept } }],
    [service.web, { url }],
  ]),
  [service.web, { method: 'POST', url: '/ask', payload: { query: { text: 'mazes' }, prefer: { streaming: true } } }],
  [service.api, { url: '/app/anything' }],
  [service.api, { method: 'POST', url: '/mcp', payload: rpc('tools/list') }],
  [service.api, { method: 'POST', url: '/mcp', payload: '{', headers: { 'content-type': 'application/json' } }],
  ...[
    '/',
    '/login',
    '/board',
    '/assets/admin.js',
    '/assets/icon.svg',
    '/metrics',
    '/health/live',
    '/health/ready',
    '/nothing',
    '/%zz',
  ].flatMap((url): [FastifyInstance, InjectOptions][] => [
    [service.admin, { url }],
    [service.admin, { url, headers: { authorization } }],
  ]),
  [service.admin, { method: 'POST', url: '/login', payload: { token: 'wrong' } }],
]

await t.test('no response can be sniffed, framed or made to run', async (t) => {
  let pages = 0
  for (const [host, options] of requests) {
    const { statusCode, headers } = await host.inject(options)
    const what = `${options.method ?? 'GET'} ${options.url} ${statusCode}`
    t.match(
      headers,
      { 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY', 'referrer-policy': /^(same-origin|strict-origin)/ },
      what,
    )
    const policy = String(headers['content-security-policy'])
    t.match(policy, /^default-src 'none'/, what)
    t.match(policy, /frame-ancestors 'none'/, what)
    t.notMatch(policy, /unsafe|data:|script-src [^;]*(\*|http)/, what)
    if (/^text\/html/.test(String(headers['content-type']))) {
      pages += 1
      t.match(policy, /base-uri 'none'/, `${what}: a page`)
    }
    t.notOk(headers['strict-transport-security'], `${what}: nothing about TLS where there is none`)
  }
  t.ok(pages > 10, `${pages} pages`)
})

await t.test('behind TLS every answer has an HSTS header', async (t) => {
  // A malformed URL is rejected before the proxy's headers are read.
  for (const [host, options] of requests.filter(([, { url }]) => url !== '/%zz')) {
    const { headers } = await host.inject({ ...options, headers: { ...options.headers, 'x-forwarded-proto': 'https' } })
    t.equal(headers['strict-transport-security'], 'max-age=31536000', String(options.url))
  }
})

await t.test('a header from an untrusted caller does not make it TLS', async (t) => {
  const open = await Service.start(t, { events: COMMUNITY })
  for (const host of [open.api, open.web, open.admin]) {
    const { headers } = await host.inject({ url: '/', headers: { 'x-forwarded-proto': 'https' } })
    t.notOk(headers['strict-transport-security'])
  }
})

await t.test('bytes that are no request, and the stream of the dashboard', async (t) => {
  const received = await sendRaw(await service.listen(service.api), 'hello?\r\n\r\n')
  for (const line of ['X-Content-Type-Options: nosniff', 'X-Frame-Options: DENY', "Content-Security-Policy: default-src 'none'"])
    t.ok(received.includes(line), line)
  const asked = httpRequest({ host: '127.0.0.1', port: await service.listen(service.admin), path: '/live', headers: { authorization } })
  asked.end()
  const [stream] = await once(asked, 'response')
  t.match(
    { status: stream.statusCode, ...stream.headers },
    { status: 200, 'x-content-type-options': 'nosniff', 'content-security-policy': /frame-ancestors 'none'/ },
  )
  asked.destroy()
})

await t.test('views of MCP are framed by their host, which is told what they need: pictures, and nothing else', async (t) => {
  const call = async (method: string, params: object = {}) => {
    const { body } = await service.api.inject({ method: 'POST', url: '/mcp', payload: rpc(method, params) })
    return JSON.parse(body).result
  }
  const { resources } = await call('resources/list')
  const views: { uri: string }[] = resources.filter(({ uri }: { uri: string }) => uri.startsWith('ui://'))
  t.ok(views.length > 0, `${views.length} views`)
  for (const { uri } of views) {
    const [content] = (await call('resources/read', { uri })).contents
    t.strictSame(content._meta.ui.csp, { connectDomains: [], resourceDomains: PICTURE_ORIGINS }, uri)
    t.notMatch(content.text, /<script[^>]+src=|<link[^>]+href="http|\son\w+="/, `${uri}: loads no code and has no handlers in its markup`)
  }
})
