import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'

/** V8's own limit. */
const MOST = 7

/** How many threads may look for garbage at once, so that one processor is left to everybody else. */
export const markingThreads = (processors: number): number => Math.min(MOST, Math.max(1, processors - 1))

/**
 * V8 takes as many threads as its pool has, however few processors there are. On two of them, with the database on the same
 * machine, the projector's rounds during a collection of old objects were the slowest of all.
 */
export function leaveAProcessor(): void {
  setFlagsFromString(`--concurrent-marking-max-worker-num=${markingThreads(availableParallelism())}`)
}
