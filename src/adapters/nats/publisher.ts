import { setTimeout as pause } from 'node:timers/promises'
import { HashedSet } from '../../lib/hashed-set.js'
import { errorMessage } from '../../lib/message-text.js'
import { type AppendResult, LogMovedError, LogUnfitError, type NewRecord, type Position } from '../../ports/event-log.js'
import { type Connected, NatsUnavailableError } from './connection.js'
import { fromNatsSubject, type OutgoingMessage, toMessage, toRecord } from './message.js'
import { storedMessages } from './pull-consumer.js'
import type { Redactions } from './redactions.js'
import { apiErrorCode, isWrongLastSequence } from './stream.js'

/** For up to this many subjects, their ids are read; for more, those of the whole log, once. */
const FEW_SUBJECTS = 64
/** Unacknowledged messages at a time. */
const WINDOW = 512
/** Long enough for a busy cluster to elect a leader. */
const RETRY_FOR_MS = 120_000
/** The server closes the connection on longer subjects. */
const MAX_SUBJECT = 1024

export interface LogTail {
  connected: Connected
  /** The last sequence assigned, even if its message was deleted. */
  sequence: number
  /** The last record. */
  last: number
  redactions: Redactions
  /** What may be published to; none where the stream only collects others. */
  subjects: readonly string[]
}

interface Ids {
  has(id: string): boolean
}

/**
 * Appends records in order, each on the condition that the stream ends with the one before. If another publisher comes in
 * between, the server refuses that record and all later ones, and we start over from the new end. So the order is kept and
 * no id is published twice, however old it is: the server remembers ids for minutes only, so we read them from the log.
 */
export class Publisher {
  readonly #stream: string
  readonly #prefix: string
  readonly #tail: () => Promise<LogTail>
  /** Every id of the log up to `#idsReadTo`; null until they are needed. */
  #ids: HashedSet | null = null
  #idsReadTo = 0
  #queue: Promise<unknown> = Promise.resolve()

  constructor(stream: string, prefix: string, tail: () => Promise<LogTail>) {
    this.#stream = stream
    this.#prefix = prefix
    this.#tail = tail
  }

  /** One call at a time: two of one process would only conflict. */
  append(records: readonly NewRecord[], expectedLast: Position | undefined): Promise<AppendResult> {
    const mine = this.#queue.then(() => this.#append(records, expectedLast))
    this.#queue = mine.catch(() => {})
    return mine
  }

  async #append(records: readonly NewRecord[], expectedLast: Position | undefined): Promise<AppendResult> {
    const publications = new Map<string, OutgoingMessage>()
    for (const record of records) if (!publications.has(record.id)) publications.set(record.id, toMessage(this.#prefix, record))
    /** Sent, but not acknowledged. */
    const unsure = new Set<string>()
    let appended = 0
    let deadline = Date.now() + RETRY_FOR_MS
    for (let failures = 0; ; ) {
      try {
        const tail = await this.#tail()
        if (tail.subjects.length === 0)
          throw new LogUnfitError(`The stream ${this.#stream} only collects others: publish to those that it collects.`)
        if (expectedLast !== undefined && appended === 0 && tail.last !== expectedLast && !(await this.#wasStored(unsure, tail)))
          throw new LogMovedError(expectedLast, tail.last)
        const known = await this.#knownIds(tail, publications)
        for (const id of unsure) if (known.has(id)) appended += 1
        unsure.clear()
        const todo = [...publications].filter(([id]) => !known.has(id))
        for (const [, publication] of todo) checkSize(publication, tail.connected)
        const { landed, last, finished, refused } = await this.#publish(tail, todo, unsure)
        appended += landed
        for (const id of refused) publications.delete(id)
        if (finished) return { last: last as Position, appended, duplicates: records.length - appended }
        if (landed > 0) failures = 0
      } catch (error) {
        if (!(error instanceof NatsUnavailableError) || Date.now() > deadline) throw error
        failures += 1
        await pause(Math.min(1000, 50 * 2 ** failures))
        continue
      }
      deadline = Date.now() + RETRY_FOR_MS
    }
  }

  /** Whether the log has grown by a record of ours whose acknowledgement was lost. */
  async #wasStored(unsure: ReadonlySet<string>, tail: LogTail): Promise<boolean> {
    if (unsure.size === 0) return false
    for await (const id of this.#readIds(tail, tail.last)) if (unsure.has(id)) return true
    return false
  }

  /** Publishes until all are stored or one is refused. */
  async #publish(
    { connected, sequence, last }: LogTail,
    todo: readonly [string, OutgoingMessage][],
    unsure: Set<string>,
  ): Promise<{ landed: number; last: number; finished: boolean; refused: string[] }> {
    /** Ids that the server remembers, from subjects we did not look at. */
    const refused: string[] = []
    let expected = sequence
    let landed = 0
    for (let begin = 0; begin < todo.length; begin += WINDOW) {
      const window = todo.slice(begin, begin + WINDOW)
      const answers = await Promise.allSettled(
        window.map(([id, { subject, payload, headers }], i) =>
          connected.jetstream.publish(subject, payload, {
            msgID: headers.get('Nats-Msg-Id') || id,
            headers,
            expect: { lastSequence: expected + i },
          }),
        ),
      )
      const stored = answers.filter((answer) => answer.status === 'fulfilled' && !answer.value.duplicate).length
      landed += stored
      for (const [i, [id]] of window.entries()) {
        const answer = answers[i]
        if (answer?.status === 'fulfilled') {
          this.#ids?.add(id)
          if (answer.value.duplicate) refused.push(id)
        } else if (apiErrorCode(answer?.reason) === undefined) unsure.add(id)
      }
      expected += stored
      if (stored < window.length) {
        await this.#throwUnlessOvertaken(answers, unsure)
        return { landed, last: expected, finished: false, refused }
      }
    }
    if (this.#ids !== null && this.#idsReadTo === sequence) this.#idsReadTo = expected
    return { landed, last: landed === 0 ? last : expected, finished: true, refused }
  }

  /** A faster publisher is no failure; everything else is. */
  async #throwUnlessOvertaken(answers: readonly PromiseSettledResult<unknown>[], unsure: ReadonlySet<string>): Promise<void> {
    const failed = answers.find((answer) => answer.status === 'rejected' && !isWrongLastSequence(answer.reason))
    if (failed?.status !== 'rejected') return
    const message = `publishing to ${this.#stream} failed: ${errorMessage(failed.reason)}`
    if (unsure.size > 0) throw new NatsUnavailableError(message, { cause: failed.reason })
    throw new Error(message, { cause: failed.reason })
  }

  /** The ids of the log, at least those with the subjects of these messages. */
  async #knownIds(tail: LogTail, publications: ReadonlyMap<string, OutgoingMessage>): Promise<Ids> {
    const { connected, sequence, redactions } = tail
    if (sequence === 0) this.#ids ??= new HashedSet()
    const subjects = new Set([...publications.values()].map(({ subject }) => subject))
    if (this.#ids === null && subjects.size <= FEW_SUBJECTS) {
      const ids = new Set<string>()
      if (subjects.size > 0) for await (const id of this.#readIds(tail, 1, [...subjects])) ids.add(id)
      for (const subject of subjects) {
        const redacted = redactions.ofSubject(fromNatsSubject(this.#prefix, subject))
        for await (const { id } of redactions.read(connected, redacted)) ids.add(id)
      }
      return ids
    }
    const all = this.#ids ?? new HashedSet()
    if (this.#idsReadTo < sequence) {
      for await (const id of this.#readIds(tail, this.#idsReadTo + 1)) all.add(id)
      const redacted = redactions.between(this.#idsReadTo, sequence + 1)
      for await (const { id } of redactions.read(connected, redacted)) all.add(id)
    }
    this.#ids = all
    this.#idsReadTo = Math.max(this.#idsReadTo, sequence)
    return all
  }

  async *#readIds({ connected }: LogTail, from: number, subjects: readonly string[] = []): AsyncIterable<string> {
    for await (const message of storedMessages(connected, { stream: this.#stream, from, subjects }))
      yield toRecord(this.#prefix, message).id
  }
}

function checkSize({ subject, payload }: OutgoingMessage, { nats }: Connected): void {
  // Headers count too, so leave some room for them.
  const limit = (nats.info?.max_payload ?? Number.POSITIVE_INFINITY) - 1024
  if (payload.length > limit)
    throw new RangeError(`an event of ${payload.length} bytes for ${subject} is larger than the server takes (${limit})`)
  if (subject.length > MAX_SUBJECT) throw new RangeError(`the subject ${subject.slice(0, 80)}… is too long`)
}
