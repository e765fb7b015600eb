import { setTimeout as delay } from 'node:timers/promises'
import { CancelledError, NotLeaderError, TimeoutError, UnavailableError } from '@eventstore/db-client'
import { EventStoreUnavailableError } from '../../ports/event-store.js'

export const MAX_PAUSE_MS = 2000
const ATTEMPTS = 5

/**
 * Repeats a call a few times after a lost connection or a change of leader, then throws. Every call of this adapter can be
 * repeated: reads change nothing, and an append that succeeded is recognised by its event ids.
 */
export async function withRetry<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (!isTransient(error)) throw error
      if (attempt === ATTEMPTS) throw new EventStoreUnavailableError('EventStoreDB cannot be reached', { cause: error })
      await delay(25 * 2 ** attempt)
    }
  }
}

const isTransient = (error: unknown): boolean =>
  error instanceof UnavailableError ||
  error instanceof CancelledError ||
  error instanceof NotLeaderError ||
  error instanceof TimeoutError ||
  // Appends fail like this when another client of this process is closed.
  (error instanceof Error && 'code' in error && error.code === CANCELLED)

const CANCELLED = 1
