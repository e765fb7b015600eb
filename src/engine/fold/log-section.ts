import type { Position } from '../../events/index.js'
import { type DecodedRecord, isFull, lengthOf, MAX_PAGE_LENGTH } from './log-page.js'

/** Where the events come from. Both read after a position. */
export interface LogSource {
  /** Up to `limit`; fewer at the end of the log, or if they are large. */
  read(after: Position, limit: number): Promise<DecodedRecord[]>
  /** As soon as there are any; none when the signal aborts. */
  next(after: Position, signal: AbortSignal): Promise<DecodedRecord[]>
}

/** Where somebody stands that reads a section, and since when. */
interface Place {
  position: Position
  since: number
}

interface Wait {
  wakes: Set<(error?: unknown) => void>
  stop: AbortController
}

/** Nobody gets further ahead of the slowest than this, in events and in characters. */
const MAX_EVENTS = 10_000
const MAX_LENGTH = 2 * MAX_PAGE_LENGTH
/** So many are kept even if all have read them, for projections that begin a little later. */
const KEPT_EVENTS = 5000
/** Dropping a few at a time is expensive. */
const LEAST_DROPPED = 1000

/**
 * A part of the log without gaps, read and decoded once for all projections that are there. Those ahead wait for those behind,
 * until they have paused for too long.
 */
export class LogSection {
  readonly #source: LogSource
  readonly #maxPauseMs: number
  readonly #places = new Map<object, Place>()
  #events: DecodedRecord[] = []
  #length = 0
  /** Holds the range (base, end]. */
  #base: Position
  #end: Position
  #reading: Promise<boolean> | null = null
  #wait: Wait | null = null
  #whenMoved: (() => void)[] = []

  constructor(source: LogSource, after: Position, maxPauseMs: number) {
    this.#source = source
    this.#maxPauseMs = maxPauseMs
    this.#base = after
    this.#end = after
  }

  get end(): Position {
    return this.#end
  }

  get isEmpty(): boolean {
    return this.#places.size === 0
  }

  covers(position: Position): boolean {
    return this.#base <= position && position <= this.#end
  }

  enter(follower: object, position: Position): void {
    this.#places.set(follower, { position, since: performance.now() })
    this.#moved()
  }

  leave(follower: object): void {
    this.#places.delete(follower)
    this.#moved()
  }

  /** Up to `limit` of the events that are held; none where those after the position have been dropped. */
  after(position: Position, limit: number): DecodedRecord[] {
    if (position < this.#base) return []
    const first = this.#firstAfter(position)
    const found = this.#events.slice(first, first + limit)
    if (this.#length < MAX_PAGE_LENGTH) return found
    let length = 0
    const cut = found.findIndex(({ record }) => {
      length += record.payload.length
      return length >= MAX_PAGE_LENGTH
    })
    return cut === -1 ? found : found.slice(0, cut + 1)
  }

  /** Reads on; `true` where the log ends. Those who want the same share it. */
  readOn(limit: number): Promise<boolean> {
    this.#reading ??= this.#readOn(limit).finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  /** Waits for the next events, or until the signal aborts. All who wait share a request, which ends with the last of them. */
  untilArrival(signal: AbortSignal): Promise<void> {
    this.#wait ??= this.#beginWait()
    const { wakes, stop } = this.#wait
    return new Promise((resolve, reject) => {
      // Not a race with a promise of the request: that would keep every wait until events come.
      const end = (error?: unknown) => {
        signal.removeEventListener('abort', give)
        wakes.delete(end)
        if (wakes.size === 0) stop.abort()
        if (error === undefined) resolve()
        else reject(error)
      }
      const give = () => end()
      wakes.add(end)
      signal.addEventListener('abort', give)
      if (signal.aborted) end()
    })
  }

  /** The log has been replaced: nobody waits for those who were here. */
  close(): void {
    this.#places.clear()
    this.#moved()
  }

  async #readOn(limit: number): Promise<boolean> {
    await this.#makeRoom()
    const events = await this.#source.read(this.#end, limit)
    this.#extend(events)
    return !isFull(events, limit)
  }

  #beginWait(): Wait {
    const wait: Wait = { stop: new AbortController(), wakes: new Set() }
    const ended = (error?: unknown) => {
      this.#wait = null
      for (const wake of [...wait.wakes]) wake(error)
    }
    this.#makeRoom()
      .then(() => this.#source.next(this.#end, wait.stop.signal))
      .then((events) => this.#extend(events))
      .then(() => ended(), ended)
    return wait
  }

  /** Of what was read after a position that was the end, some may have come by the other way. */
  #extend(read: readonly DecodedRecord[]): void {
    const events = read.filter(({ record }) => record.position > this.#end)
    this.#events.push(...events)
    this.#length += lengthOf(events)
    this.#end = events.at(-1)?.record.position ?? this.#end
  }

  async #makeRoom(): Promise<void> {
    for (;;) {
      this.#dropRead()
      if (this.#events.length < MAX_EVENTS && this.#length < MAX_LENGTH) return
      const [slowest] = [...this.#places].sort(([, a], [, b]) => a.position - b.position)
      if (slowest === undefined) return
      const [follower, { since }] = slowest
      const left = since + this.#maxPauseMs - performance.now()
      if (left <= 0) this.#places.delete(follower)
      else await this.#untilMoved(left)
    }
  }

  #dropRead(): void {
    const isLong = this.#length >= MAX_LENGTH
    const most = this.#events.length - (isLong ? 0 : KEPT_EVENTS)
    if (most < (isLong ? 1 : LEAST_DROPPED)) return
    const least = Math.min(this.#end, ...[...this.#places.values()].map(({ position }) => position)) as Position
    const dropped = Math.min(most, this.#firstAfter(least))
    if (dropped === 0) return
    this.#length -= lengthOf(this.#events.slice(0, dropped))
    this.#base = this.#events[dropped - 1]?.record.position ?? this.#base
    this.#events = this.#events.slice(dropped)
  }

  /** The index of the first event after a position. */
  #firstAfter(position: Position): number {
    let [from, to] = [0, this.#events.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if ((this.#events[middle]?.record.position ?? 0) <= position) from = middle + 1
      else to = middle
    }
    return from
  }

  #untilMoved(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#whenMoved.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  #moved(): void {
    for (const wake of this.#whenMoved.splice(0)) wake()
  }
}
