import {
  MongoCompatibilityError,
  MongoError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from 'mongodb'
import { withTimeout } from '../../lib/backoff-and-timeout.js'
import { StoreUnavailableError } from '../../ports/document-store.js'

/** Turns errors of the driver that mean "not now" into the port's error. */
export function translateErrors<T>(call: () => T): T {
  const result = call()
  if (!(result instanceof Promise)) return result
  // The same promise but for its errors.
  return result.catch((error) => {
    throw isUnavailable(error) ? new StoreUnavailableError('MongoDB cannot be reached', { cause: error }) : error
  }) as T
}

/** Longer than the driver takes to find a new primary and to send a command once more. */
const ANSWER_MS = 30_000

/**
 * Gives up a call that is not answered. The driver waits for ever for a command that it wrote to a socket while that was
 * being closed: a writer would stand still, with its lease renewed.
 */
export const answered = <T>(call: Promise<T>, ms = ANSWER_MS): Promise<T> =>
  withTimeout(ms, call, () => new StoreUnavailableError(`MongoDB has not answered for ${ms / 1000} s`))

/** The server no longer holds the snapshot, or collections were being created while it was taken. */
const SNAPSHOT_GONE: readonly unknown[] = [239, 246]

export const isSnapshotGone = (error: unknown): boolean => error instanceof MongoServerError && SNAPSHOT_GONE.includes(error.code)

/** A query names an index that is not there: it was declared after the documents were written. */
export const isIndexMissing = (error: unknown): boolean => error instanceof MongoServerError && error.message.includes(NO_SUCH_HINT)

const NO_SUCH_HINT = 'hint provided does not correspond to an existing index'

function isUnavailable(error: unknown): boolean {
  if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError) return true
  if (error instanceof MongoNotConnectedError || error instanceof MongoTopologyClosedError) return true
  // When the last server has just been lost, the driver reports it as too old for snapshots.
  if (error instanceof MongoCompatibilityError) return true
  // The server left the set while a connection to it was awaited, or all connections were busy for too long.
  if (error instanceof MongoError && POOL_ERRORS.includes(error.name)) return true
  if (isSocketError(error)) return true
  // Stepping down, shutting down, electing.
  return isSnapshotGone(error) || (error instanceof MongoError && error.hasErrorLabel('RetryableError')) || hasUnavailableCode(error)
}

/** The driver passes on raw socket errors of a connection that breaks during a write. */
const isSocketError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['EPIPE', 'ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT'].includes(String(error.code))

/** By name, because the driver does not export the classes. */
const POOL_ERRORS: readonly string[] = ['MongoPoolClosedError', 'MongoWaitQueueTimeoutError']

/**
 * Codes of members that cannot serve a request now: another member is unreachable (6, 7, 89, 202, 9001), the member with
 * the cursor is gone (43), no majority yet (134), stepping down, shutting down, electing.
 */
const UNAVAILABLE_CODES: readonly unknown[] = [6, 7, 43, 89, 91, 134, 189, 202, 262, 9001, 10058, 10107, 11600, 11601, 11602, 13435, 13436]

const hasUnavailableCode = (error: unknown): boolean => error instanceof MongoServerError && UNAVAILABLE_CODES.includes(error.code)
