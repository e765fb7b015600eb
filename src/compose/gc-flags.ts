import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'

/** V8's own limit. */
const MAX_MARKING_THREADS = 7
/** With this many or fewer, a garbage collector thread takes a processor from the projector or its database. */
const FEW_PROCESSORS = 2

/** Flags for V8's garbage collector that leave one processor to everything else. */
export function gcFlags(processors: number, besideDatabase: boolean): string[] {
  const marking =
    besideDatabase && processors <= FEW_PROCESSORS
      ? '--no-concurrent-marking'
      : `--concurrent-marking-max-worker-num=${Math.min(MAX_MARKING_THREADS, Math.max(1, processors - 1))}`
  return processors <= FEW_PROCESSORS ? [marking, '--no-parallel-scavenge'] : [marking]
}

/**
 * V8 uses all threads of its pool, however few processors there are. With two processors:
 *
 * - With a database server on the same machine, the projector's slowest batches were those during a collection of old
 *   objects: each command to the server waited for a processor. With such a server the projector's own thread collects, in
 *   small steps.
 * - A collection of young objects pauses until its last thread is done. If other work keeps that thread waiting for a
 *   processor, a pause of one millisecond becomes seventy. A single thread waits for none.
 */
export function limitGcThreads(besideDatabase: boolean): void {
  for (const flag of gcFlags(availableParallelism(), besideDatabase)) setFlagsFromString(flag)
}

/**
 * For a background process that serves no reader: with few processors V8 gets no helper threads. Readers waited for those,
 * not for the work itself, even at low priority, because a processor switches threads only every few milliseconds: with
 * them the slowest of a hundred requests took twice as long.
 */
export const backgroundProcessFlags = (processors: number): string[] => (processors <= FEW_PROCESSORS ? ['--single-threaded'] : [])
