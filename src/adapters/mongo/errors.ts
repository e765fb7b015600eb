import {
  MongoCompatibilityError,
  MongoError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from 'mongodb'
import { StoreUnavailableError } from '../../ports/document-store.js'

/** The one place where the driver's errors become the port's: those that mean "not now" say so. */
export async function translateErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isUnavailable(error) ? new StoreUnavailableError('MongoDB cannot be reached', { cause: error }) : error
  }
}

/** A snapshot that fell out of the server's memory, or was taken while collections were being made. */
const SNAPSHOT_GONE: readonly unknown[] = [239, 246]

export const isSnapshotGone = (error: unknown): boolean => error instanceof MongoServerError && SNAPSHOT_GONE.includes(error.code)

function isUnavailable(error: unknown): boolean {
  if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError) return true
  if (error instanceof MongoNotConnectedError || error instanceof MongoTopologyClosedError) return true
  // In the moment in which the last server got lost, the driver takes it for one too old to read snapshots from.
  if (error instanceof MongoCompatibilityError) return true
  // A server that left the set while somebody waited for a connection to it, or all connections in use for too long.
  if (error instanceof MongoError && POOL_ERRORS.includes(error.name)) return true
  if (isSocketError(error)) return true
  // Stepping down, shutting down, electing.
  return isSnapshotGone(error) || (error instanceof MongoError && error.hasErrorLabel('RetryableError')) || hasUnavailableCode(error)
}

/** The driver passes on as they are what happens to a connection between writing to it and being told that it has gone. */
const isSocketError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['EPIPE', 'ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT'].includes(String(error.code))

/** The driver does not export them. */
const POOL_ERRORS: readonly string[] = ['MongoPoolClosedError', 'MongoWaitQueueTimeoutError']

/**
 * Codes by which members of a set say that they cannot serve this now: no way to another member (6, 7, 89, 202, 9001), a
 * cursor that went with the member that had it (43), no majority yet (134), stepping down, shutting down, electing.
 */
const UNAVAILABLE_CODES: readonly unknown[] = [6, 7, 43, 89, 91, 134, 189, 202, 262, 9001, 10058, 10107, 11600, 11601, 11602, 13435, 13436]

const hasUnavailableCode = (error: unknown): boolean => error instanceof MongoServerError && UNAVAILABLE_CODES.includes(error.code)
