import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { errorMessage } from '../../lib/message-text.js'
import { type KeptWords, WordsRead } from '../../operations/words-read.js'
import { StoreUnavailableError } from '../../ports/document-store.js'
import { WrongRevisionError } from '../../ports/event-store.js'
import type { Question } from '../request.js'
import type { AskResponse } from '../response.js'
import { CallerTurns } from './caller-turns.js'
import { type AskJobEvent, decodeJobEvent, jobStream, toStreamEvent } from './job-events.js'
import type { JobFollower } from './job-follower.js'
import { type AskJobCommand, claimableAt, decide } from './job-lifecycle.js'
import type { OpenJob } from './job-projection.js'

export interface AskWorkerOptions {
  /** Questions answered at the same time. */
  concurrency?: number
  /** Longer than an attempt may take, so that a slow worker gives up before another takes over. */
  leaseMs?: number
  attemptMs?: number
  /** How long running attempts may take after the worker is stopped. */
  shutdownMs?: number
}

/** Notes in `wordsRead` whose words it reads. */
type AnswerQuestion = (question: Question, wordsRead: WordsRead) => Promise<AskResponse>

/** How often a failed append is repeated, which is harmless. */
const MAX_APPEND_TRIES = 5
const RETRY_MS = 500

/**
 * Answers ask jobs, together with any number of other workers. The first to append `started` has the job. A worker that
 * has lost it finds the stream longer than expected and drops its answer, so a job ends exactly once.
 */
export class AskWorker {
  readonly #jobs: JobFollower
  readonly #answer: AnswerQuestion
  readonly #logger: Logger
  readonly #options: Required<AskWorkerOptions>
  readonly #name = `${process.pid}-${randomUUID().slice(0, 8)}`
  readonly #turns = new CallerTurns()
  readonly #running = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #aborting = new AbortController()
  #scanScheduled: NodeJS.Immediate | null = null
  #scanTimer: NodeJS.Timeout | null = null

  constructor(
    jobs: JobFollower,
    answer: AnswerQuestion,
    logger: Logger,
    { concurrency = 4, leaseMs = 30_000, attemptMs = 20_000, shutdownMs = 2000 }: AskWorkerOptions = {},
  ) {
    this.#jobs = jobs
    this.#answer = answer
    this.#logger = logger
    this.#options = { concurrency, leaseMs, attemptMs, shutdownMs }
  }

  start(): void {
    this.#jobs.onEvent(() => this.#scheduleScan())
    this.#scheduleScan()
  }

  /** Lets running attempts finish for a moment; other workers take the rest. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    if (this.#scanScheduled !== null) clearImmediate(this.#scanScheduled)
    if (this.#scanTimer !== null) clearTimeout(this.#scanTimer)
    const halt = setTimeout(() => this.#aborting.abort(), this.#options.shutdownMs)
    await Promise.all(this.#running.values())
    clearTimeout(halt)
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
    const now = this.#jobs.clock.now()
    let next = Number.POSITIVE_INFINITY
    const claimable = new Map<string, OpenJob[]>()
    for (const open of this.#jobs.projection.open(now)) {
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
    const question = this.#jobs.projection.get(id)?.job.question
    if (started === undefined || question === undefined) return
    const { attempt } = started.data
    let outcome: AskJobCommand
    try {
      outcome = { type: 'complete', attempt, ...(await this.#withTimeout(this.#answerWhenModelsUp(question))) }
    } catch (error) {
      this.#logger.warn({ err: error, job: id, attempt }, 'a question could not be answered')
      outcome = { type: 'give up', attempt, reason: errorMessage(error) }
    }
    await this.#execute(id, outcome)
  }

  /** If the models are away, the attempt waits for them as long as it may take. */
  #answerWhenModelsUp(question: Question): Promise<{ result: AskResponse } & KeptWords> {
    const until = performance.now() + this.#options.attemptMs - RETRY_MS
    const isOver = () => this.#aborting.signal.aborted || performance.now() > until
    return retry(
      async () => {
        const wordsRead = new WordsRead()
        return { result: await this.#answer(question, wordsRead), ...wordsRead.toKeep() }
      },
      (error) => error instanceof StoreUnavailableError && !isOver(),
    )
  }

  /** The appended events; `null` if another worker was faster. */
  async #execute(id: string, command: AskJobCommand): Promise<AskJobEvent[] | null> {
    const { store, projection, clock } = this.#jobs
    const open = projection.get(id)
    if (open === undefined) return null
    const events = decide(command, open.job, clock.now())
    if (events.length === 0) return null
    const stream = jobStream(id)
    const recorded = events.map(toStreamEvent)
    try {
      // A short outage of the store must not cost an answer.
      await retry(
        () => store.append(stream, recorded, open.revision, { repeatable: command.type === 'claim' }),
        (error, tries) => !(error instanceof WrongRevisionError) && tries < MAX_APPEND_TRIES && !this.#aborting.signal.aborted,
      )
    } catch (error) {
      if (!(error instanceof WrongRevisionError)) throw error
      for (const recorded of await store.read(stream, open.revision + 1)) projection.apply(decodeJobEvent(recorded))
      return null
    }
    for (const [i, event] of events.entries()) {
      projection.apply({ jobId: id, revision: open.revision + 1 + i, recordedAt: clock.now(), event })
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
