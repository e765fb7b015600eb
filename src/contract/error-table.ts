/** The names of errors and when to retry. It imports nothing, because the client uses it in browsers, too. */

/** Every error that any surface answers with: its name and HTTP status. */
const TABLE = {
  invalid_request: { status: 400, summary: 'The request cannot be understood' },
  unauthorized: { status: 401, summary: 'Reserved for the mobile app' },
  forbidden: { status: 403, summary: 'The app session may not do this' },
  not_found: { status: 404, summary: 'Unknown path, handle or app' },
  conflict: { status: 409, summary: 'The request conflicts with another one' },
  validation_failed: { status: 422, summary: 'A parameter breaks its rule' },
  rate_limited: { status: 429, summary: 'Too many requests: wait for Retry-After' },
  internal_error: { status: 500, summary: 'Something went wrong here' },
  upstream_unavailable: { status: 503, summary: 'The read models cannot be reached: try again' },
  timeout: { status: 504, summary: 'It took too long: try again' },
} as const

/** When and how to retry. Error envelopes, the status document and the documentation use this table. */
export const RETRY_POLICY = {
  /** Wait for the seconds in these headers. */
  rate_limited: { statuses: [429], wait_for: ['Retry-After', 'RateLimit-Reset'] },
  transient: {
    statuses: [408, 425, 500, 502, 503, 504],
    backoff: { strategy: 'exponential', jitter: 'full', initial_ms: 500, multiplier: 2, cap_ms: 8000, max_attempts: 4 },
  },
  /** Change the request first. */
  not_retryable: { statuses: [400, 401, 403, 404, 409, 422] },
}

export const RETRYABLE_STATUSES: readonly number[] = [...RETRY_POLICY.rate_limited.statuses, ...RETRY_POLICY.transient.statuses]

export type ErrorName = keyof typeof TABLE
export const ERROR_NAMES = Object.keys(TABLE) as [ErrorName, ...ErrorName[]]

export const statusOf = (name: ErrorName): number => TABLE[name].status

export const summaryOf = (name: ErrorName): string => TABLE[name].summary

export const isRetryable = (status: number): boolean => RETRYABLE_STATUSES.includes(status)

/** The HTTP status times one hundred; the last two digits are free for sub-codes. */
export const codeOf = (status: number): number => status * 100

/** The error name for a status that the framework chose. */
export function nameForStatus(status: number): ErrorName {
  if (status === 502) return 'upstream_unavailable'
  if (status === 408) return 'timeout'
  const named = ERROR_NAMES.find((name) => TABLE[name].status === status)
  return named ?? (status < 500 ? 'invalid_request' : 'internal_error')
}
