import { type Operation, pathParameters } from '../../../src/contract/operation.js'
import { publicReads } from '../../support/built-in-models.js'
import { each, fieldsOf, HEAD_ROOM, type HostileRequest, inAddress, post, request, type Sent } from './hostile-request.js'
import { ALL_TEXTS, ASCII_TEXTS } from './hostile-texts.js'

export function* addresses(): Generator<HostileRequest> {
  for (const operation of publicReads) {
    if (operation.name === 'get_community_feed')
      yield* each(ALL_TEXTS, (kind, make) =>
        request('api', `GET ${operation.path} within a tag, q: ${kind}`, (round) => ({
          path: `${operation.path}?tag=cozy&q=${encodeURIComponent(`${round} ${make(190)}`.slice(0, 190).toWellFormed())}`,
        })),
      )
    for (const field of [...fieldsOf(operation), 'unknown']) {
      yield* each(ALL_TEXTS, (kind, make) =>
        request('api', `GET ${operation.path}, ${field}: ${kind}`, (round) => ({
          path: addressOf(operation, field, inAddress(make, round)),
        })),
      )
      // As long as the rules allow.
      yield* each(ALL_TEXTS, (kind, make) =>
        request('api', `GET ${operation.path}, ${field}: ${kind}, short`, (round) => ({
          path: addressOf(operation, field, encodeURIComponent(`${round} ${make(190).toWellFormed()}`.slice(0, 190).toWellFormed())),
        })),
      )
    }
    for (const [kind, part] of [
      ['parameters', 'a&'],
      ['the same parameter', 'locale=de&'],
      ['escaped names', '%61=&'],
      ['lists', 'q[]=a&'],
    ] as const)
      yield request('api', `GET ${operation.path}, many ${kind}`, (round) => ({
        path: `${operation.path.replaceAll(/\{\w+\}/g, 'ada')}?${part.repeat(HEAD_ROOM / part.length)}${round}`,
      }))
  }
  const pages = [
    '/',
    '/@ada',
    '/@ada/tides',
    '/docs',
    '/changelog',
    '/text/community',
    '/text/user/ada',
    '/sitemap.xml',
    '/status',
    '/openapi.json',
  ]
  for (const page of pages) {
    yield request('web', `GET ${page}`, (round) => ({ path: `${page}?x=${round}`, headers: { Accept: 'text/html' } }))
    for (const field of page === '/' ? ['q', 'tag', 'category', 'cursor', 'sort', 'locale', 'x'] : ['locale', 'q'])
      yield* each(ALL_TEXTS, (kind, make) =>
        request('web', `GET ${page}, ${field}: ${kind}`, (round) => ({
          path: `${page}?${field}=${inAddress(make, round)}`,
          headers: { Accept: 'text/html' },
        })),
      )
  }
  for (const prefix of [
    '/',
    '/@',
    '/@ada/',
    '/docs/',
    '/docs/en/',
    '/text/user/',
    '/text/app/ada/',
    '/ask/jobs/',
    '/assets/',
    '/covers/',
    '/avatars/',
    '/app/',
    '/.well-known/',
  ])
    for (const host of ['api', 'web', 'admin'] as const)
      yield* each(ALL_TEXTS, (kind, make) =>
        request(host, `GET ${host} ${prefix}…: ${kind}`, (round) => ({
          path: prefix + inAddress(make, round),
          headers: { Accept: 'text/html' },
        })),
      )
  for (const host of ['api', 'web', 'admin'] as const)
    yield* each(ASCII_TEXTS, (kind, make) =>
      request(host, `GET ${host} a raw path of ${kind}`, () => ({ path: `/${make(HEAD_ROOM).replaceAll(' ', '+')}` })),
    )
}

const HEADERS = [
  ...['Accept', 'Accept-Language', 'Accept-Encoding', 'Authorization', 'Cookie', 'Forwarded', 'Host', 'If-Match', 'If-Modified-Since'],
  ...[
    'If-None-Match',
    'Idempotency-Key',
    'MCP-Protocol-Version',
    'Mcp-Method',
    'Mcp-Name',
    'Mcp-Session-Id',
    'Origin',
    'Prefer',
    'Range',
    'Referer',
  ],
  ...[
    'Service-API-Version',
    'Service-Min-Position',
    'User-Agent',
    'X-Admin-Seal',
    'X-Api-Key',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Request-Id',
  ],
  ...[
    'traceparent',
    'tracestate',
    'baggage',
    'Access-Control-Request-Headers',
    'Access-Control-Request-Method',
    'Last-Event-ID',
    'Content-Type',
  ],
]
const TOOL_CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_popular_tags', arguments: {} } }

export function* headers(): Generator<HostileRequest> {
  const targets: [HostileRequest['host'], string, Sent][] = [
    ['api', 'a cached read', { path: '/public/share/community' }],
    ['web', 'a page', { path: '/', headers: { Accept: 'text/html' } }],
    ['web', 'a preflight', { method: 'OPTIONS', path: '/ask' }],
    ['web', 'ask', post('/ask', { query: 'what is trending?' })],
    ['web', 'a batch', post('/batch', { requests: [{ id: '1', operation: 'get_popular_tags' }] })],
    ['api', 'MCP', post('/mcp', TOOL_CALL)],
    ['admin', 'the dashboard', { path: '/' }],
    ['admin', 'an action', post('/actions', { action: 'prune', projection: 'none' })],
  ]
  for (const [host, target, sent] of targets)
    for (const header of HEADERS)
      yield* each(ASCII_TEXTS, (kind, make) =>
        request(host, `${target}, ${header}: ${kind}`, () => ({ ...sent, headers: { ...sent.headers, [header]: make(HEAD_ROOM) } })),
      )
}

/** An address of an operation with one field changed. */
function addressOf(operation: Operation, field: string, value: string): string {
  const isInPath = pathParameters(operation.path).includes(field)
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === field ? value : 'ada'))
  return isInPath ? path : `${path}?${field}=${value}`
}
