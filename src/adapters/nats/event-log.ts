import type { Position } from '../../ports/event-log.js'
import {
  type AppendOptions,
  type AppendResult,
  type EventLog,
  type LogRecord,
  LogReplacedError,
  type NewRecord,
  type Replacement,
} from '../../ports/event-log.js'
import { BufferedReader } from './buffered-reader.js'
import { type Connected, NatsConnector, type NatsOptions, NatsUnavailableError } from './connection.js'
import { DEFAULT_PREFIX, toRecord } from './message.js'
import { type LogTail, Publisher } from './publisher.js'
import { PullConsumer } from './pull-consumer.js'
import { Redactions } from './redactions.js'
import { ensureLogStream, getMessage, streamInfo } from './stream.js'

export interface JetStreamLogOptions extends NatsOptions {
  stream: string
  /** First tokens of the subjects. */
  prefix?: string
  /** Whether a missing stream may be created, and with how many replicas. */
  create?: boolean
  replicas?: number
  /** A reader that nobody has used for so long is closed. */
  idleMs?: number
}

/** Readers at different places of the log: projections that load, and those that follow. */
const MAX_READERS = 8
/** Those of projections that have loaded go on being delivered to, and keep what they got, as long as they are open. */
const IDLE_MS = 5000
/** Positions whose ids are remembered, to recognise the log by when a reader has to begin again. */
const MAX_KNOWN_IDS = 1024
/** A delivery that breaks is begun again at once; one that keeps breaking is reported. */
const ATTEMPTS = 3

/** A message that is deleted before it is delivered never arrives: then the stream is looked at again. */
const RECHECK_MS = 250

const REMEDY = 'Restore the stream from its backup, or delete the models to build them from what there is.'

/** The event log of a cluster: a JetStream stream whose sequence numbers are the positions. */
export class JetStreamEventLog implements EventLog {
  readonly #connector: NatsConnector
  readonly #stream: string
  readonly #prefix: string
  readonly #create: boolean
  readonly #replicas: number
  readonly #idleMs: number
  readonly #publisher: Publisher
  readonly #redactions: Redactions
  readonly #knownIds = new Map<number, string>()
  readonly #openingReaders = new Map<number, Promise<BufferedReader>>()
  #readers: BufferedReader[] = []
  #ensured = false
  /** Messages that are gone from the stream, when we last looked. */
  #missing = 0

  constructor({ stream, prefix = DEFAULT_PREFIX, create = true, replicas = 1, idleMs = IDLE_MS, ...options }: JetStreamLogOptions) {
    this.#connector = new NatsConnector(options)
    this.#stream = stream
    this.#prefix = prefix
    this.#create = create
    this.#replicas = replicas
    this.#idleMs = idleMs
    this.#redactions = new Redactions(stream)
    this.#publisher = new Publisher(stream, prefix, () => this.#tail())
  }

  async read(after: Position, limit: number): Promise<LogRecord[]> {
    if (limit < 1) return []
    if (limit === 1) {
      const record = await this.#recordAt(after + 1)
      if (record !== null) return [record]
    }
    const records = await this.#withReader(after, (reader) => this.#collect(reader, after, limit))
    this.#rememberLast(records)
    return records
  }

  /** Asks the server nothing: what is delivered is there, and whether there is more does not matter. */
  async next(after: Position, limit: number, signal: AbortSignal): Promise<LogRecord[]> {
    if (signal.aborted) return []
    const records = await this.#withReader(after, async (reader) => {
      for (;;) {
        await reader.fill()
        const here = this.#buffered(reader, after, limit)
        if (here.length > 0 || signal.aborted) return here
        await reader.untilArrival(signal)
      }
    })
    this.#rememberLast(records)
    return records
  }

  async bounds(): Promise<{ first: Position; last: Position }> {
    const { first, last } = await this.#streamBounds()
    return { first: first as Position, last: last as Position }
  }

  append(records: readonly NewRecord[], { expectedLast }: AppendOptions = {}): Promise<AppendResult> {
    return this.#publisher.append(records, expectedLast)
  }

  async redact(replacements: readonly Replacement[]): Promise<void> {
    const connected = await this.#connected()
    await this.#redactions.refresh(connected)
    for (const { position, payload } of replacements) {
      const record = await this.#recordAt(position)
      if (record === null) continue
      // First what stands there from now on, then the deletion: a reader finds the one or the other.
      await this.#redactions.write(connected, { ...record, payload }, this.#replicas)
      if ((await getMessage(connected, this.#stream, { seq: position })) !== null)
        await connected.streams.deleteMessage(this.#stream, position, true)
      for (const reader of this.#readers) reader.replace({ ...record, payload })
    }
  }

  async close(): Promise<void> {
    for (const reader of this.#readers) reader.close()
    this.#readers = []
    await this.#connector.close()
  }

  async #connected(): Promise<Connected> {
    const connected = await this.#connector.connected()
    if (!this.#ensured) {
      await ensureLogStream(connected, this.#stream, this.#prefix, this.#create, this.#replicas)
      this.#ensured = true
    }
    return connected
  }

  /** Works with a reader that has come as far as `after`, and with a new one when that breaks. */
  async #withReader<T>(after: number, work: (reader: BufferedReader) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const reader = this.#readers.find((candidate) => candidate.covers(after)) ?? (await this.#openReaderOnce(after))
      try {
        return await reader.inUse(() => work(reader))
      } catch (error) {
        this.#readers = this.#readers.filter((candidate) => candidate !== reader)
        reader.close()
        if (attempt === ATTEMPTS || !(error instanceof NatsUnavailableError)) throw error
      } finally {
        this.#closeIdle()
      }
    }
  }

  #closeIdle(): void {
    const idle = this.#readers.filter((reader) => reader.idleMs > this.#idleMs)
    if (idle.length === 0) return
    this.#readers = this.#readers.filter((reader) => !idle.includes(reader))
    for (const reader of idle) reader.close()
  }

  /** Several that ask for the same place at once share a reader. */
  #openReaderOnce(after: number): Promise<BufferedReader> {
    const beginning = this.#openingReaders.get(after) ?? this.#openReader(after).finally(() => this.#openingReaders.delete(after))
    this.#openingReaders.set(after, beginning)
    return beginning
  }

  async #openReader(after: number): Promise<BufferedReader> {
    const connected = await this.#connected()
    await this.#checkSameLog(connected, after)
    const delivery = await PullConsumer.start(connected, { stream: this.#stream, from: after + 1 }).catch((error) => {
      throw new NatsUnavailableError(`the stream ${this.#stream} cannot be read: ${error.message}`, { cause: error })
    })
    const reader = new BufferedReader(
      after,
      delivery,
      (message) => toRecord(this.#prefix, message),
      (from, to) => this.#fillGap(from, to),
    )
    this.#readers.push(reader)
    if (this.#readers.length > MAX_READERS) this.#readers.shift()?.close()
    return reader
  }

  async #collect(reader: BufferedReader, after: number, limit: number): Promise<LogRecord[]> {
    const records: LogRecord[] = []
    let cursor = after
    for (;;) {
      await reader.fill()
      const more = this.#buffered(reader, cursor, limit - records.length)
      for (const record of more) records.push(record)
      cursor = more.at(-1)?.position ?? cursor
      if (records.length >= limit) return records
      if (more.length > 0 || !(await this.#isAtEnd(reader))) continue
      // Somebody else may have taken in more while we asked.
      if (this.#buffered(reader, cursor, 1).length === 0) return records.map((record) => this.#redactions.at(record.position) ?? record)
    }
  }

  #buffered(reader: BufferedReader, after: number, limit: number): LogRecord[] {
    const records = reader.after(after, limit)
    if (records === undefined) throw new NatsUnavailableError('the reader has gone on without us')
    return records
  }

  /** Whether the log ends where this reader is; otherwise waits for what comes next. */
  async #isAtEnd(reader: BufferedReader): Promise<boolean> {
    const { connected, sequence } = await this.#tail()
    if (sequence <= reader.end) return true
    const next = await getMessage(connected, this.#stream, { seq: reader.end + 1, next_by_subj: '>' })
    if (next === null) await reader.skipTo(sequence)
    else if (next.sequence > reader.end) await untilArrivalOrTimeout(reader)
    return false
  }

  /** What stands for positions whose messages are gone. Somebody else's deletions in the middle leave nothing. */
  async #fillGap(after: number, before: number): Promise<LogRecord[]> {
    const connected = await this.#connected()
    await this.#redactions.refresh(connected)
    const records = this.#redactions.between(after, before)
    const first = (await streamInfo(connected, this.#stream))?.state.first_seq ?? 1
    const lost = Math.min(first, before) - after - 1
    if (after > 0 && lost > this.#redactions.between(after, Math.min(first, before)).length) {
      throw new LogReplacedError(`the stream ${this.#stream} begins at ${first} and no longer holds what comes after ${after}. ${REMEDY}`)
    }
    return records
  }

  /** Whether the stream still holds what we have read from it at this position. */
  async #checkSameLog(connected: Connected, position: number): Promise<void> {
    const id = this.#knownIds.get(position)
    if (id === undefined) return
    const found = await this.#recordAt(position)
    if (found?.id === id) return
    const state = (await streamInfo(connected, this.#stream))?.state
    if (found === null && state !== undefined && state.first_seq < position && position <= state.last_seq) return
    throw new LogReplacedError(
      `the stream ${this.#stream} no longer holds event ${id} at position ${position}: it has been purged, or created anew. ${REMEDY}`,
    )
  }

  async #recordAt(position: number): Promise<LogRecord | null> {
    const connected = await this.#connected()
    const message = await getMessage(connected, this.#stream, { seq: position })
    if (message !== null) return toRecord(this.#prefix, message)
    await this.#redactions.refresh(connected)
    return this.#redactions.at(position) ?? null
  }

  #rememberLast(records: readonly LogRecord[]): void {
    const last = records.at(-1)
    if (last === undefined) return
    this.#knownIds.delete(last.position)
    this.#knownIds.set(last.position, last.id)
    const [oldest] = this.#knownIds.keys()
    if (this.#knownIds.size > MAX_KNOWN_IDS && oldest !== undefined) this.#knownIds.delete(oldest)
  }

  async #tail(): Promise<LogTail> {
    const { connected, sequence, last } = await this.#streamBounds()
    return { connected, sequence, last, redacted: this.#redactions.ids }
  }

  /** First and last record, and the last sequence given out; they differ where the last message has been deleted. */
  async #streamBounds(): Promise<{ connected: Connected; first: number; last: number; sequence: number }> {
    const connected = await this.#connected()
    const info = await streamInfo(connected, this.#stream)
    if (info === null) throw new LogReplacedError(`the stream ${this.#stream} has been deleted. ${REMEDY}`)
    const { first_seq, last_seq, messages } = info.state
    const missing = last_seq - messages
    if (missing > this.#missing) await this.#redactions.refresh(connected)
    this.#missing = missing
    const first = Math.min(first_seq || 1, this.#redactions.first ?? Number.POSITIVE_INFINITY)
    if (missing === 0 || this.#redactions.at(last_seq) !== undefined) return { connected, first, last: last_seq, sequence: last_seq }
    // Not just ">": that means the last number given out.
    const last = await getMessage(connected, this.#stream, { last_by_subj: `${this.#prefix}.>` })
    return { connected, first, last: Math.max(last?.sequence ?? last_seq, this.#redactions.last ?? 0), sequence: last_seq }
  }
}

async function untilArrivalOrTimeout(reader: BufferedReader): Promise<void> {
  const waited = new AbortController()
  const timer = setTimeout(() => waited.abort(), RECHECK_MS)
  await reader.untilArrival(waited.signal).finally(() => clearTimeout(timer))
}
