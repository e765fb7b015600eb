import { DiscardPolicy, headers } from 'nats'
import type { LogRecord } from '../../ports/event-log.js'
import type { Connected } from './connection.js'
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

/**
 * JetStream can delete a message but not change it. The new payload of a redacted event is stored in a second small stream,
 * one message per position, and readers put it where the log has a gap.
 */
export class Redactions {
  readonly #log: string
  readonly #stream: string
  readonly #subject: string
  readonly #records = new Map<number, LogRecord>()
  #sorted: number[] | null = null
  #readUpTo = 0

  constructor(log: string) {
    this.#log = log
    this.#stream = redactedName(log)
    this.#subject = redactedSubject(log)
  }

  at(position: number): LogRecord | undefined {
    return this.#records.get(position)
  }

  /** A record as it is now. Redactions of a former stream of this name may be at the same position. */
  latest(record: LogRecord): LogRecord {
    const redacted = this.at(record.position)
    return redacted?.id === record.id ? redacted : record
  }

  /** Positions in the open range (after, before). */
  between(after: number, before: number): LogRecord[] {
    return this.#positions().flatMap((position) => (position > after && position < before ? (this.#records.get(position) ?? []) : []))
  }

  get ids(): string[] {
    return [...this.#records.values()].map(({ id }) => id)
  }

  get first(): number | undefined {
    return this.#positions()[0]
  }

  get last(): number | undefined {
    return this.#positions().at(-1)
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
          this.#remember(JSON.parse(Buffer.from(message.headers?.get(RECORD) ?? '', 'base64').toString()), message.data)
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
    await connected.jetstream.publish(subject, Buffer.from(payload), { headers: lines })
    this.#remember(rest, Buffer.from(payload))
  }

  #remember(rest: Omit<LogRecord, 'payload'>, payload: Uint8Array): void {
    this.#records.set(rest.position, { ...rest, payload: Buffer.from(payload).toString() })
    this.#sorted = null
  }

  #positions(): number[] {
    this.#sorted ??= [...this.#records.keys()].sort((a, b) => a - b)
    return this.#sorted
  }
}
