/** Answers that generated requests do not get are declared in the OpenAPI document, too: repetitions, refusals, overload. */
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { agentOperations } from '../../src/contract/agent-operations.js'
import { openApiDocument } from '../../src/discovery/openapi/document.js'
import type { Reference, Response } from '../../src/discovery/openapi/types.js'
import { COMMUNITY } from '../harness/community.js'
import { BASE_URL, type Headers as Sent, Service, WEB_URL } from '../harness/service.js'
import { publicReads } from '../support/built-in-models.js'
import { PublishedApi } from './generated/published-api.js'

const document = openApiDocument({ baseUrl: BASE_URL, webUrl: WEB_URL }, publicReads)
const api = new PublishedApi(document)

interface Exchange {
  template: string
  path?: string
  host?: FastifyInstance
  headers?: Sent
  payload?: string | object
}

const headersOf = (response: Response | Reference | undefined) => response && api.resolved<Response>(response).headers

const service = await Service.start(t, { events: COMMUNITY, limit: 1000, agentLimit: 1000, mcpLimit: 1000 })

async function post(t: Test, status: number, { template, path = template, host = service.web, headers = {}, payload }: Exchange) {
  const answer = await host.inject({ method: 'POST', url: path, headers, ...(payload === undefined ? {} : { payload }) })
  t.equal(answer.statusCode, status, `POST ${path}`)
  const operation = api.operations().find((each) => each.path === template && each.method === 'post')
  if (operation === undefined) throw new Error(`there is no operation ${template}`)
  const received = new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]))
  t.same(api.differences(operation, status, received, answer.body), [], `POST ${path}: ${status}`)
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
    t.ok(headersOf(document.paths[template]?.post?.responses['409'])?.['Retry-After'], template)
})

await t.test('batches', async (t) => {
  const batch = { template: '/batch', headers: { 'idempotency-key': 'batch' }, payload: TAGS }
  t.ok((await post(t, 200, batch)).headers['service-position'])
  t.equal((await post(t, 200, batch)).headers['idempotency-replayed'], 'true')
  t.ok((await post(t, 400, { template: '/batch', payload: { requests: [] } })).headers.ratelimit)
})

await t.test('bodies that are too slow, and a process with too much to do', async (t) => {
  for (const { method, path } of agentOperations) {
    const responses = document.paths[path]?.[method === 'POST' ? 'post' : 'get']?.responses ?? {}
    t.equal('408' in responses, method === 'POST', `${method} ${path}`)
    t.ok(headersOf(responses['503'])?.['Retry-After'], `${method} ${path}`)
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
