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
} as const

export const RETRYABLE_STATUSES: readonly number[] = [...RETRY_POLICY.rate_limited.statuses, ...RETRY_POLICY.transient.statuses]
