import { DiscardPolicy, headers } from 'nats'
import type { LogRecord } from '../../ports/event-log.js'
import type { Connected } from './connection.js'
import type { StreamMessage } from './message.js'
import { PullConsumer } from './pull-consumer.js'
import { ensureReplicated, getMessage, LASTING, type Replication, type StreamSettings, streamInfo } from './stream.js'

const RECORD = 'Vitrine-Record'
/** Longer than a message takes to arrive. */
const RECHECK_MS = 1000

const redactedName = (log: string): string => `${log}_REDACTED`
const redactedSubject = (log: string): string => `vitrine.redacted.${log}`

export const redactionsSettings = (log: string): StreamSettings => ({
  ...LASTING,
  name: redactedName(log),
  subjects: [`${redactedSubject(log)}.*`],
  discard: DiscardPolicy.Old,
  max_age: 0,
  max_msgs_per_subject: 1,
})

/** Read at the same time. */
const READ_TOGETHER = 64

/**
 * JetStream can delete a message but not change it. The new payload of a redacted event is stored in a second small stream,
 * one message per position, and readers put it where the log has a gap. Only the positions are kept in memory.
 */
export class Redactions {
  readonly #log: string
  readonly #stream: string
  readonly #subject: string
  /** By position in the log: the sequence of the redaction. */
  readonly #sequences = new Map<number, number>()
  readonly #sorted: number[] = []
  readonly #bySubject = new Map<string, number[]>()
  #readUpTo = 0

  constructor(log: string) {
    this.#log = log
    this.#stream = redactedName(log)
    this.#subject = redactedSubject(log)
  }

  has(position: number): boolean {
    return this.#sequences.has(position)
  }

  /** A record as it is now. Redactions of a former stream of this name may be at the same position. */
  async latest(connected: Connected, record: LogRecord): Promise<LogRecord> {
    const redacted = await this.at(connected, record.position)
    return redacted?.id === record.id ? redacted : record
  }

  /** Positions in the open range (after, before). */
  between(after: number, before: number): readonly number[] {
    return this.#sorted.slice(this.#firstFrom(after + 1), this.#firstFrom(before))
  }

  /** The positions of an aggregate's redacted events. */
  ofSubject(subject: string): readonly number[] {
    return this.#bySubject.get(subject) ?? []
  }

  get first(): number | undefined {
    return this.#sorted[0]
  }

  get last(): number | undefined {
    return this.#sorted.at(-1)
  }

  async at(connected: Connected, position: number): Promise<LogRecord | null> {
    for (;;) {
      const sequence = this.#sequences.get(position)
      if (sequence === undefined) return null
      const message = await getMessage(connected, this.#stream, { seq: sequence })
      if (message !== null) return { ...recordOf(message), payload: Buffer.from(message.data).toString() }
      // Redacted once more meanwhile.
      await this.refresh(connected)
      if (this.#sequences.get(position) === sequence) return null
    }
  }

  /** The redacted events at these positions, in their order. */
  async *read(connected: Connected, positions: readonly number[]): AsyncIterable<LogRecord> {
    for (let begin = 0; begin < positions.length; begin += READ_TOGETHER) {
      const read = await Promise.all(positions.slice(begin, begin + READ_TOGETHER).map((position) => this.at(connected, position)))
      for (const record of read) if (record !== null) yield record
    }
  }

  /** Reads the redactions since the last call, by any process. */
  async refresh(connected: Connected): Promise<void> {
    const info = await streamInfo(connected, this.#stream)
    if (info === null || info.state.last_seq <= this.#readUpTo) return
    let last = await this.#lastStored(connected)
    let reached = this.#readUpTo
    const consumer = await PullConsumer.start(connected, { stream: this.#stream, from: reached + 1 })
    try {
      // Compares sequences, because the server's count of pending messages may count a new one twice.
      while (reached < last) {
        for (const message of consumer.take()) {
          this.#remember(recordOf(message), message.sequence)
          reached = message.sequence
        }
        if (reached >= last) break
        const timeout = AbortSignal.timeout(RECHECK_MS)
        await consumer.untilArrival(timeout)
        // It may have been deleted since.
        if (timeout.aborted) last = await this.#lastStored(connected)
      }
    } finally {
      consumer.stop()
    }
    this.#readUpTo = Math.max(this.#readUpTo, reached, info.state.last_seq)
  }

  /** Not the stream's last sequence: that stays when its message is deleted, and we would wait for it for ever. */
  async #lastStored(connected: Connected): Promise<number> {
    return (await getMessage(connected, this.#stream, { last_by_subj: `${this.#subject}.*` }))?.sequence ?? 0
  }

  /** Before the first write. */
  async prepare(connected: Connected, replication: Replication): Promise<void> {
    await ensureReplicated(connected, redactionsSettings(this.#log), { ...replication, log: this.#log })
  }

  /** Durable when it settles; only then may the original message be deleted. */
  async write(connected: Connected, record: LogRecord): Promise<void> {
    const { payload, ...rest } = record
    const lines = headers()
    lines.set(RECORD, Buffer.from(JSON.stringify(rest)).toString('base64'))
    const subject = `${this.#subject}.${record.position}`
    const { seq } = await connected.jetstream.publish(subject, Buffer.from(payload), { headers: lines })
    this.#remember(rest, seq)
  }

  #remember({ position, subject }: Omit<LogRecord, 'payload'>, sequence: number): void {
    const isNew = !this.#sequences.has(position)
    // A publication may be heard of after a later one.
    this.#sequences.set(position, Math.max(sequence, this.#sequences.get(position) ?? 0))
    if (!isNew) return
    this.#sorted.splice(this.#firstFrom(position), 0, position)
    const ofSubject = this.#bySubject.get(subject)
    if (ofSubject === undefined) this.#bySubject.set(subject, [position])
    else ofSubject.push(position)
  }

  /** The index of the first position that is at least this. */
  #firstFrom(position: number): number {
    let [from, to] = [0, this.#sorted.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if ((this.#sorted[middle] ?? 0) < position) from = middle + 1
      else to = middle
    }
    return from
  }
}

const recordOf = ({ headers: lines }: StreamMessage): Omit<LogRecord, 'payload'> =>
  JSON.parse(Buffer.from(lines?.get(RECORD) ?? '', 'base64').toString())
