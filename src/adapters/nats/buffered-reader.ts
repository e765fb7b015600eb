import type { LogRecord } from '../../ports/event-log.js'
import type { StreamMessage } from './message.js'
import type { PullConsumer } from './pull-consumer.js'

/**
 * Records kept for readers that are a little behind: several projections follow one log. More than a delivery may bring at
 * once, two of its batches: one of two that wait for the same must not find forgotten what the other has just taken.
 */
const MAX_RECORDS = 4096
const MAX_BYTES = 32 * 1024 * 1024

/** What a hole in the sequences turns out to be: records that stand for it, in order. */
export type FillGap = (after: number, before: number) => Promise<LogRecord[]>

/** A stretch of the log, growing at its end by what is delivered and forgetting at its beginning. */
export class BufferedReader {
  readonly #consumer: PullConsumer
  readonly #toRecord: (message: StreamMessage) => LogRecord
  readonly #fillGap: FillGap
  #records: LogRecord[] = []
  #bytes = 0
  /** Everything behind `#base` up to `end` has been delivered, or is not there. */
  #base: number
  #end: number
  #filling: Promise<void> | null = null
  #users = 0
  #usedAt = performance.now()

  constructor(after: number, delivery: PullConsumer, toRecord: (message: StreamMessage) => LogRecord, bridge: FillGap) {
    this.#base = after
    this.#end = after
    this.#consumer = delivery
    this.#toRecord = toRecord
    this.#fillGap = bridge
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

  /** How long nobody has been using it. */
  get idleMs(): number {
    return this.#users > 0 ? 0 : performance.now() - this.#usedAt
  }

  covers(position: number): boolean {
    return !this.#consumer.broken && this.#base <= position && position <= this.#end
  }

  /** Up to `limit` of the records that are here; undefined when what comes after that position has been forgotten. */
  after(position: number, limit: number): LogRecord[] | undefined {
    if (position < this.#base) return undefined
    const begin = this.#indexAfter(position)
    return this.#records.slice(begin, begin + limit)
  }

  /** Takes in what has been delivered. One at a time: bridging a hole takes a while, and order is all. */
  fill(): Promise<void> {
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = null
    })
    return this.#filling
  }

  /** What somebody else is just taking in has arrived: nothing more may come after it. */
  untilArrival(signal?: AbortSignal): Promise<void> {
    return this.#filling ?? this.#consumer.untilArrival(signal)
  }

  /** Bridges a hole at the end of the log, behind which nothing is delivered. */
  async skipTo(last: number): Promise<void> {
    if (last > this.#end) this.#append(await this.#fillGap(this.#end, last + 1), last)
  }

  /** Puts other records in the place of those that have been read before. */
  replace(record: LogRecord): void {
    const index = this.#indexAfter(record.position - 1)
    if (this.#records[index]?.position === record.position) this.#records[index] = record
  }

  close(): void {
    this.#consumer.stop()
  }

  async #fill(): Promise<void> {
    // Before taking more, so that nobody finds forgotten what has only just come.
    this.#evict()
    const messages = this.#consumer.take()
    let run: LogRecord[] = []
    for (const message of messages) {
      // A hole at the end may have been bridged while this was on its way.
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

  #indexAfter(position: number): number {
    let low = 0
    let high = this.#records.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#records[middle]?.position ?? 0) > position) high = middle
      else low = middle + 1
    }
    return low
  }
}
