import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { START } from '../../events/ids.js'
import type { CategoryEvent, EventStore } from '../../ports/event-store.js'
import { JOBS } from './job-events.js'

const PAUSE_MS = 1000
/** A day of events may be waiting, and requests with them: after so many, others get their turn. */
const TURN = 64

export interface FollowOptions {
  changed?: () => void
  troubled?: (error: unknown) => void
}

/** Keeps a board up to date until told to stop. A store that goes away for a while is waited for. */
export async function follow(
  store: Pick<EventStore, 'subscribe'>,
  board: { apply(event: CategoryEvent): void },
  signal: AbortSignal,
  { changed, troubled }: FollowOptions = {},
): Promise<void> {
  let position = START
  let count = 0
  while (!signal.aborted) {
    try {
      for await (const event of store.subscribe(JOBS, position, signal)) {
        position = event.position
        board.apply(event)
        changed?.()
        if (++count % TURN === 0) await turn()
      }
    } catch (error) {
      if (!signal.aborted) troubled?.(error)
    }
    if (!signal.aborted) await pause(PAUSE_MS, undefined, { signal, ref: false }).catch(() => {})
  }
}
