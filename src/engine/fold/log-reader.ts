import { type Decoded, decode, type Position } from '../../events/index.js'
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

/** A loop that waits for events comes round this often: whoever is silent longer has stopped asking. */
const IDLE_MS = 2000

/** When a loop has last heard of the log. Whatever else calls it away meanwhile does not begin that anew. */
export interface BatchClock {
  lastBatchAt: number
}
/** Pages kept for the projections that are a little behind the first one. */
const KEPT_PAGES = 3

/**
 * The log as the projections read it. Projections that load side by side ask for the same pages one after the other,
 * and those that follow for the same news: each is read and decoded once for all of them.
 */
export class LogReader {
  readonly #log: EventLog
  readonly #pages = new Map<string, Promise<DecodedRecord[]>>()
  readonly #tail = new TailBuffer()

  constructor(log: EventLog) {
    this.#log = log
  }

  /** Up to `limit` events after a position; fewer only at the end of the log. */
  readPage(after: Position, limit: number): Promise<DecodedRecord[]> {
    const key = `${after}+${limit}`
    const kept = this.#pages.get(key)
    if (kept !== undefined) return kept
    const readPage = this.#read(after, limit)
    this.#pages.set(key, readPage)
    const [oldest] = this.#pages.keys()
    if (this.#pages.size > KEPT_PAGES && oldest !== undefined) this.#pages.delete(oldest)
    // A page that is not full will have more to say next time; a failed one deserves another try.
    readPage.then((events) => events.length < limit && this.#pages.delete(key)).catch(() => this.#pages.delete(key))
    return readPage
  }

  /** Reads pages of `limit` events, for `foldPages`. */
  pages(limit: number): (after: Position) => Promise<Page> {
    return async (after) => {
      const events = await this.readPage(after, limit)
      return { events, isLast: events.length < limit }
    }
  }

  /**
   * Collects a batch: it closes when it is full, or `ageMs` after the batch before it was begun, never by silence. So what
   * came while that one was being folded does not wait any more, and neither does an event that comes alone. Empty when
   * the signal aborts, or when nothing has come for a while: then the log itself has been asked, not just waited for.
   */
  async nextBatch(after: Position, limit: number, ageMs: number, signal: AbortSignal, silence: BatchClock): Promise<DecodedRecord[]> {
    let events = await this.#next(after, limit, Math.max(0, silence.lastBatchAt + IDLE_MS - performance.now()), signal)
    if (events.length === 0 && signal.aborted) return []
    const until = silence.lastBatchAt + ageMs
    silence.lastBatchAt = performance.now()
    if (events.length === 0) return this.readPage(after, limit)
    while (events.length < limit && !signal.aborted) {
      const left = until - performance.now()
      if (left <= 0) break
      events = [...events, ...(await this.#next(lastPositionOf(events), limit - events.length, left, signal))]
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

  /** What comes next, as soon as there is something; none when nothing comes for so long. */
  async #next(after: Position, limit: number, ms: number, signal: AbortSignal): Promise<DecodedRecord[]> {
    const kept = this.#tail.after(after, limit)
    if (kept.length > 0) return kept
    const age = new AbortTimer(ms, signal)
    try {
      const records = await this.#log.next(after, limit, age.signal)
      // Others have waited for the same, and one of them was first.
      const meanwhile = this.#tail.after(after, limit)
      if (meanwhile.length > 0) return meanwhile
      const events = records.map(decodeRecord)
      this.#tail.extend(after, events)
      return events
    } finally {
      age.clear()
    }
  }

  async #read(after: Position, limit: number): Promise<DecodedRecord[]> {
    return (await this.#log.read(after, limit)).map(decodeRecord)
  }
}

/**
 * Aborts after a time, or with another signal. Written out because `AbortSignal.any` and `AbortSignal.timeout` hold each
 * other weakly: in Node 20 the garbage collector may take the timeout before it has fired, and the wait never ends.
 */
class AbortTimer {
  readonly #controller = new AbortController()
  readonly #abort = () => this.#controller.abort()
  readonly #outer: AbortSignal
  readonly #timer: NodeJS.Timeout

  constructor(ms: number, outer: AbortSignal) {
    this.#outer = outer
    this.#timer = setTimeout(this.#abort, ms)
    outer.addEventListener('abort', this.#abort)
    if (outer.aborted) this.#abort()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#outer.removeEventListener('abort', this.#abort)
  }
}

/** The event at a position; `null` where the log has none. */
export async function recordAt(log: EventLog, position: Position): Promise<LogRecord | null> {
  const [record] = await log.read((position - 1) as Position, 1)
  return record?.position === position ? record : null
}

const decodeRecord = (record: LogRecord): DecodedRecord => ({ record, decoded: decode(record) })

function lastPositionOf(events: readonly DecodedRecord[]): Position {
  const last = events.at(-1)
  if (last === undefined) throw new Error('an empty batch has no position')
  return last.record.position
}

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
