/** Any body posted to any path gets an answer, and never a 5xx. */
import fc from 'fast-check'
import t from 'tap'
import { AUTH_UNAVAILABLE, EMAIL_UNAVAILABLE } from '../../src/contract/agent-auth-errors.js'
import { agentOperations } from '../../src/contract/agent-operations.js'
import { ERROR_NAMES } from '../../src/contract/errors.js'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'
import { publicReads } from '../support/built-in-models.js'
import { holds } from '../support/property.js'

const NAMES: ReadonlySet<string> = new Set([...ERROR_NAMES, AUTH_UNAVAILABLE, EMAIL_UNAVAILABLE])

/** A name of ours, or the error object of JSON-RPC. */
const isError = (error: unknown): boolean =>
  typeof error === 'string' ? NAMES.has(error) : typeof error === 'object' && error !== null && 'code' in error

/** Words that mean something here, so that not everything fails at the first look. */
const WORDS = [
  ...['query', 'text', 'prefer', 'streaming', 'mode', 'list', 'context', 'prev', 'query_id', 'accept-language', 'generate'],
  ...['requests', 'id', 'operation', 'arguments', 'handle', 'slug', 'limit', 'cursor', 'locale', 'sort', 'ben', 'de'],
  ...['jsonrpc', '2.0', 'params', 'name', 'tools/call', 'tools/list', 'resources/read', 'uri', 'initialize', 'ask'],
  ...['method', 'email_code', 'email', 'code', '__proto__', 'constructor', 'toString', '\u0000', '\ud800'],
  ...publicReads.map(({ name }) => name),
]
const word = fc.oneof(fc.constantFrom(...WORDS), fc.string({ unit: 'binary', maxLength: 20 }))
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    word,
    fc.constantFrom(null, true, false, 0, -1, 1e308, 5),
    fc.array(tie('value'), { maxLength: 12 }),
    fc.dictionary(word, tie('value'), { maxKeys: 5 }),
  ),
}))
const item = fc.record({
  id: word,
  operation: fc.constantFrom(...publicReads.map(({ name }) => name)),
  arguments: fc.dictionary(word, value),
})
const body = fc.oneof(
  value.map((content) => JSON.stringify(content)),
  fc.record({ requests: fc.array(item, { maxLength: 11 }) }).map((content) => JSON.stringify(content)),
  fc.record({ query: value, prefer: value }, { requiredKeys: [] }).map((content) => JSON.stringify(content)),
  fc
    .record({ jsonrpc: fc.constant('2.0'), id: value, method: word, params: value }, { requiredKeys: ['jsonrpc'] })
    .map((call) => JSON.stringify(call)),
  fc.string(),
  fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
  fc.integer({ min: 1, max: 32_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc.integer({ min: 1, max: 9000 }).map((depth) => `${'{"query":'.repeat(depth)}1${'}'.repeat(depth)}`.slice(0, 65_536)),
  fc.constant(undefined),
)
const headers = fc.record(
  {
    'content-type': fc.constantFrom('application/json', 'application/json', 'text/plain', 'application/json; charset=x', 'nonsense'),
    'idempotency-key': fc.constantFrom('k', '"k"', '', 'é', 'x'.repeat(300)),
    'accept-language': fc.constantFrom('de', '*', 'x'.repeat(100), ';;q=,'),
    'service-min-position': fc.constantFrom('0', '1', 'x'),
    accept: fc.constantFrom('text/html', 'text/event-stream', 'application/json', ''),
  },
  { requiredKeys: ['content-type'] },
)

await t.test('fuzzed bodies', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY, waitMs: 5 })
  const paths = agentOperations.filter(({ method }) => method === 'POST').map(({ path }) => path.replace('{locale}', 'de'))
  for (const url of paths) {
    await holds(
      t,
      url,
      fc.tuple(body, headers),
      async ([payload, sent]) => {
        const latin1 = Object.fromEntries(Object.entries(sent).map(([name, text]) => [name, Buffer.from(text).toString('latin1')]))
        const response = await service.web.inject({ method: 'POST', url, headers: latin1, ...(payload === undefined ? {} : { payload }) })
        if (response.statusCode >= 500) throw new Error(`${response.statusCode} ${response.body}`)
        if (response.statusCode >= 400 && !isError(response.json().error)) throw new Error(`no envelope: ${response.body}`)
      },
      150,
    )
  }
})
