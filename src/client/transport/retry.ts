/** When to try again, by the policy that the service publishes. */
import { RETRY_POLICY } from '../../contract/error-table.js'
import { ApiError, ConnectionError } from '../errors.js'

const { backoff } = RETRY_POLICY.transient

export const MAX_ATTEMPTS = backoff.max_attempts

/** A request that got no answer may be repeated as well: everything here only reads, and a new job has a key. */
export const mayRetry = (failure: unknown): failure is ApiError | ConnectionError =>
  failure instanceof ConnectionError || (failure instanceof ApiError && failure.retryable)

export const isServerFailure = (failure: unknown): boolean => failure instanceof ApiError && failure.status >= 500

/** How long to wait after a failed attempt, of which 1 is the first. After a 429: as long as the service says, without jitter. */
export function delayAfter(failure: ApiError | ConnectionError, attempt: number, random: () => number): number {
  const asked = failure instanceof ApiError ? failure.retryAfterMs : null
  if (asked !== null && failure instanceof ApiError && failure.status === 429) return asked
  const jitter = random() * Math.min(backoff.cap_ms, backoff.initial_ms * backoff.multiplier ** (attempt - 1))
  return (asked ?? 0) + jitter
}
