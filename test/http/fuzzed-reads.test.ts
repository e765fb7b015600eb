/** Every parameter and header of every read in the OpenAPI document, with arbitrary values, on every host that has it. */
import fc from 'fast-check'
import t from 'tap'
import { openApiDocument } from '../../src/discovery/openapi/document.js'
import { COMMUNITY } from '../harness/community.js'
import { BASE_URL, Service, WEB_URL } from '../harness/service.js'
import { publicReads } from '../support/built-in-models.js'
import { holds } from '../support/property.js'

interface Parameter {
  $ref?: string
  in?: string
  name?: string
}

/** What has broken others: operators, prototypes, other scripts, control characters, numbers that are none, addresses of elsewhere. */
const HOSTILE = [
  ...['', ' ', '0', '-1', '1e9', '9007199254740993', 'NaN', 'Infinity', '1.5', 'true', 'null', 'undefined', '[]', '{}', '[object Object]'],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '{"$gt":""}',
    '$where',
    '$ne',
    '.*',
    "' OR 1=1 --",
    '"; DROP TABLE items; --',
  ],
  ...[
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udfff\ud800',
    '\u202e',
    '\ufeff',
    'e\u0301',
    'İ',
    'ß',
    '日本語',
    '💥'.repeat(50),
    '%',
    '%00',
    '%zz',
    '%c0%ae',
  ],
  ...['../../etc/passwd', '..\\..', '/', '//evil.example', '\r\nSet-Cookie: a=b', '<script>alert(1)</script>', 'ben', 'games', 'fun', 'de'],
  ...['trending', '24', '*', 'en-US-x-private', 'x'.repeat(5000), 'a '.repeat(2000), '(((((', '\\', '#{7*7}', '{{7*7}}'],
]
const text = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.tuple(fc.constantFrom(...HOSTILE), fc.constantFrom(...HOSTILE)).map((parts) => parts.join('')),
)
/** Lone surrogates have no address; here they come as the bytes a careless client would send. */
const encoded = text.map((value) => [...Buffer.from(value)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''))
const sent = fc.oneof(
  { weight: 4, arbitrary: encoded },
  fc.constantFrom('%', '%2', '%ff', '%c0%80', '%ed%a0%80', '..', '.', '%2e%2e', '%2f', ';a=b', ''),
)

const LATIN = text.map((value) =>
  Buffer.from(value.replaceAll(/[\r\n\0]/g, ' '))
    .toString('latin1')
    .slice(0, 3000),
)
const headers = fc.dictionary(
  fc.constantFrom(
    ...[
      'service-api-version',
      'service-min-position',
      'if-none-match',
      'if-modified-since',
      'accept',
      'accept-language',
      'accept-encoding',
    ],
    ...[
      'host',
      'origin',
      'referer',
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-proto',
      'forwarded',
      'x-request-id',
      'range',
      'cookie',
    ],
    ...[
      'authorization',
      'x-http-method-override',
      'x-original-url',
      'idempotency-key',
      'mcp-protocol-version',
      'last-event-id',
      'traceparent',
    ],
  ),
  LATIN,
  { maxKeys: 4 },
)
const query = (names: readonly string[]) =>
  fc
    .array(fc.tuple(fc.oneof(fc.constantFrom(...names, 'locale', '__proto__', 'limit[]', 'sort[$ne]'), encoded), sent), { maxLength: 5 })
    .map((pairs) => pairs.map((pair) => pair.join('=')).join('&'))

/** What an answer says of itself must be one line each, and an error must be one of those that are declared. */
function check({ statusCode, headers: answered, body }: { statusCode: number; headers: object; body: string }): void {
  if (statusCode >= 500 && statusCode !== 503 && statusCode !== 504) throw new Error(`${statusCode} ${body}`)
  for (const [name, value] of Object.entries(answered))
    if (/[\r\n]/.test(String(value))) throw new Error(`${name}: ${JSON.stringify(value)}`)
  if ('set-cookie' in answered) throw new Error('an unexpected cookie')
  const location = (answered as { location?: string }).location ?? '/'
  if (!/^\/(?!\/)/.test(location) && ![BASE_URL, WEB_URL].some((own) => location.startsWith(own))) throw new Error(`sent to ${location}`)
}

const nameOf = ({ $ref, name }: Parameter): string => name ?? $ref?.split('/').at(-1) ?? ''

await t.test('fuzzed reads', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY, waitMs: 5, trustProxy: true })
  const document = openApiDocument({ baseUrl: BASE_URL, webUrl: WEB_URL }, publicReads)
  const reads = Object.entries(document.paths).flatMap(([path, methods]) => {
    const read = (methods as { get?: { parameters?: Parameter[] } }).get
    return read === undefined ? [] : [{ path, names: (read.parameters ?? []).filter((each) => each.in === 'query').map(nameOf) }]
  })
  const pages = ['/', '/@{handle}', '/@{handle}/{slug}', '/docs', '/changelog', '/{anything}', '/.well-known/{anything}'].map((path) => ({
    path,
    names: ['q', 'tag', 'category', 'sort', 'cursor', 'featuredOnly', 'locale'],
  }))
  const admin = ['/', '/health/ready', '/metrics', '/{anything}', '/api/{anything}'].map((path) => ({ path, names: ['projection'] }))
  const places = [
    ...reads.flatMap((read) => [
      { host: service.api, of: 'api', ...read },
      { host: service.web, of: 'web', ...read },
    ]),
    ...pages.map((page) => ({ host: service.web, of: 'web', ...page })),
    ...admin.map((page) => ({ host: service.admin, of: 'admin', ...page })),
  ]
  for (const { host, of, path, names } of places) {
    const parts = path.split(/\{\w+\}/)
    await holds(
      t,
      `${of} ${path}`,
      fc.tuple(fc.array(sent, { minLength: parts.length - 1, maxLength: parts.length - 1 }), query(names), headers),
      async ([values, search, given]) => {
        const url = `${parts.map((part, i) => part + (values[i] ?? '')).join('')}${search === '' ? '' : `?${search}`}`
        check(await host.inject({ method: 'GET', url: url.startsWith('/') ? url : '/', headers: given }))
      },
      60,
    )
  }
  t.equal((await service.get('/public/share/tags')).statusCode, 200, 'and the service lives on')
})
