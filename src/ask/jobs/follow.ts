import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { START } from '../../events/ids.js'
import type { CategoryEvent, EventStore } from '../../ports/event-store.js'
import { JOB_CATEGORY } from './job-events.js'

const RETRY_MS = 1000
/** A day of events may be waiting, and requests with them: after so many, others get their turn. */
const EVENTS_PER_TURN = 64

export interface FollowOptions {
  onChange?: () => void
  onError?: (error: unknown) => void
}

/** Keeps a board up to date until told to stop. A store that goes away for a while is waited for. */
export async function followJobs(
  store: Pick<EventStore, 'subscribe'>,
  board: { apply(event: CategoryEvent): void },
  signal: AbortSignal,
  { onChange, onError }: FollowOptions = {},
): Promise<void> {
  let position = START
  let count = 0
  while (!signal.aborted) {
    try {
      for await (const event of store.subscribe(JOB_CATEGORY, position, signal)) {
        position = event.position
        board.apply(event)
        onChange?.()
        if (++count % EVENTS_PER_TURN === 0) await turn()
      }
    } catch (error) {
      if (!signal.aborted) onError?.(error)
    }
    if (!signal.aborted) await pause(RETRY_MS, undefined, { signal, ref: false }).catch(() => {})
  }
}
