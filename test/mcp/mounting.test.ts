import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { refused } from '../harness/answers.js'
import { BASE_URL, WEB_URL } from '../harness/mcp.js'
import { type Headers, Service } from '../harness/service.js'
import { rpcIn, send } from './exchange.js'

const service = await Service.start(t, { mcpLimit: 1000 })
const MOUNTS: [FastifyInstance, string, string, string][] = [
  [service.api, '/mcp', 'vitrine', `${BASE_URL}/mcp`],
  [service.web, '/api/mcp', 'vitrine', `${BASE_URL}/mcp`],
  [service.web, '/webmcp', 'vitrine', `${BASE_URL}/mcp`],
  [service.web, '/mcp', 'vitrine-docs', `${WEB_URL}/mcp`],
]
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

await t.test('GET tells what there is', async (t) => {
  for (const [host, url, name, address] of MOUNTS) {
    for (const accept of ['*/*', 'application/json', 'application/json, text/event-stream', 'text/html', '']) {
      const response = await host.inject({ url, headers: { accept } })
      t.equal(response.statusCode, 200, `${url} ${accept}`)
      t.match(response.json(), {
        name,
        version: '1.0.0',
        url: address,
        protocolVersions: ['2026-07-28', '2025-11-25'],
        instructions: /./,
        tools: [{ name: /./ }],
      })
      t.match(response.headers, { 'ratelimit-policy': '"mcp";q=1000;w=60', 'content-type': /^application\/json/ })
    }
    const head = await host.inject({ method: 'HEAD', url })
    t.strictSame([head.statusCode, head.body], [200, ''])
  }
})

await t.test('the server card says where to connect', async (t) => {
  for (const [host, url, name, address] of MOUNTS) {
    const response = await host.inject(`${url}/server-card`)
    t.match(response.headers['content-type'], 'application/mcp-server-card+json')
    const [, label] = /\/\/(\w+)\./.exec(address) ?? []
    const card = response.json()
    t.match(card, { name: `example.${label}/${name}`, version: '1.0.0', remotes: [{ type: 'streamable-http', url: address }] })
    t.ok(card.description.length <= 100, 'as the schema of cards wants')
  }
})

await t.test('what a client has already is not sent again', async (t) => {
  for (const [host, url] of MOUNTS) {
    for (const address of [url, `${url}/server-card`]) {
      const { etag } = (await host.inject(address)).headers
      const again = await host.inject({ url: address, headers: { 'if-none-match': String(etag) } })
      t.strictSame([again.statusCode, again.body, again.headers.etag], [304, '', etag], address)
    }
    t.equal((await host.inject(url)).headers.vary, 'Accept', 'a client that accepts only a stream gets none')
  }
})

await t.test('there is no stream to open, and no session to end', async (t) => {
  for (const [host, url] of MOUNTS) {
    for (const accept of ['text/event-stream', 'TEXT/event-stream; q=0.9']) {
      const response = await host.inject({ url, headers: { accept } })
      refused(t, response, 405, 'invalid_request', url)
      t.equal(response.headers.allow, 'POST, OPTIONS')
    }
    refused(t, await host.inject({ method: 'DELETE', url }), 405, 'invalid_request', url)
  }
})

await t.test('pages of others may not use it, nor names that only resolve to us', async (t) => {
  const foreign: Headers[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: '' },
    { origin: 'https://web.example.evil.example' },
    { origin: 'https://evil-vitrine.example' },
    { origin: 'file://' },
    { origin: 'web.example' },
    { origin: 'https://user@evil.example:443' },
    { host: 'evil.example' },
    { host: 'evil.example:3000' },
    { host: '169.254.169.254' },
  ]
  for (const [host, url] of MOUNTS) {
    for (const headers of foreign) {
      refused(t, await send(host, url, LIST, headers), 403, 'forbidden', `${url} ${JSON.stringify(headers)}`)
      if (headers.host === undefined) continue
      refused(t, await host.inject({ url, headers }), 403, 'forbidden', `GET ${url} ${JSON.stringify(headers)}`)
    }
    t.equal((await send(host, url, LIST, { origin: 'https://agents.example' })).statusCode, 200, 'unless their origin is allowed')
    for (const origin of ['http://agents.example', 'https://agents.example:8443', 'https://x.agents.example'])
      refused(t, await send(host, url, LIST, { origin }), 403, 'forbidden', `${origin} is another one`)
    for (const named of ['web.example@evil.example', 'evil.example@web.example', 'not a host'])
      refused(t, await send(host, url, LIST, { host: named }), 400, 'invalid_request', `${url} at ${named}`)
  }
})

await t.test('pages of others may read what there is, and get what everyone gets', async (t) => {
  for (const [host, url] of MOUNTS) {
    for (const address of [url, `${url}/server-card`]) {
      const plain = await host.inject(address)
      for (const origin of ['https://evil.example', 'null', WEB_URL]) {
        const response = await host.inject({ url: address, headers: { origin } })
        t.strictSame([response.statusCode, response.body], [200, plain.body], `${address} from ${origin}`)
        t.equal(response.headers['access-control-allow-origin'], '*')
        t.equal(response.headers.vary, plain.headers.vary)
        const head = await host.inject({ method: 'HEAD', url: address, headers: { origin } })
        t.equal(head.statusCode, 200)
      }
    }
  }
})

await t.test('its own pages may, and clients that send no origin', async (t) => {
  const own: Headers[] = [
    {},
    { origin: WEB_URL },
    { origin: BASE_URL, host: 'web.example' },
    { origin: 'http://localhost:3001' },
    { origin: 'http://127.0.0.1' },
    { origin: 'http://[::1]:3001', host: '[::1]:3000' },
    { origin: 'https://ada-l.vitrine.example' },
    { host: 'API.example:443' },
    { host: 'localhost' },
  ]
  for (const [host, url] of MOUNTS) {
    for (const headers of own) t.equal((await send(host, url, LIST, headers)).statusCode, 200, `${url} ${JSON.stringify(headers)}`)
  }
})

await t.test('bodies that are too large or of another type are refused before they are read', async (t) => {
  for (const [host, url] of MOUNTS) {
    refused(t, await send(host, url, JSON.stringify({ ...LIST, params: { x: 'x'.repeat(70_000) } })), 413, 'invalid_request', url)
    for (const type of ['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded']) {
      refused(t, await send(host, url, LIST, { 'content-type': type }), 415, 'invalid_request', `${url} ${type}`)
    }
    for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
      t.ok(rpcIn(await send(host, url, LIST, { 'content-type': type })).result, type)
    }
    const empty = await host.inject({ method: 'POST', url })
    t.match([empty.statusCode, rpcIn(empty).error], [400, { code: -32700 }], 'no body at all')
  }
})

await t.test('every request counts against the limit of MCP, on every path', async (t) => {
  const limited = await Service.start(t, { mcpLimit: 4, now: () => 0 })
  const headers = { origin: 'https://evil.example' }
  t.equal((await send(limited.api, '/mcp', LIST)).headers['ratelimit-remaining'], '3')
  t.equal((await send(limited.web, '/webmcp', LIST, headers)).headers['ratelimit-remaining'], '2')
  t.equal((await limited.web.inject('/mcp')).headers['ratelimit-remaining'], '1')
  t.equal((await send(limited.web, '/api/mcp', '{')).headers['ratelimit-remaining'], '0')
  const response = await send(limited.api, '/mcp', LIST)
  refused(t, response, 429, 'rate_limited')
  t.match(response.headers, { 'retry-after': /^\d+$/, ratelimit: /^"mcp";r=0;t=\d+$/ })
})
