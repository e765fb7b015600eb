import { type Decoded, decode, type EventTypes, type Position } from '../../events/index.js'
import { type EventLog, type LogRecord, LogReplacedError } from '../../ports/event-log.js'

export interface DecodedRecord {
  record: LogRecord
  decoded: Decoded
}

export interface Page {
  events: readonly DecodedRecord[]
  /** Nothing followed these events in the log when they were read. */
  isLast: boolean
}

/** A loop that waits for events runs at least this often, so that its progress is seen. */
const IDLE_MS = 2000

/** When a loop last got a batch. Kept across interruptions, which must not restart the wait. */
export interface BatchClock {
  lastBatchAt: number
}

/** Pages kept for projections that are a little behind the first one. */
const KEPT_PAGES = 3

/** A page ends with the event that brings it to this many characters. Usual events are a thousand times smaller. */
const MAX_PAGE_LENGTH = 8_000_000
/** So few at a time that no read gets much longer than a page may be. */
const RECORDS_PER_READ = 25

/** Up to `limit` records after a position; fewer at the end of the log, or if they are large. */
export async function readRecords(log: EventLog, after: Position, limit: number): Promise<LogRecord[]> {
  const records: LogRecord[] = []
  for (let length = 0; records.length < limit && length < MAX_PAGE_LENGTH; ) {
    const wanted = Math.min(limit - records.length, RECORDS_PER_READ)
    const read = await log.read(records.at(-1)?.position ?? after, wanted)
    for (const record of read) {
      records.push(record)
      length += record.payload.length
    }
    if (read.length < wanted) break
  }
  return records
}

const isFull = (events: readonly DecodedRecord[], limit: number): boolean => events.length >= limit || lengthOf(events) >= MAX_PAGE_LENGTH

const lengthOf = (events: readonly DecodedRecord[]): number => events.reduce((sum, { record }) => sum + record.payload.length, 0)

/** Reads and decodes the log once for all projections of a process: they ask for the same pages and the same new events. */
export class LogReader {
  readonly #log: EventLog
  readonly #decode: (record: LogRecord) => DecodedRecord
  readonly #pages = new Map<string, Promise<DecodedRecord[]>>()
  #tail = new TailBuffer()
  /** Grows when the log was found to be another one. Until its checkpoint is compared again, a projection must fold nothing. */
  era = 0
  #answeredAt = Date.now()

  constructor(log: EventLog, types: EventTypes) {
    this.#log = log
    this.#decode = (record) => ({ record, decoded: decode(record, types) })
  }

  /** When the log answered last, or the reader was made. */
  get answeredAt(): number {
    return this.#answeredAt
  }

  /** Up to `limit` events after a position; fewer at the end of the log, or if they are large. */
  readPage(after: Position, limit: number): Promise<DecodedRecord[]> {
    const key = `${after}+${limit}`
    const kept = this.#pages.get(key)
    if (kept !== undefined) return kept
    const readPage = readRecords(this.#log, after, limit).then((records) => {
      this.#answeredAt = Date.now()
      return records.map(this.#decode)
    })
    this.#pages.set(key, readPage)
    const [oldest] = this.#pages.keys()
    if (this.#pages.size > KEPT_PAGES && oldest !== undefined) this.#pages.delete(oldest)
    // A page that is not full may grow, and a failed one is retried.
    readPage.then((events) => isFull(events, limit) || this.#pages.delete(key)).catch(() => this.#pages.delete(key))
    return readPage
  }

  /** The log has been replaced: nothing that was read before may be folded. */
  forget(): void {
    this.era += 1
    this.#pages.clear()
    this.#tail = new TailBuffer()
    this.#log.forget?.()
  }

  /** Reads pages of `limit` events, for `foldPages`. */
  pages(limit: number): (after: Position) => Promise<Page> {
    const { era } = this
    return async (after) => {
      const events = await this.readPage(after, limit)
      if (this.era !== era) throw new LogReplacedError('the log has been replaced while it was read')
      return { events, isLast: !isFull(events, limit) }
    }
  }

  /**
   * Collects a batch. It closes when it is full, or `ageMs` after the previous batch began; so an event that comes alone
   * does not wait. Empty when the signal aborts, or after a while without events: then the log has been read once,
   * in case a notification was lost.
   */
  async nextBatch(after: Position, limit: number, ageMs: number, signal: AbortSignal, clock: BatchClock): Promise<DecodedRecord[]> {
    let events = await this.#next(after, limit, Math.max(0, clock.lastBatchAt + IDLE_MS - performance.now()), signal)
    if (events.length === 0 && signal.aborted) return []
    const until = clock.lastBatchAt + ageMs
    clock.lastBatchAt = performance.now()
    if (events.length === 0) return this.readPage(after, limit)
    for (let added = events.length; !isFull(events, limit) && !signal.aborted; ) {
      const left = until - performance.now()
      // As many as are read at once: there may be more, which need not be waited for.
      if (left <= 0 && added < RECORDS_PER_READ) break
      const last = events.at(-1)?.record.position ?? after
      const next = await this.#next(last, limit - events.length, Math.max(left, 0), signal)
      added = next.length
      events = [...events, ...next]
    }
    return events
  }

  /** The id of the event at a position, or `null` where the log has none. */
  async eventIdAt(position: Position): Promise<string | null> {
    try {
      return (await recordAt(this.#log, position))?.id ?? null
    } catch (error) {
      if (error instanceof LogReplacedError) return null
      throw error
    }
  }

  /** The next events, as soon as there are any; none after `ms`. */
  async #next(after: Position, limit: number, ms: number, signal: AbortSignal): Promise<DecodedRecord[]> {
    const kept = this.#tail.after(after, limit)
    if (kept.length > 0) return kept
    // Not AbortSignal.any with AbortSignal.timeout: Node 20 may collect the timeout before it fires, and the wait never ends.
    const waiting = new AbortController()
    const stop = () => waiting.abort()
    const timer = setTimeout(stop, ms)
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    try {
      const records = await this.#log.next(after, Math.min(limit, RECORDS_PER_READ), waiting.signal)
      if (records.length > 0) this.#answeredAt = Date.now()
      // Another projection may have waited for the same events and stored them first.
      const stored = this.#tail.after(after, limit)
      if (stored.length > 0) return stored
      const events = records.map(this.#decode)
      this.#tail.extend(after, events)
      return events
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }
}

/** The event at a position; `null` where the log has none. */
export async function recordAt(log: EventLog, position: Position): Promise<LogRecord | null> {
  const [record] = await log.read((position - 1) as Position, 1)
  return record?.position === position ? record : null
}

/** The newest events are kept for projections that are a little behind the first one. */
const MAX_TAIL_EVENTS = 1024

/** The newest decoded events, without gaps. */
export class TailBuffer {
  #events: DecodedRecord[] = []
  /** Holds the range (base, end]. */
  #base = Number.POSITIVE_INFINITY
  #end = Number.NEGATIVE_INFINITY

  /** Up to `limit` events after a position; none when they are not held. */
  after(position: Position, limit: number): DecodedRecord[] {
    if (position < this.#base || position >= this.#end) return []
    // From the end, because readers are near it.
    const first = this.#events.findLastIndex(({ record }) => record.position <= position) + 1
    return this.#events.slice(first, first + limit)
  }

  /** Adds events that were read after a position. */
  extend(after: Position, events: readonly DecodedRecord[]): void {
    const last = events.at(-1)?.record.position
    if (last === undefined) return
    // Not adjacent: keep only the range that is furthest ahead.
    if (after !== this.#end) {
      if (after < this.#end) return
      this.#events = []
      this.#base = after
    }
    this.#events.push(...events)
    this.#end = last
    const mostKept = lengthOf(this.#events) < 2 * MAX_PAGE_LENGTH ? MAX_TAIL_EVENTS : events.length
    const excess = this.#events.length - mostKept
    // Drop many at once, because copying the rest is expensive.
    if (excess < mostKept / 2) return
    this.#base = this.#events[excess - 1]?.record.position ?? this.#base
    this.#events = this.#events.slice(excess)
  }
}
