import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import t from 'tap'
import { PROTOCOL_VERSIONS } from '../../src/mcp/server-definition.js'
import { COMMUNITY } from '../harness/community.js'
import { type Headers, Service } from '../harness/service.js'
import { rpcIn, send } from './exchange.js'

const service = await Service.start(t, { events: COMMUNITY })
const request = (method: string, params: object = {}, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params })
const initialize = (protocolVersion: string) =>
  request('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } })

const exchange = async (body: unknown, headers: Headers = {}) => {
  const response = await send(service.api, '/mcp', body, headers)
  return { status: response.statusCode, type: response.headers['content-type'], ...rpcIn(response) }
}

await t.test('the revisions we name are those the SDK speaks', async (t) => {
  t.same(PROTOCOL_VERSIONS.slice(1), SUPPORTED_PROTOCOL_VERSIONS)
})

await t.test('initialize agrees on the version the client asks for, or offers the newest of its generation', async (t) => {
  for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
    t.match(await exchange(initialize(version)), {
      status: 200,
      result: { protocolVersion: version, serverInfo: { name: 'vitrine', version: '1.0.0' } },
    })
  }
  for (const version of ['2026-07-28', '1999-01-01', '']) {
    t.match(await exchange(initialize(version)), { status: 200, result: { protocolVersion: '2025-11-25' } }, version)
  }
})

await t.test('an unknown version is refused with those that initialize would agree to', async (t) => {
  const messages = [
    request('tools/list'),
    initialize('2025-11-25'),
    initialize('2099-01-01'),
    { jsonrpc: '2.0', method: 'notifications/x' },
  ]
  for (const version of ['1999-01-01', '2025-12-31', 'nonsense', '2099', 'z'.repeat(200)]) {
    for (const message of messages) {
      const { status, error } = await exchange(message, { 'mcp-protocol-version': version })
      t.match({ status, error }, { status: 400, error: { code: -32022 } }, version)
      t.strictSame(error?.data, { supported: SUPPORTED_PROTOCOL_VERSIONS, requested: version.slice(0, 100) })
    }
  }
  const { error } = await exchange(initialize('2099-01-01'), { 'mcp-protocol-version': '2099-01-01' })
  t.strictSame(error?.data, { supported: SUPPORTED_PROTOCOL_VERSIONS, requested: '2099-01-01' }, 'a handshake is of this generation')
  for (const version of SUPPORTED_PROTOCOL_VERSIONS) {
    t.match(await exchange(initialize(version)), { result: { protocolVersion: version } }, 'and it does agree to each')
    t.match(await exchange(request('tools/list'), { 'mcp-protocol-version': version }), { status: 200, result: {} })
  }
})

await t.test('initialize may say nothing of the client, or only a part', async (t) => {
  for (const params of [{}, { capabilities: {} }, { clientInfo: { name: 'test', version: '1' } }]) {
    const expected = { status: 200, id: 1, result: { protocolVersion: '2025-11-25', serverInfo: { name: 'vitrine' } } }
    t.match(await exchange(request('initialize', params)), expected, JSON.stringify(params))
  }
  t.match(await exchange(request('initialize', { protocolVersion: '2025-03-26' })), { result: { protocolVersion: '2025-03-26' } })
  t.match(
    await exchange(request('initialize', { protocolVersion: 1 })),
    { status: 200, error: { code: -32602 } },
    'what it says is still checked',
  )
})

await t.test('any Accept gets JSON', async (t) => {
  for (const accept of ['application/json', 'application/json, text/event-stream', '*/*', 'text/event-stream', 'text/html', '']) {
    t.match(await exchange(request('tools/list'), { accept }), { status: 200, type: 'application/json; charset=utf-8', result: {} }, accept)
  }
})

await t.test('every method of the specification answers without a session, and so does ping', async (t) => {
  const methods = {
    'tools/list': {},
    'tools/call': { name: 'get_popular_tags', arguments: {} },
    'resources/list': {},
    'resources/read': { uri: 'ui://vitrine/community' },
    'resources/templates/list': {},
    ping: {},
  }
  for (const [method, params] of Object.entries(methods)) {
    for (const id of [1, 'one', 0, '']) t.match(await exchange(request(method, params, id)), { status: 200, id, result: {} }, method)
  }
})

await t.test('errors come with status 200', async (t) => {
  t.match(await exchange(request('no/such')), { status: 200, id: 1, error: { code: -32601 } })
  t.match(await exchange(request('subscriptions/listen')), { status: 200, error: { code: -32601 } })
  t.match(await exchange(request('tools/call', {})), { status: 200, error: { code: -32602 } })
  const missing = 'vitrine://creators/nobody'
  t.match(await exchange(request('resources/read', { uri: missing })), { status: 200, error: { code: -32002, data: { uri: missing } } })
  t.match(
    await exchange(request('resources/read', { uri: 1 })),
    { status: 200, error: { code: -32602, message: 'Invalid params: params.uri: Invalid input: expected string, received number' } },
    'the wrong parameter is named',
  )
  t.match(await exchange({ jsonrpc: '2.0', id: 1, method: 'initialize' }), { status: 200, error: { code: -32602, message: /params/ } })
  t.match(await exchange([request('tools/list')]), { status: 200, id: null, error: { code: -32600 } }, 'one message per body')
  for (const body of [
    '1',
    '"x"',
    'null',
    '{}',
    '[]',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":null,"method":"ping"}',
  ]) {
    t.match(await exchange(body), { status: 200, error: { code: -32600 } }, body)
  }
})

await t.test('what is no JSON is a parse error', async (t) => {
  for (const body of ['', '{', 'x', '{"jsonrpc":"2.0",}']) {
    t.match(await exchange(body), { status: 400, id: null, error: { code: -32700 } }, body)
  }
})

await t.test('notifications and answers get an empty response', async (t) => {
  for (const body of [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 1, result: {} },
  ]) {
    const response = await send(service.api, '/mcp', body)
    t.strictSame([response.statusCode, response.body], [202, ''])
  }
})

await t.test('handles, slugs and tags can be completed', async (t) => {
  const complete = async (uri: string, name: string, value: string, given?: object) => {
    const ref = { type: 'ref/resource', uri }
    const { result } = await exchange(
      request('completion/complete', { ref, argument: { name, value }, context: { arguments: given ?? {} } }),
    )
    return (result as { completion: { values: string[] } }).completion.values
  }
  const app = 'vitrine://apps/{handle}/{slug}'
  t.strictSame(await complete('vitrine://creators/{handle}', 'handle', 'A'), ['Ada-L'])
  t.strictSame(await complete('vitrine://creators/{handle}', 'handle', '@ada'), ['Ada-L'])
  t.strictSame(await complete('vitrine://creators/{handle}', 'handle', ''), ['Ada-L', 'ben', 'cleo'])
  t.strictSame(await complete(app, 'slug', 'g', { handle: 'ben' }), ['Garden.Maze'])
  t.strictSame(await complete(app, 'slug', 'g', { handle: 'nobody' }), [])
  t.strictSame(await complete(app, 'slug', 'g'), [])
  t.strictSame(await complete('vitrine://tags/{tag}', 'tag', '#P'), ['puzzle'])
  t.strictSame((await complete('vitrine://tags/{tag}', 'tag', '')).toSorted(), ['clock', 'garden', 'puzzle', 'sea'])
  t.strictSame(await complete('vitrine://tags/{tag}', 'toString', 'x'), [])
  const unknown = request('completion/complete', { ref: { type: 'ref/resource', uri: 'x://y' }, argument: { name: 'a', value: 'b' } })
  t.match(await exchange(unknown), { status: 200, error: { code: -32602 } })
})

await t.test('a value of more than 200 characters cannot be completed', async (t) => {
  const complete = (value: string, handle: string) => {
    const params = { ref: { type: 'ref/resource', uri: 'vitrine://apps/{handle}/{slug}' }, argument: { name: 'slug', value } }
    return exchange(request('completion/complete', { ...params, context: { arguments: { handle } } }))
  }
  t.match(await complete('x'.repeat(200), 'ben'), { status: 200, result: { completion: { values: [] } } })
  t.match(await complete('x'.repeat(201), 'ben'), { status: 200, error: { code: -32602, message: /200/ } })
  t.match(await complete('g', 'x'.repeat(201)), { status: 200, error: { code: -32602, message: /200/ } })
})

await t.test('resources are found by URI, with any characters in their names', async (t) => {
  const read = async (uri: string) => (await exchange(request('resources/read', { uri }))).result?.contents
  t.match(await read('vitrine://creators/ADA-L'), [{ text: /"handle":"Ada-L"/ }])
  t.match(await read('vitrine://apps/ben/Garden.Maze'), [{ text: /"slug":"Garden.Maze"/ }])
  t.match(await read('vitrine://tags/%23Sea'), [{ text: /"total":2/ }])
  for (const uri of [
    'vitrine://creators/',
    'vitrine://creators/%zz',
    'vitrine://creators/a/b',
    'vitrine://apps/ben',
    'http://x',
    '',
    `vitrine://tags/${'a'.repeat(300)}`,
  ]) {
    t.match(await exchange(request('resources/read', { uri })), { status: 200, error: { code: -32002 } }, uri.slice(0, 40))
  }
})
