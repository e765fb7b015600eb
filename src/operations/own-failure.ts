/** What own code throws may be anything: reading it may throw as well, and it may be larger than a log can take. */
import { inspect, types } from 'node:util'
import { classifyError, ServiceError } from '../contract/errors.js'
import { clip } from '../lib/message-text.js'

const MAX_MESSAGE = 1000
const MAX_STACK = 4000
const MAX_CAUSES = 3

/** As a custom read may fail: with an error from the table, for want of a store, or with a 500 that names it. */
export function ownFailure(name: string, thrown: unknown): unknown {
  if (isOurs(thrown)) return thrown
  return new ServiceError('internal_error', `${name} failed. The request id helps us to find out why.`, { cause: shortError(thrown) })
}

function isOurs(thrown: unknown): boolean {
  try {
    return !types.isProxy(thrown) && (thrown instanceof ServiceError || classifyError(thrown).error !== 'internal_error')
  } catch {
    return false
  }
}

/** A plain copy that is fit for the log. */
export function shortError(thrown: unknown, causes = MAX_CAUSES): Error {
  try {
    if (!(thrown instanceof Error)) return new Error(clip(inspect(thrown, { depth: 1, maxStringLength: MAX_MESSAGE }), MAX_MESSAGE))
    const { message, stack, cause } = thrown
    const next = cause === undefined || causes === 0 ? {} : { cause: shortError(cause, causes - 1) }
    return Object.assign(new Error(clip(String(message), MAX_MESSAGE), next), { stack: clip(String(stack), MAX_STACK) })
  } catch {
    return new Error('what was thrown cannot be read')
  }
}
