import t from 'tap'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'

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
