import t from 'tap'
import { isRetryable, nameForStatus } from '../../src/contract/errors.js'

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
