import type { Position } from '../../src/events/index.js'
import {
  type AppendOptions,
  type AppendResult,
  type EventLog,
  LogMovedError,
  type LogRecord,
  type NewRecord,
  type Replacement,
} from '../../src/ports/event-log.js'

/** A log in memory. Given records it keeps their positions, which may have holes, as JetStream's do after a deletion. */
export class MemoryEventLog implements EventLog {
  readonly #records: LogRecord[]
  readonly #changes = new EventTarget()

  constructor(records: readonly LogRecord[] = []) {
    this.#records = [...records]
  }

  async read(after: Position, limit: number): Promise<LogRecord[]> {
    return this.#records.filter(({ position }) => position > after).slice(0, limit)
  }

  async *readSubjects(subjects: readonly string[]): AsyncIterable<LogRecord> {
    yield* this.#records.filter(({ subject }) => subjects.includes(subject))
  }

  async next(after: Position, limit: number, signal: AbortSignal): Promise<LogRecord[]> {
    await this.#past(after, signal)
    return signal.aborted ? [] : this.read(after, limit)
  }

  #past(position: Position, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.#last <= position && !signal.aborted) return
        this.#changes.removeEventListener('append', look)
        signal.removeEventListener('abort', look)
        resolve()
      }
      this.#changes.addEventListener('append', look)
      signal.addEventListener('abort', look)
      look()
    })
  }

  async bounds(): Promise<{ first: Position; last: Position }> {
    return { first: this.#records[0]?.position ?? (1 as Position), last: this.#last }
  }

  async append(records: readonly NewRecord[], { expectedLast }: AppendOptions = {}): Promise<AppendResult> {
    if (expectedLast !== undefined && expectedLast !== this.#last) throw new LogMovedError(expectedLast, this.#last)
    const known = new Set(this.#records.map(({ id }) => id))
    let appended = 0
    for (const { id, subject, payload, appendedAt = Date.now() } of records) {
      if (known.has(id)) continue
      known.add(id)
      this.#records.push({ position: (this.#last + 1) as Position, id, subject, payload, appendedAt, storedAt: Date.now() })
      appended += 1
    }
    if (appended > 0) this.#changes.dispatchEvent(new Event('append'))
    return { last: this.#last, appended, duplicates: records.length - appended }
  }

  async redact(replacements: Iterable<Replacement> | AsyncIterable<Replacement>): Promise<void> {
    for await (const { position, payload } of replacements) {
      const index = this.#records.findIndex((record) => record.position === position)
      const record = this.#records[index]
      if (record !== undefined) this.#records[index] = { ...record, payload }
    }
  }

  /** Appends records that already have their positions. */
  extend(records: readonly LogRecord[]): void {
    this.#records.push(...records)
    this.#changes.dispatchEvent(new Event('append'))
  }

  async close(): Promise<void> {}

  get #last(): Position {
    return this.#records.at(-1)?.position ?? (0 as Position)
  }
}
