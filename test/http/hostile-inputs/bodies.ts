import { agentOperations } from '../../../src/contract/agent-operations.js'
import { publicReads } from '../../support/built-in-models.js'
import { bodies, set } from './filled-bodies.js'
import { BODY_ROOM, each, fieldsOf, type HostileRequest, post, request } from './hostile-request.js'
import { ALL_TEXTS, ASCII_TEXTS } from './hostile-texts.js'

const ASK_FIELDS = [
  ...['query', 'query.text', 'query.site', 'prefer', 'prefer.mode', 'prefer.streaming', 'prefer.accept-language', 'prefer.response_format'],
  ...['context', 'context.prev', 'context.prev.*', 'context.text', 'prev', 'prev.*', 'query_id', 'mode', 'streaming', 'unknown'],
]

export function* agentBodies(): Generator<HostileRequest> {
  const paths = agentOperations
    .filter(({ method, path }) => method === 'POST' && !path.includes('mcp') && path !== '/batch')
    .map(({ path }) => path.replace('{locale}', 'de'))
  for (const path of paths) {
    yield* bodies('web', path, `POST ${path}, the whole body`, (value) => value)
    if (path === '/ask' || path === '/ask/jobs')
      for (const field of ASK_FIELDS)
        yield* bodies('web', path, `POST ${path}, ${field}`, (value) => ({ query: 'hello', ...Object(set(field, value)) }))
  }
  for (const path of ['/ask', '/ask/jobs'])
    for (const [kind, make] of Object.entries(ALL_TEXTS)) {
      yield request('web', `POST ${path}, a question of ${kind}`, (round) => post(path, { query: `${round} ${make(1990)}`.slice(0, 2000) }))
      yield request('web', `POST ${path}, ten earlier questions of ${kind}`, (round) =>
        post(path, { query: 'and in music?', prev: Array(10).fill(`${round} ${make(1990)}`.slice(0, 2000)) }),
      )
    }
}

export function* batches(): Generator<HostileRequest> {
  yield* bodies('web', '/batch', 'POST /batch, the whole body', (value) => value)
  for (const field of ['requests', 'requests.*', 'requests.*.id', 'requests.*.operation'])
    yield* bodies('web', '/batch', `POST /batch, ${field}`, (value) => set(field, value))
  for (const operation of publicReads)
    for (const field of [...fieldsOf(operation), 'unknown']) {
      const item = (id: string, value: unknown) => ({
        id,
        operation: operation.name,
        arguments: { ...operation.example.input, [field]: value },
      })
      yield* bodies('web', '/batch', `POST /batch, ${operation.name}, ${field}`, (value) => ({ requests: [item('1', value)] }))
    }
  yield* each(ALL_TEXTS, (kind, make) =>
    request('web', `POST /batch, ten searches for ${kind}`, (round) =>
      post('/batch', {
        requests: Array.from({ length: 10 }, (_, n) => ({
          id: String(n),
          operation: 'get_community_feed',
          arguments: { q: `${round} ${n} ${make(190)}`.slice(0, 200).toWellFormed(), limit: 48 },
        })),
      }),
    ),
  )
}

export function* adminBodies(): Generator<HostileRequest> {
  yield* bodies('admin', '/actions', 'POST /actions, the whole body', (value) => value)
  const discard = { action: 'discard', projection: 'feed', position: 1, reason: 'x' }
  for (const field of Object.keys(discard))
    yield* bodies('admin', '/actions', `POST /actions, ${field}`, (value) => ({ ...discard, projection: 'none', [field]: value }))
  yield* bodies('admin', '/login', 'POST /login, token', (value) => ({ token: value }))
}

export function* forms(): Generator<HostileRequest> {
  for (const [host, path] of [
    ['web', '/agent/auth/claim'],
    ['admin', '/login'],
    ['web', '/ask'],
  ] as const)
    yield* each(ASCII_TEXTS, (kind, make) =>
      request(host, `a form to ${path}: ${kind}`, () => ({
        ...post(path, make(BODY_ROOM)),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      })),
    )
}
