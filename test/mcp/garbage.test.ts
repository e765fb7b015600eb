import fc from 'fast-check'
import t from 'tap'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'
import { publicReads } from '../support/built-in-models.js'
import { modern, rpcIn, send } from './exchange.js'

const service = await Service.start(t, { events: COMMUNITY })
const METHODS = [
  'initialize',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'completion/complete',
  'ping',
  'server/discover',
  'notifications/initialized',
  'logging/setLevel',
  'prompts/get',
  'subscriptions/listen',
]
const TOOLS = [...publicReads.map(({ name }) => name), 'ask', 'search_docs', 'read_doc', 'toString', '__proto__', '']
const FIELDS = [
  'name',
  'uri',
  'arguments',
  'cursor',
  '_meta',
  'ref',
  'argument',
  'context',
  'protocolVersion',
  'capabilities',
  'clientInfo',
]

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...TOOLS, ...METHODS, 'ui://vitrine/tags', 'vitrine://creators/%00', '\ud800'),
)
const input = fc.dictionary(
  fc.constantFrom('handle', 'slug', 'locale', 'sort', 'limit', 'q', 'tag', 'cursor', 'query', 'prev', 'path', 'x'),
  fc.oneof(text, fc.jsonValue()),
)
const params = fc.dictionary(fc.constantFrom(...FIELDS), fc.oneof({ weight: 2, arbitrary: text }, input, fc.jsonValue()))
const message = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, fc.jsonValue()),
    id: fc.oneof(fc.integer(), text, fc.jsonValue()),
    method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...METHODS) }, text),
    params: fc.oneof({ weight: 9, arbitrary: params }, fc.jsonValue()),
  },
  { requiredKeys: [] },
)
const call = fc.record({
  jsonrpc: fc.constant('2.0'),
  id: fc.nat(),
  method: fc.constant('tools/call'),
  params: fc.record({ name: fc.constantFrom(...TOOLS), arguments: input }),
})
const newer = fc.tuple(fc.constantFrom(...METHODS), params).map(([method, given]) => ({ ...modern(method, given).body }))
const body = fc.oneof(
  message.map((value) => JSON.stringify(value)),
  call.map((value) => JSON.stringify(value)),
  newer.map((value) => JSON.stringify(value)),
  fc.array(message, { maxLength: 3 }).map((value) => JSON.stringify(value)),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.string({ unit: 'binary' }),
)
/** What can stand in a header at all. */
const word = fc.string({ unit: fc.constantFrom(...'abc/=?-0256789 é'.split('')) })
const headers = fc.record(
  {
    'mcp-protocol-version': fc.oneof(fc.constantFrom('2026-07-28', '2025-11-25', '2024-11-05'), word),
    'mcp-method': fc.oneof(fc.constantFrom(...METHODS), word),
    'mcp-name': fc.oneof(fc.constantFrom(...TOOLS), word),
    accept: word,
  },
  { requiredKeys: [] },
)

await t.test('garbage never breaks anything: every answer is a message of the protocol, or none to a notification', async (t) => {
  for (const [host, path] of [
    [service.api, '/mcp'],
    [service.web, '/mcp'],
  ] as const) {
    await fc.assert(
      fc.asyncProperty(body, headers, async (payload, extra) => {
        const response = await send(host, path, payload, extra)
        if (response.statusCode === 202) return response.body === ''
        const isOurFault = rpcIn(response).error?.code === -32603
        return [200, 400, 404].includes(response.statusCode) && !isOurFault
      }),
      { numRuns: 400 },
    )
  }
  t.pass('800 times')
})
