import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { errorMessage } from '../../lib/message-text.js'
import { StoreUnavailableError } from '../../ports/document-store.js'
import { type CategoryEvent, type EventStore, WrongRevisionError } from '../../ports/event-store.js'
import type { Question } from '../request.js'
import type { AskResponse } from '../response.js'
import { CallerTurns } from './caller-turns.js'
import { type AskJobEvent, jobStream, toStreamEvent } from './job-events.js'
import { type AskJobCommand, claimableAt, decide } from './job-lifecycle.js'
import { followJobs, JobProjection, type OpenJob } from './job-projection.js'

export interface AskWorkerOptions {
  /** Questions answered at the same time. */
  concurrency?: number
  /** Longer than an attempt may take, so that a slow worker gives up before another takes over. */
  leaseMs?: number
  attemptMs?: number
  /** How long running attempts may take after the worker is stopped. */
  shutdownMs?: number
}

/** Adds to `subjects` the creators and creations whose words it reads. */
type AnswerQuestion = (question: Question, subjects: Set<string>) => Promise<AskResponse>

/** How often a failed append is repeated, which is harmless. */
const MAX_APPEND_TRIES = 5
const RETRY_MS = 500

/**
 * Answers ask jobs, together with any number of other workers. The first to append `started` has the job. A worker that
 * has lost it finds the stream longer than expected and drops its answer, so a job ends exactly once.
 */
export class AskWorker {
  readonly #store: EventStore
  readonly #answer: AnswerQuestion
  readonly #logger: Logger
  readonly #options: Required<AskWorkerOptions>
  readonly #name = `${process.pid}-${randomUUID().slice(0, 8)}`
  readonly #projection = new JobProjection()
  readonly #turns = new CallerTurns()
  readonly #clock = new StoreClock()
  readonly #running = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #aborting = new AbortController()
  #following: Promise<void> | null = null
  #scanScheduled: NodeJS.Immediate | null = null
  #scanTimer: NodeJS.Timeout | null = null

  constructor(
    store: EventStore,
    answer: AnswerQuestion,
    logger: Logger,
    { concurrency = 4, leaseMs = 30_000, attemptMs = 20_000, shutdownMs = 2000 }: AskWorkerOptions = {},
  ) {
    this.#store = store
    this.#answer = answer
    this.#logger = logger
    this.#options = { concurrency, leaseMs, attemptMs, shutdownMs }
  }

  start(): void {
    const { signal } = this.#stopping
    const onError = (error: unknown) => this.#logger.error({ err: error }, 'ask jobs cannot be followed, trying again')
    const heard = {
      apply: (event: CategoryEvent) => {
        this.#clock.observe(event.recordedAt)
        this.#projection.apply(event)
      },
    }
    this.#following = followJobs(this.#store, heard, signal, { onChange: () => this.#scheduleScan(), onError })
  }

  /** Lets running attempts finish for a moment; other workers take the rest. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    if (this.#scanScheduled !== null) clearImmediate(this.#scanScheduled)
    if (this.#scanTimer !== null) clearTimeout(this.#scanTimer)
    const halt = setTimeout(() => this.#aborting.abort(), this.#options.shutdownMs)
    await Promise.all(this.#running.values())
    clearTimeout(halt)
    await this.#following
  }

  /** Deferred: while catching up, the next event may say that another worker has the job. */
  #scheduleScan(): void {
    if (this.#stopping.signal.aborted) return
    this.#scanScheduled ??= setImmediate(() => {
      this.#scanScheduled = null
      this.#startClaimableJobs()
    })
  }

  #startClaimableJobs(): void {
    const { concurrency } = this.#options
    if (this.#running.size >= concurrency) return
    const now = this.#clock.now()
    let next = Number.POSITIVE_INFINITY
    const claimable = new Map<string, OpenJob[]>()
    for (const open of this.#projection.open(now)) {
      if (this.#running.has(open.id)) continue
      const at = claimableAt(open.job, now) ?? Number.POSITIVE_INFINITY
      const caller = open.job.caller ?? ''
      if (at > now) next = Math.min(next, at)
      else if (!claimable.get(caller)?.push(open)) claimable.set(caller, [open])
    }
    for (const open of this.#turns.order(claimable, concurrency - this.#running.size)) this.#startJob(open)
    if (this.#running.size >= concurrency) return
    if (this.#scanTimer !== null) clearTimeout(this.#scanTimer)
    this.#scanTimer = next === Number.POSITIVE_INFINITY ? null : setTimeout(() => this.#scheduleScan(), next - now)
  }

  #startJob({ id }: OpenJob): void {
    const work = this.#runJob(id)
      .catch((error) => this.#logger.error({ err: error, job: id }, 'an ask job could not be worked on'))
      .then(() => {
        this.#running.delete(id)
        this.#scheduleScan()
      })
    this.#running.set(id, work)
  }

  async #runJob(id: string): Promise<void> {
    const claimed = await this.#execute(id, { type: 'claim', worker: this.#name, leaseMs: this.#options.leaseMs })
    const started = claimed?.find((event) => event.type === 'started')
    const question = this.#projection.get(id)?.job.question
    if (started === undefined || question === undefined) return
    const { attempt } = started.data
    let outcome: AskJobCommand
    try {
      const subjects = new Set<string>()
      const result = await this.#withTimeout(this.#answerWhenModelsUp(question, subjects))
      outcome = { type: 'complete', attempt, result, subjects: [...subjects] }
    } catch (error) {
      this.#logger.warn({ err: error, job: id, attempt }, 'a question could not be answered')
      outcome = { type: 'give up', attempt, reason: errorMessage(error) }
    }
    await this.#execute(id, outcome)
  }

  /** If the models are away, the attempt waits for them as long as it may take. */
  #answerWhenModelsUp(question: Question, subjects: Set<string>): Promise<AskResponse> {
    const until = performance.now() + this.#options.attemptMs - RETRY_MS
    const isOver = () => this.#aborting.signal.aborted || performance.now() > until
    return retry(
      () => this.#answer(question, subjects),
      (error) => error instanceof StoreUnavailableError && !isOver(),
    )
  }

  /** The appended events; `null` if another worker was faster. */
  async #execute(id: string, command: AskJobCommand): Promise<AskJobEvent[] | null> {
    const open = this.#projection.get(id)
    if (open === undefined) return null
    const events = decide(command, open.job, this.#clock.now())
    if (events.length === 0) return null
    const stream = jobStream(id)
    const recorded = events.map(toStreamEvent)
    try {
      // A short outage of the store must not cost an answer.
      await retry(
        () => this.#store.append(stream, recorded, open.revision),
        (error, tries) => !(error instanceof WrongRevisionError) && tries < MAX_APPEND_TRIES && !this.#aborting.signal.aborted,
      )
    } catch (error) {
      if (!(error instanceof WrongRevisionError)) throw error
      for (const event of await this.#store.read(stream, open.revision + 1)) this.#projection.apply(event)
      return null
    }
    for (const [i, event] of recorded.entries()) {
      this.#projection.apply({ ...event, stream, revision: open.revision + 1 + i, recordedAt: this.#clock.now() })
    }
    return events
  }

  async #withTimeout<T>(answer: Promise<T>): Promise<T> {
    const { attemptMs } = this.#options
    const answered = new AbortController()
    const fail = (reason: string) => () => Promise.reject(new Error(reason))
    const stop = () => answered.abort()
    // Not AbortSignal.any: a signal that lives as long as the process keeps a trace of each signal made from it.
    this.#aborting.signal.addEventListener('abort', stop)
    const late = pause(attemptMs, undefined, { signal: answered.signal }).then(
      fail(`no answer within ${attemptMs} ms`),
      fail('the worker was stopped'),
    )
    try {
      return await Promise.race([answer, late])
    } finally {
      this.#aborting.signal.removeEventListener('abort', stop)
      answered.abort()
    }
  }
}

async function retry<T>(action: () => Promise<T>, mayRetry: (error: unknown, tries: number) => boolean): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await action()
    } catch (error) {
      if (!mayRetry(error, tries)) throw error
      await pause(RETRY_MS)
    }
  }
}

/**
 * The store's clock, estimated from the time of its last event and the time passed since. A machine's own clock may be
 * wrong by hours: compared with the store's times, a lease would last for hours, or a new question would seem expired.
 */
class StoreClock {
  #lastSeen: { moment: number; at: number } | null = null

  /** Call when an event arrives, with the time it was recorded. */
  observe(recordedAt: number): void {
    this.#lastSeen = { moment: recordedAt, at: performance.now() }
  }

  now(): number {
    return this.#lastSeen === null ? Date.now() : Math.floor(this.#lastSeen.moment + performance.now() - this.#lastSeen.at)
  }
}
