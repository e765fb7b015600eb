/** What a body may hold, and how every surface answers one that holds more. */
import t from 'tap'
import { isWithinBounds } from '../../src/http/plugins/body-bounds.js'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'
import { rpcIn, send } from '../mcp/exchange.js'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

await t.test('values and levels are counted, texts are not', async (t) => {
  t.ok(isWithinBounds(nested(20)))
  t.notOk(isWithinBounds(nested(21)))
  t.ok(isWithinBounds(JSON.stringify(Array(499).fill(1))))
  t.notOk(isWithinBounds(JSON.stringify(Array(501).fill(1))))
  t.notOk(isWithinBounds(JSON.stringify(Object.fromEntries(Array.from({ length: 501 }, (_, n) => [n, n])))))
  for (const text of ['[{,'.repeat(9000), '"'.repeat(5000), '\\'.repeat(5000), '\\"[,'.repeat(5000), '\\\\'])
    t.ok(isWithinBounds(JSON.stringify({ [text]: text })), JSON.stringify(text).slice(0, 20))
  t.notOk(isWithinBounds(`["\\"",${nested(30)}]`), 'an escaped quote does not hide what follows')
  t.notOk(isWithinBounds(`["\\\\",${nested(30)}]`), 'nor does an escaped backslash')
})

const service = await Service.start(t, { events: COMMUNITY })
const TOO_MUCH = JSON.stringify({ query: 'hello', prev: Array(600).fill(1) })

await t.test('the largest real requests are answered', async (t) => {
  const turns = Array.from({ length: 100 }, (_, n) => `What is trending, ${n}? [{,:]}`)
  t.equal((await send(service.web, '/ask', { query: 'hello', context: { prev: turns } })).statusCode, 200)
  const input = { locale: 'de', sort: 'recent', category: 'games', tag: 'x', q: 'maze', featuredOnly: true, limit: 48 }
  const requests = Array.from({ length: 10 }, (_, n) => ({ id: String(n), operation: 'get_community_feed', arguments: input }))
  t.equal((await send(service.web, '/batch', { requests })).statusCode, 200)
  const icons = Array.from({ length: 20 }, (_, n) => ({
    src: `https://client.example/${n}.png`,
    mimeType: 'image/png',
    sizes: ['48x48', '96x96'],
  }))
  const capabilities = { roots: { listChanged: true }, sampling: {}, elicitation: {}, experimental: { a: { b: { c: { d: [1, 2, 3] } } } } }
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'client', version: '1', icons } }
  t.ok(rpcIn(await send(service.api, '/mcp', { jsonrpc: '2.0', id: 1, method: 'initialize', params })).result)
})

await t.test('a body that holds more is refused in the form of each surface', async (t) => {
  for (const path of ['/ask', '/ask/jobs', '/batch']) {
    const response = await send(service.web, path, TOO_MUCH)
    t.match({ status: response.statusCode, ...response.json() }, { status: 400, error: 'invalid_request', message: /500 values/ }, path)
  }
  const action = await send(service.admin, '/actions', TOO_MUCH, { host: 'localhost' })
  t.match(action.json(), { error: 'invalid_request', message: /500 values/ })
  const message = await send(service.api, '/mcp', TOO_MUCH)
  t.match({ status: message.statusCode, ...rpcIn(message) }, { status: 400, id: null, error: { code: -32600, message: /500 values/ } })
  const auth = await send(service.web, '/agent/auth/register', TOO_MUCH)
  t.match(
    { status: auth.statusCode, ...auth.json() },
    { status: 403, error: 'agent_auth_not_available' },
    'the answer is the same for every body',
  )
})

await t.test('of many wrong values three are named', async (t) => {
  const batch = await send(service.web, '/batch', { requests: Array(10).fill({}) })
  t.equal(batch.json().details.length, 3)
  const icons = Array(100).fill(1)
  const params = { clientInfo: { name: 'client', version: '1', icons } }
  const { error } = rpcIn(await send(service.api, '/mcp', { jsonrpc: '2.0', id: 1, method: 'initialize', params }))
  t.equal(error?.code, -32602)
  t.match(
    error?.message,
    /^Invalid params: params\.clientInfo\.icons\.0: [^;]+; params\.clientInfo\.icons\.1: [^;]+; params\.clientInfo\.icons\.2: [^;]+$/,
  )
})

await t.test('an id, a method, a version or a uri that an answer would repeat is bounded', async (t) => {
  const long = '\u0000'.repeat(9000)
  const meta = { 'io.modelcontextprotocol/protocolVersion': long }
  for (const wrong of [{ id: long }, { method: long }, { params: { _meta: meta } }]) {
    const answer = rpcIn(await send(service.api, '/mcp', { jsonrpc: '2.0', id: 1, method: 'ping', ...wrong }))
    t.match(answer, { id: null, error: { code: -32600 } })
  }
  const { error } = rpcIn(
    await send(service.api, '/mcp', { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: '[{'.repeat(9000) } }),
  )
  t.match(error, { code: -32602, message: /at most 500/ })
})
