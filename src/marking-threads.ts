import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'

/** V8's own limit. */
const MOST = 7
/** Up to so many, a thread that looks for garbage would take one from the projector or from its database. */
const FEW = 2

/** How V8 is to look for old objects that nobody needs any more, so that one processor is left to everybody else. */
export function markingFlag(processors: number, besideDatabase: boolean): string {
  if (besideDatabase && processors <= FEW) return '--no-concurrent-marking'
  return `--concurrent-marking-max-worker-num=${Math.min(MOST, Math.max(1, processors - 1))}`
}

/**
 * V8 takes as many threads as its pool has, however few processors there are. On two of them, with a database server on the same
 * machine, the projector's rounds during a collection of old objects were the slowest of all: each command to the server waited
 * for its turn. Where there is such a server the projector's own thread does it, in small steps.
 */
export function leaveAProcessor(besideDatabase: boolean): void {
  setFlagsFromString(markingFlag(availableParallelism(), besideDatabase))
}
