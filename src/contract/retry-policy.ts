/** When to try again and how: the one table behind the flag in errors, the status document and what is written about it. */
export const RETRY_POLICY = {
  /** Wait for what these headers say, in seconds. */
  rate_limited: { statuses: [429], wait_for: ['Retry-After', 'RateLimit-Reset'] },
  transient: {
    statuses: [408, 425, 500, 502, 503, 504],
    backoff: { strategy: 'exponential', jitter: 'full', initial_ms: 500, multiplier: 2, cap_ms: 8000, max_attempts: 4 },
  },
  /** Only with a request that has been changed. */
  not_retryable: { statuses: [400, 401, 403, 404, 409, 422] },
} as const

export const RETRYABLE_STATUSES: readonly number[] = [...RETRY_POLICY.rate_limited.statuses, ...RETRY_POLICY.transient.statuses]
