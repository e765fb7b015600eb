/** What the service answers is declared in its OpenAPI document: the status, and every header that is not about the transport. */
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { agentOperations } from '../../src/contract/agent-operations.js'
import { openApiDocument } from '../../src/discovery/openapi/document.js'
import type { Reference, Response } from '../../src/discovery/openapi/types.js'
import { SECURITY_HEADERS } from '../../src/http/plugins/response-headers.js'
import { COMMUNITY } from '../harness/community.js'
import { BASE_URL, type Headers, Service, WEB_URL } from '../harness/service.js'
import { modern } from '../mcp/exchange.js'
import { publicReads } from '../support/built-in-models.js'

const document = openApiDocument({ baseUrl: BASE_URL, webUrl: WEB_URL }, publicReads)

/** Of HTTP, of CORS, and of what every answer carries for browsers. */
const TRANSPORT = new Set([
  ...['connection', 'content-length', 'content-type', 'date', 'transfer-encoding', 'vary', 'x-accel-buffering'],
  ...['access-control-allow-origin', 'access-control-expose-headers'],
  ...Object.keys(SECURITY_HEADERS).map((name) => name.toLowerCase()),
])

function resolved(response: Response | Reference | undefined): Response | undefined {
  if (response === undefined || !('$ref' in response)) return response
  return document.components.responses[response.$ref.replace('#/components/responses/', '')]
}

/** Headers of an answer that its operation does not speak of; `null` when it does not even speak of the status. */
function undeclared(template: string, method: 'get' | 'post', answer: LightMyRequestResponse): string[] | null {
  const declared = resolved(document.paths[template]?.[method]?.responses[String(answer.statusCode)])
  if (declared === undefined) return null
  const names = new Set(Object.keys(declared.headers ?? {}).map((name) => name.toLowerCase()))
  return Object.keys(answer.headers).filter((name) => !names.has(name) && !TRANSPORT.has(name))
}

interface Exchange {
  template: string
  path?: string
  host?: FastifyInstance
  headers?: Headers
  payload?: string | object
}

const service = await Service.start(t, { events: COMMUNITY, limit: 1000, agentLimit: 1000, mcpLimit: 1000 })

async function post(t: Test, status: number, { template, path = template, host = service.web, headers = {}, payload }: Exchange) {
  const answer = await host.inject({ method: 'POST', url: path, headers, ...(payload === undefined ? {} : { payload }) })
  t.equal(answer.statusCode, status, `POST ${path}`)
  t.same(undeclared(template, 'post', answer), [], `POST ${path}: ${status}`)
  return answer
}

const ASKS = [
  { template: '/ask' },
  { template: '/api/ask' },
  { template: '/nlweb/ask' },
  { template: '/{locale}/ask', path: '/de/ask' },
] as const
const LIVE = { query: 'what is trending in games?' }
const TAGS = { requests: [{ id: 'tags', operation: 'get_popular_tags', arguments: {} }] }

await t.test('asking, once and again', async (t) => {
  for (const ask of ASKS) {
    const headers = { 'idempotency-key': 'once' }
    t.ok((await post(t, 200, { ...ask, headers, payload: LIVE })).headers['content-language'])
    t.equal((await post(t, 200, { ...ask, headers, payload: LIVE })).headers['idempotency-replayed'], 'true')
    await post(t, 422, { ...ask, headers, payload: { query: 'another' } })
    await post(t, 200, { ...ask, payload: { ...LIVE, prefer: { streaming: true } } })
    await post(t, 415, { ...ask, headers: { 'content-type': 'text/plain' }, payload: 'why' })
  }
  const headers = { 'idempotency-key': 'job' }
  await post(t, 202, { template: '/ask/jobs', headers, payload: LIVE })
  t.equal((await post(t, 202, { template: '/ask/jobs', headers, payload: LIVE })).headers['idempotency-replayed'], 'true')
})

await t.test('asking while the models are loading', async (t) => {
  const { web } = await Service.start(t, { projecting: false })
  for (const ask of ASKS) t.ok((await post(t, 503, { ...ask, host: web, payload: LIVE })).headers['retry-after'])
})

await t.test('a key that is still being answered says when to come back', async (t) => {
  for (const { template } of [...ASKS, { template: '/batch' }])
    t.ok(resolved(document.paths[template]?.post?.responses['409'])?.headers?.['Retry-After'], template)
})

await t.test('batches', async (t) => {
  const batch = { template: '/batch', headers: { 'idempotency-key': 'batch' }, payload: TAGS }
  t.ok((await post(t, 200, batch)).headers['service-position'])
  t.equal((await post(t, 200, batch)).headers['idempotency-replayed'], 'true')
  t.ok((await post(t, 400, { template: '/batch', payload: { requests: [] } })).headers.ratelimit)
})

await t.test('messages to the MCP servers', async (t) => {
  const { body, headers } = modern('no/such')
  for (const template of ['/mcp', '/api/mcp', '/webmcp']) {
    await post(t, 404, { template, headers, payload: body })
    await post(t, 415, { template, headers: { 'content-type': 'text/plain' }, payload: 'ping' })
    await post(t, 400, { template, headers: { 'content-type': 'application/json' }, payload: '{' })
  }
})

await t.test('a document that the client has already', async (t) => {
  const url = '/.well-known/webmcp'
  const first = await service.web.inject(url)
  t.same(undeclared(url, 'get', first), [])
  const again = await service.web.inject({ url, headers: { 'if-none-match': String(first.headers.etag) } })
  t.equal(again.statusCode, 304)
  t.same(undeclared(url, 'get', again), [])
})

await t.test('every read for agents', async (t) => {
  for (const { method, path } of agentOperations) {
    if (method !== 'GET') continue
    const answer = await service.web.inject({ url: path.replace('{jobId}', 'unknown'), headers: { accept: 'application/json' } })
    t.same(undeclared(path, 'get', answer), [], `${path}: ${answer.statusCode}`)
    if (answer.headers.etag !== undefined) t.ok(document.paths[path]?.get?.responses['304'], `${path} has a tag`)
  }
})

await t.test('bodies that are too slow, and a process with too much to do', async (t) => {
  for (const { method, path } of agentOperations) {
    const responses = document.paths[path]?.[method === 'POST' ? 'post' : 'get']?.responses ?? {}
    t.equal('408' in responses, method === 'POST', `${method} ${path}`)
    t.ok(resolved(responses['503'])?.headers?.['Retry-After'], `${method} ${path}`)
  }
})

await t.test('the claim has the signature of the specification, and needs no body', async (t) => {
  t.match(document.paths['/agent/auth/claim']?.post?.requestBody, {
    required: false,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/AgentClaim' } } },
  })
  t.match(document.components.schemas.AgentClaim, {
    required: ['method', 'email', 'code', 'claim_token'],
    properties: { method: { const: 'email_code' }, email: { format: 'email' }, code: { pattern: '^[0-9]{6}$' } },
  })
  for (const step of ['register', 'claim', 'revoke']) await post(t, 403, { template: `/agent/auth/${step}`, payload: {} })
})
