import t from 'tap'
import { codeOf, ERROR_NAMES, isRetryable, nameForStatus, ServiceError, summaryOf } from '../../src/contract/errors.js'

await t.test('the ten names of the specification', async (t) => {
  t.strictSame([...ERROR_NAMES].sort(), [
    'conflict',
    'forbidden',
    'internal_error',
    'invalid_request',
    'not_found',
    'rate_limited',
    'timeout',
    'unauthorized',
    'upstream_unavailable',
    'validation_failed',
  ])
  for (const name of ERROR_NAMES) t.ok(summaryOf(name).length > 10, `${name} is explained`)
})

await t.test('every status has its name', async (t) => {
  const table: Record<string, number[]> = {
    invalid_request: [400, 405, 413, 414, 415, 431],
    unauthorized: [401],
    forbidden: [403],
    not_found: [404],
    timeout: [408, 504],
    conflict: [409],
    validation_failed: [422],
    rate_limited: [429],
    internal_error: [500, 501],
    upstream_unavailable: [502, 503],
  }
  for (const [name, statuses] of Object.entries(table)) for (const status of statuses) t.equal(nameForStatus(status), name, String(status))
})

await t.test('retryable is what the specification lists, and nothing else', async (t) => {
  const retryable = Array.from({ length: 600 }, (_, status) => status).filter(isRetryable)
  t.strictSame(retryable, [408, 425, 429, 500, 502, 503, 504])
})

await t.test('an error knows its status, and its number is not zero', async (t) => {
  t.equal(new ServiceError('not_found', 'nothing here').status, 404)
  t.equal(new ServiceError('invalid_request', 'not like this', { status: 405 }).status, 405)
  t.equal(codeOf(404), 40400)
})
