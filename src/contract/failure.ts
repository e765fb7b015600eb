import { ModelUnavailableError, StoreUnavailableError } from '../ports/document-store.js'
import { LogUnavailableError } from '../ports/event-log.js'
import { EventStoreUnavailableError } from '../ports/event-store.js'
import { ServiceError } from './errors.js'

/** What an error is answered as, whoever answers; those who only count it have to call it the same. */
export function classifyError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof ModelUnavailableError) {
    return new ServiceError('upstream_unavailable', `Not ready yet: ${error.message}.`, { retryAfterS: 2 })
  }
  if (error instanceof StoreUnavailableError) {
    return new ServiceError('upstream_unavailable', 'The read models cannot be reached at the moment.', { retryAfterS: 2 })
  }
  // In JetStream ask jobs live beside the log.
  if (error instanceof EventStoreUnavailableError || error instanceof LogUnavailableError) {
    return new ServiceError('upstream_unavailable', 'Ask jobs cannot be reached at the moment.', { retryAfterS: 2 })
  }
  return new ServiceError('internal_error', 'Something went wrong here. The request id helps us to find it.')
}
