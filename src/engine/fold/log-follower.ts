import type { Position } from '../../events/index.js'
import { type DecodedRecord, isFull, type Page, RECORDS_PER_READ } from './log-page.js'
import type { LogReader } from './log-reader.js'
import type { LogSection } from './log-section.js'

/** A loop that waits for events runs at least this often, so that its progress is seen. */
const IDLE_MS = 2000

export interface BatchLimits {
  events: number
  /** How long after the previous batch began. */
  ageMs: number
}

/** One that goes through the log, beside others of its process. */
export class LogFollower {
  readonly #reader: LogReader
  #lastBatchAt = performance.now()

  constructor(reader: LogReader) {
    this.#reader = reader
  }

  /** Up to `limit` events after a position. */
  async page(after: Position, limit: number): Promise<Page> {
    const section = this.#reader.enter(this, after)
    let isLast = false
    let events = section.after(after, limit)
    if (events.length === 0) {
      isLast = await section.readOn(limit)
      events = section.after(after, limit)
    }
    return { events, isLast: isLast && (events.at(-1)?.record.position ?? after) === section.end }
  }

  /**
   * Collects a batch. It closes when it is full, or some time after the previous one began; so an event that comes alone does
   * not wait. Empty when the signal aborts, or after a while without events: then the log has been read once, in case a
   * notification was lost.
   */
  async batch(after: Position, limits: BatchLimits, signal: AbortSignal): Promise<DecodedRecord[]> {
    const section = this.#reader.enter(this, after)
    let events = await this.#next(section, after, limits.events, Math.max(0, this.#lastBatchAt + IDLE_MS - performance.now()), signal)
    if (events.length === 0 && signal.aborted) return []
    const until = this.#lastBatchAt + limits.ageMs
    this.#lastBatchAt = performance.now()
    if (events.length === 0) {
      await section.readOn(limits.events)
      return section.after(after, limits.events)
    }
    for (let added = events.length; !isFull(events, limits.events) && !signal.aborted; ) {
      const left = until - performance.now()
      // As many as are read at once: there may be more, which need not be waited for.
      if (left <= 0 && added < RECORDS_PER_READ) break
      const last = events.at(-1)?.record.position ?? after
      const next = await this.#next(section, last, limits.events - events.length, Math.max(left, 0), signal)
      added = next.length
      events = [...events, ...next]
    }
    return events
  }

  /** Nobody waits for this one any more. */
  leave(): void {
    this.#reader.leave(this)
  }

  /** The next events, as soon as there are any; none after `ms`. */
  async #next(section: LogSection, after: Position, limit: number, ms: number, signal: AbortSignal): Promise<DecodedRecord[]> {
    let events = section.after(after, limit)
    if (events.length > 0) return events
    // Not AbortSignal.any with AbortSignal.timeout: Node 20 may collect the timeout before it fires, and the wait never ends.
    const waiting = new AbortController()
    const stop = () => waiting.abort()
    const timer = setTimeout(stop, ms)
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    try {
      // A wait that is shared may end with that of another.
      while (events.length === 0 && section.covers(after) && !waiting.signal.aborted) {
        await section.untilArrival(waiting.signal)
        events = section.after(after, limit)
      }
      return events
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }
}
