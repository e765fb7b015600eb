import type { Position } from '../../events/index.js'
import type { DecodedRecord } from './log-reader.js'

/** The newest events, kept for projections that come to them a little later than the first one did. */
const MAX_TAIL_EVENTS = 1024

/** An unbroken stretch at the end of the log, as far as it has been read: decoded once, whoever asks. */
export class TailBuffer {
  #events: DecodedRecord[] = []
  /** Everything behind `#base` up to `#end` is here. */
  #base = Number.POSITIVE_INFINITY
  #end = Number.NEGATIVE_INFINITY

  /** What is here behind a position, up to `limit`; none when that has not been read, or is forgotten. */
  after(position: Position, limit: number): DecodedRecord[] {
    if (position < this.#base || position >= this.#end) return []
    const first = this.#indexAfter(position)
    return this.#events.slice(first, first + limit)
  }

  /** Takes in what was read behind a position. */
  extend(after: Position, events: readonly DecodedRecord[]): void {
    const last = events.at(-1)?.record.position
    if (last === undefined) return
    // Somewhere else in the log: only the stretch that is furthest ahead is worth keeping.
    if (after !== this.#end) {
      if (after < this.#end) return
      this.#events = []
      this.#base = after
    }
    this.#events.push(...events)
    this.#end = last
    const excess = this.#events.length - MAX_TAIL_EVENTS
    // Seldom, and then many at once: moving the rest costs something.
    if (excess < MAX_TAIL_EVENTS / 2) return
    this.#base = this.#events[excess - 1]?.record.position ?? this.#base
    this.#events = this.#events.slice(excess)
  }

  #indexAfter(position: Position): number {
    // Whoever asks is seldom far from the end.
    let index = this.#events.length
    while (index > 0 && (this.#events[index - 1]?.record.position ?? 0) > position) index -= 1
    return index
  }
}
