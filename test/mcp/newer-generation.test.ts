import t from 'tap'
import { COMMUNITY } from '../harness/community.js'
import { type Headers, Service } from '../harness/service.js'
import { modern, rpcIn, send } from './exchange.js'

const service = await Service.start(t, { events: COMMUNITY })
const exchange = async ({ body, headers }: { body: object; headers: Headers }) => {
  const response = await send(service.api, '/mcp', body, headers)
  return { status: response.statusCode, ...rpcIn(response) }
}

await t.test('server/discover answers without a handshake', async (t) => {
  t.match(await exchange(modern('server/discover')), {
    status: 200,
    id: 7,
    result: {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, resources: {}, completions: {} },
      instructions: /read-only/,
      ttlMs: 300_000,
      cacheScope: 'public',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'vitrine', version: '1.0.0' } },
    },
  })
})

await t.test('the docs server has nothing to complete, and does not say so', async (t) => {
  const { body, headers } = modern('server/discover')
  const { result } = rpcIn(await send(service.web, '/mcp', body, headers))
  t.strictSame(result?.capabilities, { tools: {}, resources: {} })
  const ref = { type: 'ref/resource', uri: 'vitrine-docs://README.md' }
  const complete = modern('completion/complete', { ref, argument: { name: 'path', value: 'docs' } })
  t.match(rpcIn(await send(service.web, '/mcp', complete.body, complete.headers)).error, { code: -32601 })
})

await t.test('lists and reads say how long they may be kept, and nothing about people may be', async (t) => {
  for (const method of ['tools/list', 'resources/list', 'resources/templates/list']) {
    t.match(
      await exchange(modern(method)),
      { status: 200, result: { resultType: 'complete', ttlMs: 300_000, cacheScope: 'public' } },
      method,
    )
  }
  t.match(await exchange(modern('resources/read', { uri: 'ui://vitrine/tags' })), { result: { ttlMs: 3_600_000, cacheScope: 'public' } })
  t.match(await exchange(modern('resources/read', { uri: 'vitrine://creators/ben' })), { result: { ttlMs: 0 } })
  t.match(await exchange(modern('tools/call', { name: 'get_popular_tags', arguments: {} })), { result: { resultType: 'complete' } })
})

await t.test('headers must equal the body', async (t) => {
  const call = modern('tools/call', { name: 'get_popular_tags' })
  const wrong: Headers[] = [
    { 'mcp-method': 'tools/list' },
    { 'mcp-name': 'get_community_feed' },
    { 'mcp-name': '=?base64?!!!?=' },
    { 'mcp-protocol-version': '2025-11-25' },
  ]
  for (const headers of wrong) {
    const answer = await exchange({ ...call, headers: { ...call.headers, ...headers } })
    t.match(answer, { status: 400, id: 7, error: { code: -32020 } }, JSON.stringify(headers))
  }
  for (const missing of Object.keys(call.headers)) {
    const headers = Object.fromEntries(Object.entries(call.headers).filter(([name]) => name !== missing))
    t.match(await exchange({ ...call, headers }), { status: 400, error: { code: -32020 } }, `without ${missing}`)
  }
  t.match(
    await exchange({ ...call, headers: { ...call.headers, 'mcp-name': `=?base64?${btoa('get_popular_tags')}?=` } }),
    { status: 200 },
    'names may be encoded',
  )
})

await t.test('an unknown version is refused with those that the client could agree on', async (t) => {
  const { result } = await exchange(modern('server/discover'))
  const supported = result?.supportedVersions
  t.strictSame(supported, ['2026-07-28'])
  for (const version of ['2099-01-01', '1999-01-01', 'nonsense', '2025-11-25x', '']) {
    for (const method of ['tools/list', 'server/discover']) {
      const { status, error } = await exchange(modern(method, {}, version))
      t.match({ status, error }, { status: 400, error: { code: -32022 } }, `${method} ${version}`)
      t.strictSame(error?.data, { supported, requested: version })
    }
  }
  const plain = { jsonrpc: '2.0', id: 7, method: 'tools/list' }
  const { error } = await exchange({ body: plain, headers: { 'mcp-protocol-version': '2099-01-01' } })
  t.strictSame(error?.data, { supported, requested: '2099-01-01' }, 'the header alone is enough for a later revision')
  const probe = { jsonrpc: '2.0', id: 7, method: 'server/discover' }
  t.strictSame(
    (await exchange({ body: probe, headers: { 'mcp-protocol-version': 'x' } })).error?.data,
    { supported, requested: 'x' },
    'and the method that only this generation has',
  )
})

await t.test('what is unknown is refused with the status of the revision', async (t) => {
  t.match(await exchange(modern('no/such')), { status: 404, id: 7, error: { code: -32601 } })
  t.match(await exchange(modern('subscriptions/listen', { notifications: {} })), { status: 404, id: 7, error: { code: -32601 } })
  t.match(await exchange(modern('ping')), { status: 404, error: { code: -32601 } }, 'ping went with the handshake')
  t.match(await exchange(modern('resources/read', { uri: 'ui://vitrine/nothing' })), {
    error: { code: -32602, data: { uri: 'ui://vitrine/nothing' } },
  })
  t.match(await exchange(modern('tools/list', { cursor: 'x' })), { error: { code: -32602 } })
  t.match(
    await exchange({ body: { jsonrpc: '2.0', id: 7, method: 'tools/list' }, headers: { 'mcp-protocol-version': '2026-07-28' } }),
    { status: 400, error: { code: -32602 } },
    'a request that does not say who asks',
  )
})

await t.test('one message per body', async (t) => {
  const { body, headers } = modern('tools/list')
  t.match(await exchange({ body: [body], headers }), { status: 400, id: null, error: { code: -32600 } })
})

await t.test('a notification gets an empty response', async (t) => {
  const { body, headers } = modern('notifications/cancelled', { requestId: 1 })
  const { id: _, ...notification } = body
  const response = await send(service.api, '/mcp', notification, headers)
  t.strictSame([response.statusCode, response.body], [202, ''])
})
