import { z } from 'zod'
import { publicReads } from '../../support/built-in-models.js'
import { bodies, set } from './filled-bodies.js'
import { each, fieldsOf, type HostileRequest, inBody, post, request } from './hostile-request.js'
import { ALL_TEXTS } from './hostile-texts.js'

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }

/** The parameters of every method, with the fields to fill. */
const MCP_FIELDS: Readonly<Record<string, { params: object; fields: readonly string[] }>> = {
  initialize: {
    params: INITIALIZE,
    fields: [
      ...[
        'protocolVersion',
        'capabilities',
        'capabilities.experimental',
        'capabilities.experimental.x',
        'capabilities.roots',
        'capabilities.extensions',
      ],
      ...[
        'clientInfo',
        'clientInfo.name',
        'clientInfo.icons',
        'clientInfo.icons.*',
        'clientInfo.icons.*.src',
        'clientInfo.icons.*.sizes',
        '_meta',
        '_meta.x',
      ],
    ],
  },
  'server/discover': { params: {}, fields: ['_meta'] },
  ping: { params: {}, fields: ['_meta', '_meta.progressToken', 'x'] },
  'tools/list': { params: {}, fields: ['cursor', '_meta', 'x'] },
  'tools/call': {
    params: { name: 'get_popular_tags' },
    fields: ['name', 'arguments', '_meta', '_meta.progressToken', 'task', 'inputResponses', 'requestState'],
  },
  'resources/list': { params: {}, fields: ['cursor'] },
  'resources/read': { params: { uri: 'vitrine://creators/ada' }, fields: ['uri', '_meta'] },
  'resources/templates/list': { params: {}, fields: ['cursor'] },
  'resources/subscribe': { params: {}, fields: ['uri'] },
  'subscriptions/listen': { params: {}, fields: ['x', '_meta'] },
  'prompts/list': { params: {}, fields: ['cursor'] },
  'prompts/get': { params: {}, fields: ['name', 'arguments'] },
  'logging/setLevel': { params: {}, fields: ['level'] },
  'completion/complete': {
    params: { ref: { type: 'ref/resource', uri: 'vitrine://creators/{handle}' }, argument: { name: 'handle', value: 'a' } },
    fields: [
      'ref',
      'ref.uri',
      'ref.type',
      'argument',
      'argument.name',
      'argument.value',
      'context',
      'context.arguments',
      'context.arguments.handle',
    ],
  },
  'notifications/initialized': { params: {}, fields: ['_meta', 'x'] },
  'notifications/cancelled': { params: {}, fields: ['requestId', 'reason'] },
  'notifications/progress': { params: {}, fields: ['progressToken', 'progress', 'message'] },
}

export function* mcpMessages(): Generator<HostileRequest> {
  const message = (method: unknown, params: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params })
  yield* bodies('api', '/mcp', 'MCP, the whole message', (value) => value)
  yield* bodies('api', '/mcp', 'MCP, id', (value) => message('ping', {}, value))
  yield* bodies('api', '/mcp', 'MCP, id of an unknown method', (value) => message('nothing', {}, value))
  yield* bodies('api', '/mcp', 'MCP, method', (value) => message(value, {}))
  yield* bodies('api', '/mcp', 'MCP, method, newer', (value) => message(value, { _meta: META }))
  yield* bodies('api', '/mcp', 'MCP, jsonrpc', (value) => ({ ...message('ping', {}), jsonrpc: value }))
  yield* bodies('api', '/mcp', 'MCP, a batch', (value) => [message('ping', value)])
  for (const [method, { params, fields }] of Object.entries(MCP_FIELDS)) {
    yield* bodies('api', '/mcp', `MCP ${method}, params`, (value) => message(method, value))
    for (const field of fields) {
      const filled = (value: unknown) => merged(params, set(field, value))
      yield* bodies('api', '/mcp', `MCP ${method}, ${field}`, (value) => message(method, filled(value)))
      yield* bodies('api', '/mcp', `MCP ${method}, ${field}, newer`, (value) => message(method, merged({ _meta: META }, filled(value))))
    }
    for (const key of Object.keys(META))
      yield* bodies('api', '/mcp', `MCP ${method}, ${key}, newer`, (value) =>
        message(method, { ...params, _meta: { ...META, [key]: value } }),
      )
  }
  for (const template of ['vitrine://creators/', 'vitrine://apps/ada/', 'vitrine://tags/', 'ui://vitrine/'])
    yield* each(ALL_TEXTS, (kind, make) =>
      request('api', `MCP resources/read, ${template}…: ${kind}`, (round) =>
        post('/mcp', message('resources/read', { uri: template + inBody(make, round) })),
      ),
    )
  const call = (name: string, field: string, given: object) => (value: unknown) =>
    message('tools/call', { name, arguments: { ...given, [field]: value } })
  for (const operation of publicReads)
    for (const field of [...fieldsOf(operation), 'unknown'])
      yield* bodies('api', '/mcp', `MCP ${operation.name}, ${field}`, call(operation.name, field, operation.example.input))
  for (const field of ['query', 'mode', 'locale', 'prev', 'unknown'])
    yield* bodies('api', '/mcp', `MCP ask, ${field}`, call('ask', field, { query: 'hello' }))
  for (const [tool, fields] of [
    ['search_docs', ['query', 'limit']],
    ['read_doc', ['path']],
  ] as const)
    for (const field of fields) yield* bodies('web', '/mcp', `MCP ${tool}, ${field}`, call(tool, field, { query: 'x' }))
}

/** Fields of `given` replaced or added, one level after the other. */
function merged(base: unknown, given: unknown): unknown {
  const Fields = z.record(z.string(), z.unknown())
  const [a, b] = [Fields.safeParse(base), Fields.safeParse(given)]
  if (!a.success || !b.success) return given
  return {
    ...a.data,
    ...Object.fromEntries(Object.entries(b.data).map(([name, value]) => [name, name in a.data ? merged(a.data[name], value) : value])),
  }
}
