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
export async function available<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isAway(error) ? new StoreUnavailableError('MongoDB cannot be reached', { cause: error }) : error
  }
}

/** A snapshot that fell out of the server's memory, or was taken while collections were being made. */
const SNAPSHOT_GONE: readonly unknown[] = [239, 246]

export const isSnapshotGone = (error: unknown): boolean => error instanceof MongoServerError && SNAPSHOT_GONE.includes(error.code)

function isAway(error: unknown): boolean {
  if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError) return true
  if (error instanceof MongoNotConnectedError || error instanceof MongoTopologyClosedError) return true
  // In the moment in which the last server got lost, the driver takes it for one too old to read snapshots from.
  if (error instanceof MongoCompatibilityError) return true
  // Stepping down, shutting down, electing.
  return isSnapshotGone(error) || (error instanceof MongoError && error.hasErrorLabel('RetryableError')) || isNotPrimary(error)
}

/** Codes by which members of a set say that they cannot serve this now. */
const NOT_NOW: readonly unknown[] = [89, 91, 189, 262, 9001, 10058, 10107, 11600, 11602, 13435, 13436]

const isNotPrimary = (error: unknown): boolean => error instanceof MongoServerError && NOT_NOW.includes(error.code)
