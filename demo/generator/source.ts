import type { NewRecord } from '../../src/ports/event-log.js'

/** One of the strands that the log is woven from, in its own order of time. */
export interface TimedEvents {
  /** When its next record happens; Infinity after the last. */
  readonly time: number
  /** Moves on. Nothing, when a plan came to nothing (the person had left). */
  next(): NewRecord | undefined
}
