import type { z } from 'zod'
import { clip } from '../lib/message-text.js'
import { ModelUnavailableError, StoreUnavailableError } from '../ports/document-store.js'
import { LogUnavailableError } from '../ports/event-log.js'
import { EventStoreUnavailableError } from '../ports/event-store.js'
import type { AuthErrorCode } from './agent-auth-errors.js'
import { type ErrorName, statusOf } from './error-table.js'

export * from './error-table.js'

export interface Detail {
  path: string
  message: string
}

export interface ServiceErrorOptions {
  status?: number
  details?: Detail[]
  retryAfterS?: number
  /** The agent auth endpoints have their own error names. */
  authError?: AuthErrorCode
  cause?: unknown
}

/** An error with a name from the table. Thrown where the cause is known; the surface turns it into an answer. */
export class ServiceError extends Error {
  override name = 'ServiceError'
  readonly status: number

  constructor(
    readonly error: ErrorName,
    message: string,
    readonly options: ServiceErrorOptions = {},
  ) {
    super(clip(message, MAX_MESSAGE), { cause: options.cause })
    this.status = options.status ?? statusOf(error)
  }
}

/** The request was refused before any work. Counted, but not logged as a failure: there may be thousands. */
export class OverloadedError extends ServiceError {
  override name = 'OverloadedError'

  constructor(message = 'There is too much to do right now: try again in a moment.') {
    super('upstream_unavailable', message, { retryAfterS: 1 })
  }
}

export const notFound = (what: string): ServiceError => new ServiceError('not_found', what)

export const invalid = (path: string, message: string): ServiceError => errorWithDetails('validation_failed', [{ path, message }])

/** An answer to a bad request is always short: some messages repeat a part of it. */
const MAX_MESSAGE = 1000
const MAX_DETAILS = 3
const MAX_PATH = 60
const MAX_DETAIL = 250

export function errorWithDetails(name: ErrorName, all: readonly Detail[]): ServiceError {
  const details = all.slice(0, MAX_DETAILS).map(({ path, message }) => ({ path: clip(path, MAX_PATH), message: clip(message, MAX_DETAIL) }))
  return new ServiceError(name, details.map(({ path, message }) => `${path}: ${message}`).join('; '), { details })
}

/** Any schema's issue, also of those that other packages have made. */
type Issue = Pick<z.core.$ZodIssue, 'path' | 'message'>

/** What a schema says about wrong input: its first issues. `body`: the input as a whole. */
export const schemaError = (name: ErrorName, issues: readonly Issue[]): ServiceError =>
  errorWithDetails(
    name,
    issues.map(({ path, message }) => ({ path: path.join('.') || 'body', message })),
  )

/** The one mapping from a thrown error to what is answered; metrics use the same names. */
export function classifyError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof ModelUnavailableError) return unavailable(`Not ready yet: ${error.message}.`)
  if (error instanceof StoreUnavailableError) return unavailable('The read models cannot be reached at the moment.')
  // With JetStream, ask jobs are stored beside the log, so both errors mean the same.
  if (error instanceof EventStoreUnavailableError || error instanceof LogUnavailableError)
    return unavailable('Ask jobs cannot be reached at the moment.')
  return new ServiceError('internal_error', 'Something went wrong here. The request id helps us to find it.')
}

const unavailable = (message: string): ServiceError => new ServiceError('upstream_unavailable', message, { retryAfterS: 2 })
