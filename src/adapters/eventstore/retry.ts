import { setTimeout as delay } from 'node:timers/promises'
import { CancelledError, NotLeaderError, TimeoutError, UnavailableError, UnknownError } from '@eventstore/db-client'
import { withTimeout } from '../../lib/backoff-and-timeout.js'
import { EventStoreUnavailableError } from '../../ports/event-store.js'

/** An operation that has no answer by then has failed. */
export const DEADLINE_MS = 5000
const ATTEMPTS = 5

/** For every call. A follower may not have what another process has appended; asked for the leader, it names it. */
export const AT_LEADER = { requiresLeader: true, deadline: DEADLINE_MS }

/**
 * Repeats a call a few times after a lost connection or a change of leader, then throws. Every call of this adapter can be
 * repeated: reads change nothing, and an append that succeeded is recognised by its event ids. The signal aborts at the deadline.
 */
export async function withRetry<T>(call: (late: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController()
  try {
    return await withTimeout(DEADLINE_MS, repeat(call, late.signal), () => unavailable(`no answer within ${DEADLINE_MS} ms`))
  } finally {
    late.abort()
  }
}

async function repeat<T>(call: (late: AbortSignal) => Promise<T>, late: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call(late)
    } catch (error) {
      if (late.aborted || !isTransient(error)) throw error
      if (attempt === ATTEMPTS) throw unavailable('it cannot be reached', error)
      await delay(25 * 2 ** attempt)
    }
  }
}

export const unavailable = (why: string, cause?: unknown): EventStoreUnavailableError =>
  new EventStoreUnavailableError(`EventStoreDB: ${why}`, { cause })

const isTransient = (error: unknown): boolean =>
  error instanceof UnavailableError ||
  error instanceof CancelledError ||
  error instanceof NotLeaderError ||
  error instanceof TimeoutError ||
  // So the server answers while it elects a leader.
  error instanceof UnknownError
