import { setTimeout as pause } from 'node:timers/promises'
import { START } from '../../events/ids.js'
import type { EventStore } from '../../ports/event-store.js'
import type { JobBoard } from './board.js'
import { JOBS } from './job.js'

const PAUSE_MS = 1000

export interface FollowOptions {
  changed?: () => void
  troubled?: (error: unknown) => void
}

/** Keeps a board up to date until told to stop. A store that goes away for a while is waited for. */
export async function follow(
  store: EventStore,
  board: JobBoard,
  signal: AbortSignal,
  { changed, troubled }: FollowOptions = {},
): Promise<void> {
  let position = START
  while (!signal.aborted) {
    try {
      for await (const event of store.subscribe(JOBS, position, signal)) {
        position = event.position
        board.apply(event)
        changed?.()
      }
    } catch (error) {
      if (!signal.aborted) troubled?.(error)
    }
    if (!signal.aborted) await pause(PAUSE_MS, undefined, { signal, ref: false }).catch(() => {})
  }
}
