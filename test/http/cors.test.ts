/** What scripts of other sites may do, and OPTIONS, which browsers use before they do it. */
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { agentOperations } from '../../src/contract/agent-operations.js'
import { refused } from '../harness/answers.js'
import { COMMUNITY } from '../harness/community.js'
import { READS } from '../harness/reads.js'
import { Service } from '../harness/service.js'
import { request } from '../harness/sockets.js'

const ORIGINS = ['https://anywhere.example', 'http://localhost:5173', 'null', 'capacitor://localhost']
const CALLER = '192.0.2.77'
const EXPOSED = [
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
  'Location',
  'Service-API-Version',
  'Service-Position',
  'X-Request-Id',
]

await t.test('any origin may read', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY, limit: 3, now: () => 0 })
  const exposed = (headers: Record<string, unknown>) => String(headers['access-control-expose-headers']).split(', ')

  await t.test('on both public hosts', async (t) => {
    for (const host of [service.api, service.web]) {
      const { headers } = await host.inject({ url: '/public/share/community', headers: { origin: 'https://anywhere.example' } })
      t.equal(headers['access-control-allow-origin'], '*')
      t.strictSame(
        EXPOSED.filter((name) => !exposed(headers).includes(name)),
        [],
        'and scripts see the headers',
      )
      t.notOk(headers['access-control-allow-credentials'], 'but never with credentials')
    }
  })

  await t.test('errors, too, or a script could not tell them apart', async (t) => {
    const urls = ['/nothing', '/public/share/user/nobody', '/public/share/user/%zz', '/public/share/community?limit=0', '/app/x']
    for (const url of urls) {
      const { statusCode, headers } = await service.get(url, { origin: 'https://anywhere.example' })
      t.equal(headers['access-control-allow-origin'], '*', `${statusCode} ${url}`)
    }
    const { statusCode, headers } = await service.api.inject({ method: 'POST', url: '/public/share/tags', headers: { origin: 'null' } })
    t.strictSame([statusCode, headers['access-control-allow-origin']], [405, '*'])
  })

  await t.test('preflights are answered for any path, origin and header, and cost nothing', async (t) => {
    for (const origin of ORIGINS) {
      for (const url of ['/public/share/community', '/public/share/user/x', '/app/x', '/nothing']) {
        const response = await service.api.inject({
          method: 'OPTIONS',
          url,
          remoteAddress: CALLER,
          headers: {
            origin,
            'access-control-request-method': 'GET',
            'access-control-request-headers': 'service-api-version, if-none-match, x-own',
          },
        })
        t.strictSame([response.statusCode, response.body], [204, ''], `${origin} ${url}`)
        t.match(response.headers, {
          'access-control-allow-origin': '*',
          'access-control-allow-methods': /GET/,
          'access-control-allow-headers': 'service-api-version, if-none-match, x-own',
          'access-control-max-age': /^\d+$/,
        })
        t.notOk(response.headers['ratelimit-limit'])
      }
    }
    const long = { origin: 'null', 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-'.repeat(2000) }
    const { headers: sent } = await service.api.inject({ method: 'OPTIONS', url: '/', remoteAddress: CALLER, headers: long })
    t.notOk(sent['access-control-allow-headers'], 'and what is absurd is not repeated')
    // Three a minute are allowed; the preflights would have used them up many times over.
    const { statusCode, headers } = await service.api.inject({ url: '/public/share/tags', remoteAddress: CALLER })
    t.strictSame([statusCode, headers['ratelimit-remaining']], [200, '2'])
  })
})

const service = await Service.start(t, { events: COMMUNITY })
const options = (host: FastifyInstance, url: string, headers: Record<string, string> = {}) =>
  host.inject({ method: 'OPTIONS', url, headers })
const allowed = (headers: Record<string, unknown>): string[] => String(headers.allow).split(', ').toSorted()

await t.test('OPTIONS that is no preflight tells what is allowed', async (t) => {
  const halves: Record<string, string>[] = [{}, { origin: 'https://a.example' }, { 'access-control-request-method': 'GET' }]
  for (const headers of halves) {
    for (const url of READS) {
      const response = await options(service.api, url, headers)
      t.strictSame([response.statusCode, response.body], [204, ''], url)
      t.strictSame(allowed(response.headers), ['GET', 'HEAD', 'OPTIONS'])
      t.equal(response.headers['access-control-allow-origin'], '*', 'a script of another site may read it')
      t.notOk(response.headers['access-control-allow-methods'])
    }
  }
  for (const { path, method } of agentOperations) {
    const { statusCode, headers } = await options(service.web, path.replace('{locale}', 'de').replace('{jobId}', 'x'))
    t.equal(statusCode, 204, path)
    t.ok(allowed(headers).includes(method), `${path}: ${headers.allow}`)
  }
  t.strictSame(allowed((await options(service.web, '/%61sk')).headers), ['OPTIONS', 'POST'], 'escapes are read as the router reads them')
  t.strictSame(allowed((await options(service.web, '/docs/en/plans.md')).headers), ['GET', 'HEAD', 'OPTIONS'])
  t.strictSame(allowed((await options(service.admin, '/login')).headers), ['GET', 'HEAD', 'OPTIONS', 'POST'], 'without CORS, too')
})

await t.test('it is a 404 for unknown paths and a 401 for protected ones', async (t) => {
  for (const url of ['/nothing', '/public', '/public/share/user/ben/friends'])
    refused(t, await options(service.api, url), 404, 'not_found', url)
  for (const url of ['/nothing', '/!!/ask', '/app/x']) refused(t, await options(service.web, url), 404, 'not_found', url)
  for (const url of ['/app', '/app/x', '/app/x/y?z']) refused(t, await options(service.api, url), 401, 'unauthorized', url)
})

await t.test('the asterisk stands for the whole host', async (t) => {
  const { statusCode, headers } = await request(await service.listen(service.web), '*', { method: 'OPTIONS' })
  t.equal(statusCode, 204)
  t.strictSame(allowed(headers), ['GET', 'HEAD', 'OPTIONS', 'POST'])
})

await t.test('a real preflight is a 204 for every path of both hosts', async (t) => {
  const preflight = { origin: 'https://a.example', 'access-control-request-method': 'POST', 'service-api-version': 'none' }
  for (const host of [service.api, service.web]) {
    for (const url of ['/', '/ask', '/!!/ask', '/app', '/nothing', '/public/share/tags']) {
      const { statusCode, headers, body } = await options(host, url, preflight)
      t.strictSame([statusCode, body, headers['access-control-allow-methods']], [204, '', 'GET,HEAD,POST'], url)
    }
  }
})
