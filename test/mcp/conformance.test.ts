/**
 * The scenarios of the protocol's own conformance suite (modelcontextprotocol/conformance) that apply to a read-only server without
 * prompts, tasks and subscriptions, by the names of their checks, over sockets. The others need tools made for the suite.
 */
import t from 'tap'
import { COMMUNITY } from '../harness/community.js'
import { type Headers, Service } from '../harness/service.js'
import { request } from '../harness/sockets.js'
import { listen } from './connect.js'
import { modern, RpcAnswer } from './exchange.js'

const service = await Service.start(t, { events: COMMUNITY })
const { product, docs } = await listen(service)
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo'
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'

/** One exchange; the id of the answer has to be that of the request. */
async function exchange(url: string, body: { id?: unknown }, headers: Headers) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(body),
  })
  const { result, error, id } = RpcAnswer.parse(await response.json())
  if (id !== body.id) throw new Error(`sep-2575-http-server-error-jsonrpc-id: ${id} is not ${body.id}`)
  return { status: response.status, result, error }
}

for (const url of [...product, docs]) {
  const call = (method: string, params = {}, change: Headers = {}) => {
    const { body, headers } = modern(method, params)
    return exchange(url, body, { ...headers, ...change })
  }
  const uriOf = async () => (await call('resources/list')).result as { resources: { uri: string; name: string }[] }

  await t.test(`server-stateless at ${new URL(url).pathname}`, async (t) => {
    const { body, headers } = modern('server/discover')
    const meta: Record<string, unknown> = body.params._meta
    for (const missing of [VERSION_KEY, CAPABILITIES_KEY]) {
      const { [missing]: _, ...rest } = meta
      const answer = await exchange(url, { ...body, params: { _meta: rest } } as object, headers)
      t.match(answer, { status: 400, error: { code: -32602 } }, `sep-2575-request-meta-invalid: ${missing}`)
    }
    const { [CLIENT_KEY]: _, ...anonymous } = meta
    const served = await exchange(url, { ...body, params: { _meta: anonymous } } as object, headers)
    t.match(served, { status: 200, result: {} }, 'sep-2575-request-meta-client-info-optional')

    const { result } = await call('server/discover')
    t.match(result, { supportedVersions: ['2026-07-28'], capabilities: {} }, 'sep-2575-server-implements-discover')
    t.match(
      result?._meta,
      { 'io.modelcontextprotocol/serverInfo': { name: /./, version: /./ } },
      'sep-2575-server-identifies-in-result-meta',
    )
    const capabilities = result?.capabilities as Record<string, unknown>
    for (const kind of ['tools', 'resources', 'prompts']) {
      const { error } = await call(`${kind}/list`)
      t.equal(error?.code, kind in capabilities ? undefined : -32601, `sep-2575-discover-capabilities-match-handlers: ${kind}`)
    }

    const unknown = modern('server/discover', {}, 'v999.0.0')
    const refusal = await exchange(url, unknown.body, unknown.headers)
    t.equal(refusal.status, 400, 'sep-2575-http-server-unsupported-version-400')
    const data = { supported: result?.supportedVersions, requested: 'v999.0.0' }
    t.strictSame(refusal.error?.data, data, 'sep-2575-server-unsupported-version-error')
    const mismatch = await exchange(url, unknown.body, headers)
    t.match(mismatch, { status: 400, error: { code: -32020 } }, 'sep-2575-http-server-header-mismatch-400')

    for (const method of ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe', 'no/such'])
      t.match(await call(method), { status: 404, error: { code: -32601 } }, `sep-2575-http-server-method-not-found-404: ${method}`)
  })

  await t.test(`http-header-validation at ${new URL(url).pathname}`, async (t) => {
    const { body, headers } = modern('tools/list')
    const loud = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
    t.match(await exchange(url, body, loud), { status: 200 }, 'names of headers are compared without case')
    const padded = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `  ${value}\t`]))
    t.match(await exchange(url, body, padded), { status: 200 }, 'sep-2243-server-accepts-whitespace-header-value')
    t.match(await call('tools/list', {}, { 'mcp-method': 'TOOLS/LIST' }), { status: 400, error: { code: -32020 } }, 'values with it')
    for (const name of Object.keys(headers)) {
      const { [name]: _, ...rest } = headers as Headers
      t.match(await exchange(url, body, rest), { status: 400, error: { code: -32020 } }, `without ${name}`)
    }
    const [first] = (await uriOf()).resources
    const uri = first?.uri ?? ''
    t.match(await call('resources/read', { uri }, { 'mcp-name': 'other://x' }), { status: 400, error: { code: -32020 } }, 'another name')
    t.match(await call('resources/read', { uri }, { 'mcp-name': `=?base64?${btoa(uri)}?=` }), { status: 200 }, 'an encoded name')
  })

  await t.test(`caching, lists and missing resources at ${new URL(url).pathname}`, async (t) => {
    const [first] = (await uriOf()).resources
    const cached = [
      await call('tools/list'),
      await call('resources/list'),
      await call('resources/templates/list'),
      await call('resources/read', { uri: first?.uri }),
    ]
    for (const { result } of cached) {
      t.ok(Number.isInteger(result?.ttlMs) && Number(result?.ttlMs) >= 0, 'sep-2549-ttl-non-negative')
      t.ok(['public', 'private'].includes(String(result?.cacheScope)), 'sep-2549-cache-scope-valid')
    }
    const { tools } = (await call('tools/list')).result as { tools: { name: string; description: string; inputSchema: { type: string } }[] }
    for (const { name, description, inputSchema } of tools) {
      t.match(name, /^[A-Za-z0-9_./-]{1,64}$/, 'tools-name-format')
      t.ok(description && inputSchema.type === 'object', 'tools-list')
    }
    for (const { uri, name } of (await uriOf()).resources) t.ok(URL.canParse(uri) && name, 'resources-list')
    const missing = await call('resources/read', { uri: 'test://nonexistent-resource' })
    t.match(missing.error, { code: -32602, data: { uri: 'test://nonexistent-resource' } }, 'sep-2164-error-code, sep-2164-data-uri')
    t.equal(missing.result, undefined, 'sep-2164-no-empty-contents')
    const wrong = await call('tools/call', { name: 'no_such_tool', arguments: {} })
    t.match(wrong.result, { isError: true, content: [{ type: 'text', text: /./ }] }, 'tools-call-error')
  })

  await t.test(`server-initialize, ping and dns-rebinding-protection at ${new URL(url).pathname}`, async (t) => {
    const clientInfo = { name: 'conformance', version: '1' }
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    const { result } = await exchange(url, { jsonrpc: '2.0', id: 1, method: 'initialize', params } as object, {})
    t.match(result, { protocolVersion: '2025-11-25', serverInfo: { name: /./, version: /./ }, capabilities: {} }, 'server-initialize')
    t.strictSame((await exchange(url, { jsonrpc: '2.0', id: 'p', method: 'ping' } as object, {})).result, {}, 'ping')
    const { port, pathname } = new URL(url)
    const at = async (host: string) => (await request(Number(port), pathname, { headers: { host, origin: `http://${host}` } })).statusCode
    t.equal(await at('evil.example.com'), 403, 'localhost-host-rebinding-rejected')
    t.equal(await at(`localhost:${port}`), 200, 'localhost-host-valid-accepted')
  })
}
