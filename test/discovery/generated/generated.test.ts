/** Every operation of the published document, called with requests made from it; every answer is checked against it. */
import fc from 'fast-check'
import t, { type Test } from 'tap'
import type { OpenApiDocument } from '../../../src/discovery/openapi/types.js'
import { COMMUNITY } from '../../harness/community.js'
import { BASE_URL, Service, WEB_URL } from '../../harness/service.js'
import { thorough } from '../../support/tier.js'
import { allowed } from './from-schema.js'
import { PublishedApi, type PublishedOperation } from './published-api.js'
import { type GeneratedRequest, rightRequest, wrongRequests } from './requests.js'

const service = await Service.start(t, { events: COMMUNITY, limit: 1_000_000, agentLimit: 1_000_000, mcpLimit: 1_000_000 })
const ADDRESSES: Record<string, string> = {
  [BASE_URL]: `http://127.0.0.1:${await service.listen(service.api)}`,
  [WEB_URL]: `http://127.0.0.1:${await service.listen(service.web)}`,
}
const api = new PublishedApi((await (await fetch(`${ADDRESSES[WEB_URL]}/openapi.json`)).json()) as OpenApiDocument)
const RUNS = thorough ? 100 : 12

/** Sends a request to one of the operation's servers, and complains of an answer that the document does not describe. */
async function send(operation: PublishedOperation, server: string, { method, path, headers, body }: GeneratedRequest) {
  const response = await fetch(ADDRESSES[server] + path, { method, headers, ...(body === undefined ? {} : { body }) })
  const text = await response.text()
  const differences = api.differences(operation, response.status, response.headers, text)
  if (response.status >= 500) differences.push('it is our fault')
  const shown = `${method} ${path.slice(0, 200)} ${JSON.stringify(headers)} ${body?.slice(0, 200)}: ${response.status} ${text.slice(0, 300)}`
  if (differences.length > 0) throw new Error(`${differences.join('; ')}\n${shown}`)
  return { status: response.status, headers: response.headers, text, shown }
}

const isAgentAuth = ({ path }: PublishedOperation): boolean => path.startsWith('/agent/auth/')
const isMcp = ({ path }: PublishedOperation): boolean => /\/(web)?mcp$/.test(path) && !path.startsWith('/.well-known')

/** Whether an answer says that the request was wrong, in the way of its protocol. */
function isRefusal(operation: PublishedOperation, { status, text }: { status: number; text: string }): boolean {
  if (isAgentAuth(operation)) return status === 403 || status === 400
  if (isMcp(operation) && status === 200) return JSON.parse(text).error !== undefined
  return status === 400 || status === 422
}

async function everywhere(t: Test, check: (t: Test, operation: PublishedOperation, server: string) => Promise<void>): Promise<void> {
  const operations = api.operations()
  t.ok(operations.length >= 26, `${operations.length} operations`)
  for (const operation of operations)
    for (const server of operation.servers)
      await t.test(`${operation.method.toUpperCase()} ${server}${operation.path}`, (t) => check(t, operation, server))
}

await t.test('what the document allows is accepted, and answered as it says', (t) =>
  everywhere(t, async (t, operation, server) => {
    const statuses = new Set<number>()
    await fc.assert(
      fc.asyncProperty(rightRequest(api, operation), async (request) => {
        const answer = await send(operation, server, request)
        statuses.add(answer.status)
        if ([400, 405, 413, 415, 422].includes(answer.status)) throw new Error(`refused: ${answer.shown}`)
      }),
      // Not shrunk: each try is a request, and the message shows the whole of it.
      { numRuns: RUNS, includeErrorInReport: true, endOnFailure: true },
    )
    t.ok(statuses.size > 0, [...statuses].join(', '))
  }),
)

await t.test('what the document does not allow is refused, and in its words', (t) =>
  everywhere(t, async (t, operation, server) => {
    const requests = wrongRequests(api, operation)
    t.ok(requests.length > 2, `${requests.length} wrong requests`)
    for (const [wrong, request] of requests) {
      const answer = await send(operation, server, request)
      if (!isRefusal(operation, answer)) t.fail(`${wrong} was accepted: ${answer.shown}`)
    }
  }),
)

await t.test('every idempotency key that the document allows is accepted', (t) =>
  everywhere(t, async (_t, operation, server) => {
    const key = operation.parameters.find(({ name }) => name === 'Idempotency-Key')
    const body = JSON.stringify(operation.body?.content['application/json']?.example)
    if (key === undefined) return
    const headers = { 'content-type': 'application/json' }
    await fc.assert(
      fc.asyncProperty(allowed(api, key.schema), async (value) => {
        const path = operation.path.replace('{locale}', 'de')
        const request = { method: 'POST', path, headers: { ...headers, [key.name]: String(value) }, body }
        const { status, shown } = await send(operation, server, request)
        if (![200, 202].includes(status)) throw new Error(`refused: ${shown}`)
      }),
      { numRuns: RUNS, includeErrorInReport: true, endOnFailure: true },
    )
  }),
)

await t.test('bodies of another type and of any size', (t) =>
  everywhere(t, async (t, operation, server) => {
    if (operation.method === 'get') return
    const path = operation.path.replace('{locale}', 'de')
    const post = (type: string, body: string) => send(operation, server, { method: 'POST', path, headers: { 'content-type': type }, body })
    t.equal((await post('text/plain', 'x')).status, isAgentAuth(operation) ? 403 : 415)
    t.equal((await post('application/json', `"${'x'.repeat(70_000)}"`)).status, isAgentAuth(operation) ? 403 : 413)
  }),
)

await t.test('other methods are refused with those that are possible', (t) =>
  everywhere(t, async (t, { path }, server) => {
    const url = ADDRESSES[server] + path.replace('{locale}', 'de').replaceAll(/\{\w+\}/g, 'x')
    const response = await fetch(url, { method: 'DELETE' })
    t.equal(response.status, 405)
    const described = api.operations().filter((other) => other.path === path && other.servers.includes(server))
    const allow = String(response.headers.get('allow'))
      .split(', ')
      .filter((method) => !['HEAD', 'OPTIONS'].includes(method))
    t.strictSame(allow.toSorted(), described.map(({ method }) => method.toUpperCase()).toSorted(), 'all that is served is described')
    t.strictSame(api.complaints({ $ref: '#/components/schemas/Error' }, await response.json()), [])
  }),
)

await t.test('a tagged answer is not sent twice', (t) =>
  everywhere(t, async (t, operation, server) => {
    if (operation.method === 'post') return
    const path = operation.path.replace('{handle}', 'ben').replace('{slug}', 'Garden.Maze').replace('{jobId}', 'x')
    const first = await send(operation, server, { method: 'GET', path, headers: {} })
    const etag = first.headers.get('etag')
    if (etag !== null) t.equal((await send(operation, server, { method: 'GET', path, headers: { 'if-none-match': etag } })).status, 304)
    t.equal(etag !== null, '304' in operation.responses, 'the document says which are tagged')
  }),
)
