import type { LogRecord } from '../../ports/event-log.js'
import { NatsUnavailableError } from './connection.js'
import type { StreamMessage } from './message.js'
import type { PullConsumer } from './pull-consumer.js'

/**
 * Records kept for slower readers, because several projections follow one log. More than two batches, which a consumer may
 * hold at once: a reader must not miss what another one has just taken in.
 */
const MAX_RECORDS = 4096
const MAX_BYTES = 32 * 1024 * 1024

/** Returns the records that replace a gap in the sequences, in order. */
export type FillGap = (after: number, before: number) => Promise<LogRecord[]>

/** A section of the log: new records are added at its end, old ones dropped at its beginning. */
export class BufferedReader {
  readonly #consumer: PullConsumer
  readonly #toRecord: (message: StreamMessage) => LogRecord
  readonly #fillGap: FillGap
  #records: LogRecord[] = []
  #bytes = 0
  /** Range (base, end]: everything in it has been delivered, or does not exist. */
  #base: number
  #end: number
  #filling: Promise<void> | null = null
  #users = 0
  #usedAt = performance.now()

  constructor(after: number, consumer: PullConsumer, toRecord: (message: StreamMessage) => LogRecord, fillGap: FillGap) {
    this.#base = after
    this.#end = after
    this.#consumer = consumer
    this.#toRecord = toRecord
    this.#fillGap = fillGap
  }

  get end(): number {
    return this.#end
  }

  async inUse<T>(work: () => Promise<T>): Promise<T> {
    this.#users += 1
    try {
      return await work()
    } finally {
      this.#users -= 1
      this.#usedAt = performance.now()
    }
  }

  /** The time since its last use. */
  get idleMs(): number {
    return this.#users > 0 ? 0 : performance.now() - this.#usedAt
  }

  covers(position: number): boolean {
    return !this.#consumer.broken && this.#base <= position && position <= this.#end
  }

  holds(position: number): boolean {
    return this.#records.some((record) => record.position === position)
  }

  /** Up to `limit` buffered records. Throws when those after the position were dropped. */
  after(position: number, limit: number): LogRecord[] {
    if (position < this.#base) throw new NatsUnavailableError('the reader has dropped records that are still wanted')
    const begin = this.#records.findIndex((record) => record.position > position)
    return begin === -1 ? [] : this.#records.slice(begin, begin + limit)
  }

  /** Up to `limit` records. Adds what has been delivered only when nothing is left: records that nobody has read must not be dropped. */
  async readOn(position: number, limit: number): Promise<LogRecord[]> {
    const records = this.after(position, limit)
    if (records.length > 0) return records
    await this.#fillOnce()
    return this.after(position, limit)
  }

  /** Adds what has been delivered. One call at a time: filling a gap takes a while, and the order must be kept. */
  #fillOnce(): Promise<void> {
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = null
    })
    return this.#filling
  }

  /** Records that another caller is adding count as arrived: there may be no later ones to wait for. */
  untilArrival(signal?: AbortSignal): Promise<void> {
    return this.#filling ?? this.#consumer.untilArrival(signal)
  }

  /** Fills a gap at the end of the log, after which nothing is delivered. */
  async skipTo(last: number): Promise<void> {
    if (last > this.#end) this.#append(await this.#fillGap(this.#end, last + 1), last)
  }

  /** Replaces a buffered record. */
  replace(record: LogRecord): void {
    const index = this.#records.findIndex(({ position }) => position === record.position)
    if (index !== -1) this.#records[index] = record
  }

  close(): void {
    this.#consumer.stop()
  }

  async #fill(): Promise<void> {
    // Before adding more, so that no reader misses what has just arrived.
    this.#evict()
    const messages = this.#consumer.take()
    let run: LogRecord[] = []
    for (const message of messages) {
      // A gap at the end may have been filled before this message arrived.
      if (message.sequence <= this.#end) continue
      const expected = this.#end + run.length + 1
      if (message.sequence > expected) {
        this.#append(run, expected - 1)
        run = []
        this.#append(await this.#fillGap(this.#end, message.sequence), message.sequence - 1)
      }
      run.push(this.#toRecord(message))
    }
    this.#append(run, this.#end + run.length)
  }

  #append(records: readonly LogRecord[], end: number): void {
    for (const record of records) {
      this.#records.push(record)
      this.#bytes += record.payload.length
    }
    this.#end = end
  }

  #evict(): void {
    let count = 0
    while (this.#records.length - count > MAX_RECORDS || (this.#bytes > MAX_BYTES && count < this.#records.length)) {
      this.#bytes -= this.#records[count]?.payload.length ?? 0
      this.#base = this.#records[count]?.position ?? this.#base
      count += 1
    }
    if (count > 0) this.#records = this.#records.slice(count)
  }
}
