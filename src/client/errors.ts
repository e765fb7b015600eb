import { codeOf, ERROR_NAMES, type ErrorName, isRetryable, nameForStatus } from '../contract/error-table.js'
import type { ErrorEnvelope, ServiceStatus } from './api.js'
import { isObject } from './transport/json.js'
import { wholeNumber } from './transport/response-info.js'

export type { ErrorName }

interface ApiErrorFields {
  status: number
  code: number
  error: ErrorName
  message: string
  requestId: string | null
  details?: NonNullable<ErrorEnvelope['details']>
  retryAfterMs?: number | null
}

/** The service, or something before it, answered with an error. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status. */
  readonly status: number
  readonly code: number
  /** What went wrong, for programs: `not_found`, `rate_limited`, … */
  readonly error: ErrorName
  /** Names the request in the logs of the service. */
  readonly requestId: string | null
  /** Which arguments are wrong, and why. */
  readonly details: NonNullable<ErrorEnvelope['details']>
  /** How long the service asks to wait before the next attempt. */
  readonly retryAfterMs: number | null
  /** What the service said of itself after repeated failures. */
  service: ServiceStatus | null = null

  constructor({ status, code, error, message, requestId, details = [], retryAfterMs = null }: ApiErrorFields) {
    super(message)
    this.status = status
    this.code = code
    this.error = error
    this.requestId = requestId
    this.details = details
    this.retryAfterMs = retryAfterMs
  }

  /** Whether the same request may succeed later. */
  get retryable(): boolean {
    return isRetryable(this.status)
  }
}

/** No answer, or only a part of one: no connection, a timeout, a stream that ended too early, a job that is not done in time. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

/** Not what the service sends: a page of a proxy, a redirect, no JSON, or too much of it. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError'

  constructor(
    message: string,
    /** The HTTP status. */
    readonly status: number,
  ) {
    super(message)
  }
}

/** The error of a response. `body` is null if it could not be read. */
export function apiErrorOf(response: Response, body: unknown): ApiError {
  const { status, statusText, headers } = response
  const requestId = headers.get('x-request-id')
  const retryAfterMs = retryAfter(response)
  const error = apiErrorIn(body, { status, requestId, retryAfterMs })
  if (error !== null) return error
  const type = headers.get('content-type') ?? 'no content type'
  const message = `${status}${statusText === '' ? '' : ` ${statusText}`}, without an error envelope (${type})`
  return new ApiError({ status, code: codeOf(status), error: nameForStatus(status), message, requestId, retryAfterMs })
}

/** The error of an error envelope; null if the value is none. */
export function apiErrorIn(value: unknown, known: Partial<ApiErrorFields> = {}): ApiError | null {
  if (!isObject(value) || typeof value.code !== 'number' || value.code === 0 || typeof value.message !== 'string') return null
  const status = known.status ?? Math.floor(value.code / 100)
  return new ApiError({
    status,
    code: value.code,
    // The API is additive: a name from a later version stands for its status.
    error: ERROR_NAMES.find((name) => name === value.error) ?? nameForStatus(status),
    message: value.message,
    requestId: typeof value.request_id === 'string' ? value.request_id : (known.requestId ?? null),
    details: detailsIn(value.details),
    retryAfterMs: known.retryAfterMs ?? null,
  })
}

function detailsIn(value: unknown): NonNullable<ErrorEnvelope['details']> {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: unknown) =>
    isObject(entry) && typeof entry.path === 'string' && typeof entry.message === 'string'
      ? [{ path: entry.path, message: entry.message }]
      : [],
  )
}

/** RateLimit-Reset counts after a 429 only: every other answer has it, too. */
function retryAfter({ status, headers }: Response): number | null {
  const told = headers.get('retry-after')
  const seconds = wholeNumber(headers, 'retry-after') ?? (told === null && status === 429 ? wholeNumber(headers, 'ratelimit-reset') : null)
  if (seconds !== null) return seconds * 1000
  // `Date.parse` alone would take -5 for a year.
  const date = /^[A-Z][a-z]{2}, \d/.test(told ?? '') ? Date.parse(told ?? '') : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now())
}
