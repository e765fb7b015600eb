import {
  type AppendOptions,
  type AppendResult,
  type EventLog,
  type LogRecord,
  LogReplacedError,
  type NewRecord,
  type Position,
  type Replacement,
} from '../../ports/event-log.js'
import { BufferedReader } from './buffered-reader.js'
import { type Connected, NatsConnector, type NatsOptions, NatsUnavailableError } from './connection.js'
import { DEFAULT_PREFIX, toNatsSubject, toRecord } from './message.js'
import { type LogTail, Publisher } from './publisher.js'
import { PullConsumer, storedMessages } from './pull-consumer.js'
import { Redactions } from './redactions.js'
import { ensureLogStream, getMessage, logSettings, streamInfo } from './stream.js'

export interface JetStreamLogOptions extends NatsOptions {
  stream: string
  /** First tokens of the subjects. */
  prefix?: string
  /** Create a missing stream, and raise too few replicas of the stream of redactions. */
  create?: boolean
  /** Unset: 1 for the log, and the log's for the stream of redactions. */
  replicas?: number | undefined
  /** Closes readers that were not used for this long. */
  idleMs?: number
}

/** Readers at different positions of the log, for projections that load and for those that follow it. */
const MAX_READERS = 8
/** An open reader still receives and buffers records after its projection has loaded. */
const IDLE_MS = 5000
/** Positions whose ids are remembered, to check that it is still the same log when a reader starts again. */
const MAX_KNOWN_IDS = 1024
/** A broken reader is replaced at once; after this many attempts the error is reported. */
const ATTEMPTS = 3

/** A message that is deleted before its delivery never arrives, so check the stream again. */
const RECHECK_MS = 250

const REMEDY = 'Restore the stream from its backup, or see "The log came back older, or is another" in docs/operating.md.'

/** The event log of a cluster: a JetStream stream whose sequence numbers are the positions. */
export class JetStreamEventLog implements EventLog {
  readonly #connector: NatsConnector
  readonly #stream: string
  readonly #prefix: string
  readonly #options: { create: boolean; replicas: number | undefined; idleMs: number }
  readonly #publisher: Publisher
  #redactions: Redactions
  readonly #knownIds = new Map<number, string>()
  readonly #openingReaders = new Map<number, Promise<BufferedReader>>()
  #readers: BufferedReader[] = []
  #ensured = false
  /** The number of deleted messages at the last check. */
  #missing = 0

  constructor({ stream, prefix = DEFAULT_PREFIX, create = true, replicas, idleMs = IDLE_MS, ...options }: JetStreamLogOptions) {
    this.#connector = new NatsConnector(options)
    this.#stream = stream
    this.#prefix = prefix
    this.#options = { create, replicas, idleMs }
    this.#redactions = new Redactions(stream)
    this.#publisher = new Publisher(stream, prefix, () => this.#streamBounds())
  }

  async read(after: Position, limit: number): Promise<LogRecord[]> {
    if (limit < 1) return []
    if (limit === 1) {
      const record = await this.#recordAt(after + 1)
      if (record !== null) return [record]
      // A buffer may hold a message that is gone from the stream, or that is of the stream before it was replaced.
      this.#closeReaders((reader) => reader.holds(after + 1))
    }
    const records = await this.#withReader(after, (reader) => this.#collect(reader, after, limit))
    this.#rememberLast(records)
    return records
  }

  async *readSubjects(subjects: readonly string[]): AsyncIterable<LogRecord> {
    const wanted = new Set(subjects)
    if (wanted.size === 0) return
    const connected = await this.#connected()
    const natsSubjects = [...new Set([...wanted].map((subject) => toNatsSubject(this.#prefix, subject)))]
    const read = new Set<number>()
    for await (const message of storedMessages(connected, { stream: this.#stream, from: 1, subjects: natsSubjects })) {
      const record = toRecord(this.#prefix, message)
      if (!wanted.has(record.subject)) continue
      read.add(record.position)
      yield record
    }
    // Afterwards, or an event that is redacted meanwhile would be found in neither stream.
    await this.#redactions.refresh(connected)
    for (const subject of wanted) {
      const unread = this.#redactions.ofSubject(subject).filter((position) => !read.has(position))
      for await (const record of this.#redactions.read(connected, unread))
        if ((await this.#recordAt(record.position))?.id === record.id) yield record
    }
  }

  /** Sends no request: returns what has been delivered, whether there is more or not. */
  async next(after: Position, limit: number, signal: AbortSignal): Promise<LogRecord[]> {
    if (signal.aborted) return []
    const records = await this.#withReader(after, async (reader) => {
      for (;;) {
        const records = await reader.readOn(after, limit)
        if (records.length > 0 || signal.aborted) return records
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

  async redact(replacements: Iterable<Replacement> | AsyncIterable<Replacement>): Promise<void> {
    const connected = await this.#connected()
    const { create, replicas } = this.#options
    await this.#redactions.prepare(connected, { replicas, raise: create })
    await this.#redactions.refresh(connected)
    for await (const { position, payload } of replacements) {
      const record = await this.#recordAt(position)
      if (record === null) continue
      // Write the replacement before the deletion: a reader finds one or the other.
      await this.#redactions.write(connected, { ...record, payload })
      if ((await getMessage(connected, this.#stream, { seq: position })) !== null)
        await connected.streams.deleteMessage(this.#stream, position, true)
      for (const reader of this.#readers) reader.replace({ ...record, payload })
    }
  }

  forget(): void {
    this.#closeReaders(() => true)
    this.#knownIds.clear()
    this.#redactions = new Redactions(this.#stream)
    this.#missing = 0
  }

  async close(): Promise<void> {
    this.forget()
    await this.#connector.close()
  }

  async #connected(): Promise<Connected> {
    const connected = await this.#connector.connected()
    if (!this.#ensured) {
      const { create, replicas } = this.#options
      await ensureLogStream(connected, logSettings(this.#stream, this.#prefix), create, replicas)
      this.#ensured = true
    }
    return connected
  }

  /** Uses a reader that covers `after`, and a new one when that breaks. */
  async #withReader<T>(after: number, work: (reader: BufferedReader) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const reader = this.#readers.find((candidate) => candidate.covers(after)) ?? (await this.#openReaderOnce(after))
      try {
        return await reader.inUse(() => work(reader))
      } catch (error) {
        this.#closeReaders((candidate) => candidate === reader)
        if (attempt === ATTEMPTS || !(error instanceof NatsUnavailableError)) throw error
      } finally {
        this.#closeReaders(({ idleMs }) => idleMs > this.#options.idleMs)
      }
    }
  }

  #closeReaders(isOver: (reader: BufferedReader) => boolean): void {
    const closed = this.#readers.filter(isOver)
    if (closed.length === 0) return
    this.#readers = this.#readers.filter((reader) => !closed.includes(reader))
    for (const reader of closed) reader.close()
  }

  /** Concurrent reads after the same position share a reader. */
  #openReaderOnce(after: number): Promise<BufferedReader> {
    const opening = this.#openingReaders.get(after) ?? this.#openReader(after).finally(() => this.#openingReaders.delete(after))
    this.#openingReaders.set(after, opening)
    return opening
  }

  async #openReader(after: number): Promise<BufferedReader> {
    const connected = await this.#connected()
    await this.#checkSameLog(connected, after)
    const consumer = await PullConsumer.start(connected, { stream: this.#stream, from: after + 1 }).catch((error) => {
      throw new NatsUnavailableError(`the stream ${this.#stream} cannot be read: ${error.message}`, { cause: error })
    })
    const reader = new BufferedReader(
      after,
      consumer,
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
      const more = await reader.readOn(cursor, limit - records.length)
      for (const record of more) records.push(record)
      cursor = more.at(-1)?.position ?? cursor
      if (records.length >= limit) return records
      if (more.length > 0 || !(await this.#isAtEnd(reader))) continue
      // Another caller may have added records since.
      if (reader.after(cursor, 1).length === 0) return this.#asRedacted(records)
    }
  }

  /** They may have been redacted since they were delivered. */
  async #asRedacted(records: LogRecord[]): Promise<LogRecord[]> {
    if (!records.some(({ position }) => this.#redactions.has(position))) return records
    const connected = await this.#connected()
    return Promise.all(records.map((record) => this.#redactions.latest(connected, record)))
  }

  /** Whether the log ends where this reader is; otherwise waits for the next record. */
  async #isAtEnd(reader: BufferedReader): Promise<boolean> {
    const { connected, sequence } = await this.#streamBounds()
    if (sequence <= reader.end) return true
    const next = await getMessage(connected, this.#stream, { seq: reader.end + 1, next_by_subj: '>' })
    if (next === null) await reader.skipTo(sequence)
    else if (next.sequence > reader.end) await reader.untilArrival(AbortSignal.timeout(RECHECK_MS))
    return false
  }

  /** The redacted records in a gap. Messages deleted by others in the middle of the log are skipped. */
  async #fillGap(after: number, before: number): Promise<LogRecord[]> {
    const connected = await this.#connected()
    await this.#redactions.refresh(connected)
    const redacted = this.#redactions.between(after, before)
    const first = (await streamInfo(connected, this.#stream))?.state.first_seq ?? 1
    const lost = Math.min(first, before) - after - 1
    if (after > 0 && lost > this.#redactions.between(after, Math.min(first, before)).length) {
      throw new LogReplacedError(`the stream ${this.#stream} begins at ${first} and no longer holds what comes after ${after}. ${REMEDY}`)
    }
    const records: LogRecord[] = []
    for await (const record of this.#redactions.read(connected, redacted)) records.push(record)
    return records
  }

  /** Throws unless the stream still holds what was read from it at this position. */
  async #checkSameLog(connected: Connected, position: number): Promise<void> {
    const id = this.#knownIds.get(position)
    if (id === undefined) return
    const found = await this.#recordAt(position)
    if (found?.id === id) return
    const state = (await streamInfo(connected, this.#stream))?.state
    if (found === null && state !== undefined && state.first_seq < position && position <= state.last_seq) {
      // Another stream may have grown to this position between the two looks.
      const grown = await this.#recordAt(position)
      if (grown === null || grown.id === id) return
    }
    throw new LogReplacedError(
      `the stream ${this.#stream} no longer holds event ${id} at position ${position}: it has been purged, or created anew. ${REMEDY}`,
    )
  }

  async #recordAt(position: number): Promise<LogRecord | null> {
    const connected = await this.#connected()
    const message = await getMessage(connected, this.#stream, { seq: position })
    if (message !== null) return toRecord(this.#prefix, message)
    await this.#redactions.refresh(connected)
    const redacted = await this.#redactions.at(connected, position)
    // A stream that came back older ends before some of its redactions, and may grow just now.
    if (redacted === null || position > ((await streamInfo(connected, this.#stream))?.state.last_seq ?? 0)) return null
    const grown = await getMessage(connected, this.#stream, { seq: position })
    return grown === null ? redacted : toRecord(this.#prefix, grown)
  }

  #rememberLast(records: readonly LogRecord[]): void {
    const last = records.at(-1)
    if (last === undefined) return
    this.#knownIds.delete(last.position)
    this.#knownIds.set(last.position, last.id)
    const [oldest] = this.#knownIds.keys()
    if (this.#knownIds.size > MAX_KNOWN_IDS && oldest !== undefined) this.#knownIds.delete(oldest)
  }

  /** The first and last record, and the last sequence, which is greater when the last message was deleted. */
  async #streamBounds(): Promise<LogTail & { first: number }> {
    const connected = await this.#connected()
    const info = await streamInfo(connected, this.#stream)
    if (info === null) throw new LogReplacedError(`the stream ${this.#stream} has been deleted. ${REMEDY}`)
    const { first_seq, last_seq, messages } = info.state
    const missing = last_seq - messages
    if (missing > this.#missing) await this.#redactions.refresh(connected)
    this.#missing = missing
    const first = Math.min(first_seq || 1, this.#redactions.first ?? Number.POSITIVE_INFINITY)
    const bounds = {
      connected,
      first,
      last: last_seq,
      sequence: last_seq,
      redactions: this.#redactions,
      subjects: info.config.subjects ?? [],
    }
    if (missing === 0 || this.#redactions.has(last_seq)) return bounds
    // Not just ">", which means the last sequence assigned.
    const last = await getMessage(connected, this.#stream, { last_by_subj: `${this.#prefix}.>` })
    return {
      ...bounds,
      last: Math.min(last_seq, Math.max(last?.sequence ?? last_seq, this.#redactions.last ?? 0)),
    }
  }
}
