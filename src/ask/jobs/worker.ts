import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StoreUnavailableError } from '../../ports/document-store.js'
import { type CategoryEvent, type EventStore, WrongRevisionError } from '../../ports/event-store.js'
import type { Question } from '../request.js'
import type { AskResponse } from '../response.js'
import { follow } from './follow.js'
import { type AskJobEvent, streamOf, toStore } from './job-events.js'
import { type AskJobCommand, claimableAt, decide } from './job-lifecycle.js'
import { JobBoard, type OpenJob } from './job-projection.js'
import { keepForADay } from './retention.js'
import { StoreClock } from './store-clock.js'

export interface AskWorkerOptions {
  /** Questions answered at a time. */
  concurrency?: number
  /** Longer than an attempt may take, so that a worker that is merely slow gives up before another takes over. */
  leaseMs?: number
  attemptMs?: number
  /** What is left to questions under way when the worker is stopped. */
  farewellMs?: number
}

/** How often to say to the store again what it did not take. Repeating an append is harmless. */
const TRIES = 5
const TRY_AGAIN_MS = 500

/**
 * Answers ask jobs, together with any number of others like it. Whoever appends `started` first has the job; whoever
 * has lost it finds the stream longer than expected and drops what it has, so a job ends exactly once.
 */
export class AskWorker {
  readonly #store: EventStore
  readonly #answer: (question: Question) => Promise<AskResponse>
  readonly #logger: Logger
  readonly #options: Required<AskWorkerOptions>
  readonly #name = `${process.pid}-${randomUUID().slice(0, 8)}`
  readonly #board = new JobBoard()
  readonly #clock = new StoreClock()
  readonly #atWork = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #halted = new AbortController()
  #following: Promise<void> | null = null
  #soon: NodeJS.Immediate | null = null
  #later: NodeJS.Timeout | null = null

  constructor(
    store: EventStore,
    answer: (question: Question) => Promise<AskResponse>,
    logger: Logger,
    { concurrency = 4, leaseMs = 30_000, attemptMs = 20_000, farewellMs = 2000 }: AskWorkerOptions = {},
  ) {
    this.#store = store
    this.#answer = answer
    this.#logger = logger
    this.#options = { concurrency, leaseMs, attemptMs, farewellMs }
  }

  start(): void {
    const { signal } = this.#stopping
    const troubled = (error: unknown) => this.#logger.error({ err: error }, 'ask jobs cannot be followed, trying again')
    keepForADay(this.#store).catch(troubled)
    const heard = {
      apply: (event: CategoryEvent) => {
        this.#clock.hear(event.recordedAt)
        this.#board.apply(event)
      },
    }
    this.#following = follow(this.#store, heard, signal, { changed: () => this.#lookSoon(), troubled })
  }

  /** Lets questions under way come to their end, for a moment; the rest is left to others. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    if (this.#soon !== null) clearImmediate(this.#soon)
    if (this.#later !== null) clearTimeout(this.#later)
    const halt = setTimeout(() => this.#halted.abort(), this.#options.farewellMs)
    await Promise.all(this.#atWork.values())
    clearTimeout(halt)
    await this.#following
  }

  /** Not at once: while catching up, the next event may already say that somebody else has the job. */
  #lookSoon(): void {
    if (this.#stopping.signal.aborted) return
    this.#soon ??= setImmediate(() => {
      this.#soon = null
      this.#look()
    })
  }

  #look(): void {
    const now = this.#clock.now()
    let next = Number.POSITIVE_INFINITY
    for (const open of this.#board.open(now)) {
      if (this.#atWork.size >= this.#options.concurrency) return
      if (this.#atWork.has(open.id)) continue
      const at = claimableAt(open.job, now) ?? Number.POSITIVE_INFINITY
      if (at <= now) this.#take(open)
      else next = Math.min(next, at)
    }
    if (this.#later !== null) clearTimeout(this.#later)
    this.#later = next === Number.POSITIVE_INFINITY ? null : setTimeout(() => this.#lookSoon(), next - now)
  }

  #take({ id }: OpenJob): void {
    const work = this.#work(id)
      .catch((error) => this.#logger.error({ err: error, job: id }, 'an ask job could not be worked on'))
      .then(() => {
        this.#atWork.delete(id)
        this.#lookSoon()
      })
    this.#atWork.set(id, work)
  }

  async #work(id: string): Promise<void> {
    const claimed = await this.#carryOut(id, { type: 'claim', worker: this.#name, leaseMs: this.#options.leaseMs })
    const started = claimed?.find((event) => event.type === 'started')
    const question = this.#board.get(id)?.job.question
    if (started === undefined || question === undefined) return
    const { attempt } = started.data
    let outcome: AskJobCommand
    try {
      outcome = { type: 'complete', attempt, result: await this.#inTime(this.#answered(question)) }
    } catch (error) {
      this.#logger.warn({ err: error, job: id, attempt }, 'a question could not be answered')
      outcome = { type: 'give up', attempt, reason: error instanceof Error ? error.message : String(error) }
    }
    await this.#carryOut(id, outcome)
  }

  /** Models that cannot be reached are no fault of the question: an attempt waits for them for as long as it may take. */
  async #answered(question: Question): Promise<AskResponse> {
    for (const until = performance.now() + this.#options.attemptMs - TRY_AGAIN_MS; ; ) {
      try {
        return await this.#answer(question)
      } catch (error) {
        const isOver = this.#halted.signal.aborted || performance.now() > until
        if (isOver || !(error instanceof StoreUnavailableError)) throw error
        await pause(TRY_AGAIN_MS)
      }
    }
  }

  /** The events that were appended; `null` when somebody else was faster. */
  async #carryOut(id: string, command: AskJobCommand): Promise<AskJobEvent[] | null> {
    const open = this.#board.get(id)
    if (open === undefined) return null
    const events = decide(command, open.job, this.#clock.now())
    if (events.length === 0) return null
    const stream = streamOf(id)
    const recorded = events.map(toStore)
    try {
      await this.#insist(() => this.#store.append(stream, recorded, open.revision))
    } catch (error) {
      if (!(error instanceof WrongRevisionError)) throw error
      for (const event of await this.#store.read(stream, open.revision + 1)) this.#board.apply(event)
      return null
    }
    for (const [i, event] of recorded.entries()) {
      this.#board.apply({ ...event, stream, revision: open.revision + 1 + i, recordedAt: this.#clock.now() })
    }
    return events
  }

  /** A store that cannot be reached for a moment must not cost an answer. */
  async #insist<T>(action: () => Promise<T>): Promise<T> {
    for (let left = TRIES; ; left--) {
      try {
        return await action()
      } catch (error) {
        if (error instanceof WrongRevisionError || left <= 1) throw error
        await pause(TRY_AGAIN_MS)
      }
    }
  }

  async #inTime<T>(answer: Promise<T>): Promise<T> {
    const { attemptMs } = this.#options
    const { signal } = this.#halted
    let stopped = () => {}
    let late: NodeJS.Timeout | undefined
    const cut = new Promise<never>((_resolve, reject) => {
      stopped = () => reject(new Error('the worker was stopped'))
      late = setTimeout(() => reject(new Error(`no answer within ${attemptMs} ms`)), attemptMs)
      signal.addEventListener('abort', stopped)
    })
    try {
      return await Promise.race([answer, cut])
    } finally {
      clearTimeout(late)
      signal.removeEventListener('abort', stopped)
    }
  }
}
