import type { ReadableSubscription, StreamingRead } from '@eventstore/db-client'
import { DEADLINE_MS, unavailable } from './retry.js'

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
