import { setTimeout as delay } from 'node:timers/promises'
import {
  BACKWARDS,
  CancelledError,
  END,
  type EventStoreDBClient,
  NotLeaderError,
  type ReadableSubscription,
  type ReadStreamOptions,
  type RecordedEvent,
  type StreamingRead,
  StreamNotFoundError,
  TimeoutError,
  UnavailableError,
  UnknownError,
} from '@eventstore/db-client'
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

/**
 * The events of a read or a subscription, until the signal aborts; then it throws. Ends the call in any case. The client
 * has no deadline for either: a read gets the one of {@link withRetry}, a subscription must be confirmed in time.
 */
export async function* eventsOfCall<E>(
  call: StreamingRead<E> | ReadableSubscription<E>,
  end: AbortSignal,
  onConfirmed?: () => void,
): AsyncGenerator<E, void, void> {
  // The client also emits errors of a call that was left; one without a listener would end the process.
  call.on('error', () => {})
  const silence = setTimeout(() => call.destroy(unavailable(`no answer within ${DEADLINE_MS} ms`)), DEADLINE_MS)
  call.on('confirmation', () => {
    clearTimeout(silence)
    onConfirmed?.()
  })
  const leave = () => call.destroy()
  end.addEventListener('abort', leave)
  if (end.aborted) leave()
  try {
    yield* call as AsyncIterable<E>
  } finally {
    clearTimeout(silence)
    end.removeEventListener('abort', leave)
    // Not awaited: it waits for a connection, which may never come.
    void ('cancel' in call ? call.cancel() : call.unsubscribe()).catch(() => {})
  }
}

/** The events of a small stream; none if there is no such stream. */
export function readStream(client: EventStoreDBClient, stream: string, options: ReadStreamOptions): Promise<RecordedEvent[]> {
  return withRetry(async (late) => {
    const events: RecordedEvent[] = []
    try {
      for await (const { event } of eventsOfCall(client.readStream(stream, { ...AT_LEADER, ...options }), late)) {
        if (event !== undefined) events.push(event)
      }
    } catch (error) {
      if (!(error instanceof StreamNotFoundError)) throw error
    }
    return events
  })
}

/** The last first. */
export const newest = (maxCount: number): ReadStreamOptions => ({ direction: BACKWARDS, fromRevision: END, maxCount })
