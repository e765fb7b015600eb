import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'

/** V8's own limit. */
const MAX_MARKING_THREADS = 7
/** Up to so many, a thread that collects garbage would take one from the projector or from its database. */
const FEW_PROCESSORS = 2

/** How V8 is to collect garbage, so that one processor is left to everybody else. */
export function gcFlags(processors: number, besideDatabase: boolean): string[] {
  const marking =
    besideDatabase && processors <= FEW_PROCESSORS
      ? '--no-concurrent-marking'
      : `--concurrent-marking-max-worker-num=${Math.min(MAX_MARKING_THREADS, Math.max(1, processors - 1))}`
  return processors <= FEW_PROCESSORS ? [marking, '--no-parallel-scavenge'] : [marking]
}

/**
 * V8 takes as many threads as its pool has, however few processors there are. On two of them:
 *
 * - With a database server on the same machine, the projector's rounds during a collection of old objects were the slowest of
 *   all: each command to the server waited for its turn. Where there is such a server the projector's own thread does it, in
 *   small steps.
 * - A collection of young objects stands still until the last of its threads is done. Where others want the processors, too,
 *   that is when they let go of one: a pause of a millisecond became seventy. One thread has nobody to wait for.
 */
export function limitGcThreads(besideDatabase: boolean): void {
  for (const flag of gcFlags(availableParallelism(), besideDatabase)) setFlagsFromString(flag)
}

/**
 * For a process that works in the background and serves nobody: on few processors V8 gets no threads but its own. Readers
 * waited for them, not for the work itself, also where their priority was low, because a processor changes hands only every few
 * milliseconds: with them the slowest of a hundred requests took twice as long as without.
 */
export const backgroundProcessFlags = (processors: number): string[] => (processors <= FEW_PROCESSORS ? ['--single-threaded'] : [])
