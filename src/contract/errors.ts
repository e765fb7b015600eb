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
    super(message, { cause: options.cause })
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

export const errorWithDetails = (name: ErrorName, details: Detail[]): ServiceError =>
  new ServiceError(name, details.map(({ path, message }) => `${path}: ${message}`).join('; '), { details })

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
