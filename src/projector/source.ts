import { type Decoded, decode, type Position } from '../events/index.js'
import { type EventLog, type LogRecord, LogReplacedError } from '../ports/event-log.js'

export interface SourceEvent {
  record: LogRecord
  decoded: Decoded
}

/** A loop that waits for events comes round this often: whoever is silent longer has stopped asking. */
const IDLE_MS = 2000
/** Pages kept for the projections that are a little behind the first one. */
const KEPT_PAGES = 3

/**
 * The log as the projections read it. Projections that load side by side ask for the same pages one after the
 * other, so a page is read and decoded once for all of them.
 */
export class Source {
  readonly #log: EventLog
  readonly #pages = new Map<string, Promise<SourceEvent[]>>()

  constructor(log: EventLog) {
    this.#log = log
  }

  /** Up to `limit` events after a position; fewer only at the end of the log. */
  page(after: Position, limit: number): Promise<SourceEvent[]> {
    const key = `${after}+${limit}`
    const kept = this.#pages.get(key)
    if (kept !== undefined) return kept
    const page = this.#read(after, limit)
    this.#pages.set(key, page)
    const [oldest] = this.#pages.keys()
    if (this.#pages.size > KEPT_PAGES && oldest !== undefined) this.#pages.delete(oldest)
    // A page that is not full will have more to say next time; a failed one deserves another try.
    page.then((events) => events.length < limit && this.#pages.delete(key)).catch(() => this.#pages.delete(key))
    return page
  }

  /**
   * Collects a batch: it closes when it is full or when its first event has waited `ageMs`, never by silence. Empty when
   * nothing has come for a while: then the log has been asked twice.
   */
  async batch(after: Position, limit: number, ageMs: number, signal: AbortSignal): Promise<SourceEvent[]> {
    let events = await this.page(after, limit)
    if (events.length === 0) {
      await this.#waitPast(after, signal)
      events = await this.page(after, limit)
    }
    if (events.length === 0 || events.length === limit) return events
    const age = new Age(ageMs, signal)
    try {
      while (events.length < limit && !age.signal.aborted) {
        const last = positionOf(events)
        await this.#log.waitPast(last, age.signal)
        events = [...events, ...(await this.page(last, limit - events.length))]
      }
    } finally {
      age.end()
    }
    return events
  }

  /** The id of the event at a position, or `null` where the log has none. */
  async eventIdAt(position: Position): Promise<string | null> {
    try {
      const [record] = await this.#log.read((position - 1) as Position, 1)
      return record?.position === position ? record.id : null
    } catch (error) {
      if (error instanceof LogReplacedError) return null
      throw error
    }
  }

  async #waitPast(after: Position, signal: AbortSignal): Promise<void> {
    const idle = new Age(IDLE_MS, signal)
    try {
      await this.#log.waitPast(after, idle.signal)
    } finally {
      idle.end()
    }
  }

  async #read(after: Position, limit: number): Promise<SourceEvent[]> {
    const records = await this.#log.read(after, limit)
    return records.map((record) => ({ record, decoded: decode(record) }))
  }
}

/**
 * Aborts after a time, or with another signal. Written out because `AbortSignal.any` and `AbortSignal.timeout` hold each
 * other weakly: in Node 20 the garbage collector may take the timeout before it has fired, and the wait never ends.
 */
class Age {
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

  end(): void {
    clearTimeout(this.#timer)
    this.#outer.removeEventListener('abort', this.#abort)
  }
}

function positionOf(events: readonly SourceEvent[]): Position {
  const last = events.at(-1)
  if (last === undefined) throw new Error('an empty batch has no position')
  return last.record.position
}
