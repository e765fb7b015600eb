import { type Decoded, decode, type Position } from '../../events/index.js'
import { type EventLog, type LogRecord, LogReplacedError } from '../../ports/event-log.js'
import { Tail } from './tail.js'

export interface SourceEvent {
  record: LogRecord
  decoded: Decoded
}

/** A loop that waits for events comes round this often: whoever is silent longer has stopped asking. */
const IDLE_MS = 2000

/** When a loop has last heard of the log. Whatever else calls it away meanwhile does not begin that anew. */
export interface Silence {
  since: number
}
/** Pages kept for the projections that are a little behind the first one. */
const KEPT_PAGES = 3

/**
 * The log as the projections read it. Projections that load side by side ask for the same pages one after the other,
 * and those that follow for the same news: each is read and decoded once for all of them.
 */
export class Source {
  readonly #log: EventLog
  readonly #pages = new Map<string, Promise<SourceEvent[]>>()
  readonly #tail = new Tail()

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
   * Collects a batch: it closes when it is full, or `ageMs` after the batch before it was begun, never by silence. So what
   * came while that one was being folded does not wait any more, and neither does an event that comes alone. Empty when
   * the signal aborts, or when nothing has come for a while: then the log itself has been asked, not just waited for.
   */
  async batch(after: Position, limit: number, ageMs: number, signal: AbortSignal, silence: Silence): Promise<SourceEvent[]> {
    let events = await this.#next(after, limit, Math.max(0, silence.since + IDLE_MS - performance.now()), signal)
    if (events.length === 0 && signal.aborted) return []
    const until = silence.since + ageMs
    silence.since = performance.now()
    if (events.length === 0) return this.page(after, limit)
    while (events.length < limit && !signal.aborted) {
      const left = until - performance.now()
      if (left <= 0) break
      events = [...events, ...(await this.#next(positionOf(events), limit - events.length, left, signal))]
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

  /** What comes next, as soon as there is something; none when nothing comes for so long. */
  async #next(after: Position, limit: number, ms: number, signal: AbortSignal): Promise<SourceEvent[]> {
    const kept = this.#tail.after(after, limit)
    if (kept.length > 0) return kept
    const age = new Age(ms, signal)
    try {
      const records = await this.#log.next(after, limit, age.signal)
      // Others have waited for the same, and one of them was first.
      const meanwhile = this.#tail.after(after, limit)
      if (meanwhile.length > 0) return meanwhile
      const events = records.map(decoded)
      this.#tail.extend(after, events)
      return events
    } finally {
      age.end()
    }
  }

  async #read(after: Position, limit: number): Promise<SourceEvent[]> {
    return (await this.#log.read(after, limit)).map(decoded)
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

const decoded = (record: LogRecord): SourceEvent => ({ record, decoded: decode(record) })

function positionOf(events: readonly SourceEvent[]): Position {
  const last = events.at(-1)
  if (last === undefined) throw new Error('an empty batch has no position')
  return last.record.position
}
