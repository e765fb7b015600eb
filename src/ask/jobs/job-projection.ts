import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Position, START } from '../../ports/event-log.js'
import type { CategoryEvent, EventStore, StreamEvent } from '../../ports/event-store.js'
import { type AskJob, evolve, isFinished, JOB_CATEGORY, jobIdOf, parseJobEvent, RETENTION_S } from './job-events.js'
import { JobQuota } from './job-quota.js'

const HOUR_MS = 3_600_000
const COUNTED_HOURS = 24

export interface OpenJob {
  id: string
  job: AskJob
  /** Of the last event seen. */
  revision: number
}

/** Figures for operators: no ids, no questions. */
export interface JobSummary {
  queued: number
  running: number
  /** Of the last day. */
  completed: number
  failed: number
  /** Unfinished jobs with more than one attempt. */
  retried: number
  /** Age of the oldest queued and the oldest running job. */
  oldest_queued_s: number
  oldest_running_s: number
}

/** All ask jobs, from their category: open jobs one by one, finished ones as counts. Streams may come in any order. */
export class JobProjection {
  readonly #open = new Map<string, OpenJob>()
  readonly #finished = new Map<number, { completed: number; failed: number }>()

  /** Idempotent, so a writer may apply its own events before they come back. */
  apply(recorded: StreamEvent): void {
    const id = jobIdOf(recorded.stream)
    const known = this.#open.get(id)
    // Unknown, and not its first event: it has finished or is expiring.
    if (recorded.revision <= (known?.revision ?? -1) || (known === undefined && recorded.revision > 0)) return
    const event = parseJobEvent(recorded)
    const job = event === null ? (known?.job ?? null) : evolve(known?.job ?? null, event, recorded.recordedAt)
    if (job === null) return
    if (isFinished(job)) {
      this.#open.delete(id)
      this.#count(job)
    } else this.#open.set(id, { id, job, revision: recorded.revision })
  }

  /** Unfinished jobs, the oldest first. */
  *open(now: number): Generator<OpenJob> {
    for (const known of this.#open.values()) {
      // Its events have expired.
      if (now - known.job.createdAt >= RETENTION_S * 1000) this.#open.delete(known.id)
      else yield known
    }
  }

  get(id: string): OpenJob | undefined {
    return this.#open.get(id)
  }

  summary(now: number): JobSummary {
    const finished = [...this.#finished].filter(([hour]) => hour > now / HOUR_MS - COUNTED_HOURS).map(([, counts]) => counts)
    const jobs = [...this.open(now)].map(({ job }) => job)
    const queuedSince = jobs.filter(({ status }) => status === 'queued').map(({ createdAt }) => createdAt)
    const runningSince = jobs.filter(({ status }) => status === 'running').map(({ updatedAt }) => updatedAt)
    return {
      queued: queuedSince.length,
      running: runningSince.length,
      completed: finished.reduce((sum, { completed }) => sum + completed, 0),
      failed: finished.reduce((sum, { failed }) => sum + failed, 0),
      retried: jobs.filter(({ attempts }) => attempts > 1).length,
      oldest_queued_s: oldestAgeS(now, queuedSince),
      oldest_running_s: oldestAgeS(now, runningSince),
    }
  }

  #count({ status, updatedAt }: AskJob): void {
    const hour = Math.floor(updatedAt / HOUR_MS)
    const counts = this.#finished.get(hour) ?? { completed: 0, failed: 0 }
    if (status === 'completed') counts.completed += 1
    else counts.failed += 1
    this.#finished.set(hour, counts)
    for (const known of this.#finished.keys()) if (known <= hour - COUNTED_HOURS) this.#finished.delete(known)
  }
}

const oldestAgeS = (now: number, moments: readonly number[]): number =>
  moments.length === 0 ? 0 : Math.max(0, Math.round((now - moments.reduce((a, b) => Math.min(a, b))) / 1000))

const RETRY_MS = 1000
/** There may be a day of events to read: after this many, yield to requests. */
const EVENTS_PER_TURN = 64

export interface FollowOptions {
  onChange?: () => void
  /** The store answers, for the first time or again. */
  onReached?: () => void
  /** Called once, until the store answers again. */
  onError?: (error: unknown) => void
}

/** Keeps a projection up to date until stopped. Subscribes again while the store is away. */
export async function followJobs(
  store: Pick<EventStore, 'subscribe'>,
  projection: { apply(event: CategoryEvent): void },
  signal: AbortSignal,
  { onChange, onReached, onError }: FollowOptions = {},
): Promise<void> {
  let position = START
  let interrupted = false
  let count = 0
  const reach = (reached: Position) => {
    position = Math.max(position, reached) as Position
    interrupted = false
    onReached?.()
  }
  while (!signal.aborted) {
    try {
      for await (const event of store.subscribe(JOB_CATEGORY, position, signal, reach)) {
        position = event.position
        projection.apply(event)
        onChange?.()
        if (++count % EVENTS_PER_TURN === 0) await turn()
      }
    } catch (error) {
      if (!signal.aborted && !interrupted) onError?.(error)
      interrupted = true
    }
    if (!signal.aborted) await pause(RETRY_MS, undefined, { signal, ref: false }).catch(() => {})
  }
}

/** A failed operation counts for so long. By then a subscription notices that its connection is dead. */
const FAILURE_MS = 20_000

/** Counts of ask jobs by state, for status, dashboard and metrics, and by caller, for the quota. */
export class JobStats {
  /** Counted from the same events. */
  readonly quota: JobQuota
  readonly #projection = new JobProjection()
  readonly #stopping = new AbortController()
  readonly #following: Promise<void>
  #interrupted = true
  #failedAt = Number.NEGATIVE_INFINITY

  constructor(store: EventStore, logger: Logger, quota = new JobQuota()) {
    this.quota = quota
    const both = {
      apply: (event: CategoryEvent) => {
        this.#projection.apply(event)
        quota.apply(event)
      },
    }
    this.#following = followJobs(store, both, this.#stopping.signal, {
      onReached: () => {
        this.#interrupted = false
      },
      onError: (error) => {
        this.#interrupted = true
        logger.warn({ err: error }, 'ask jobs cannot be followed, trying again')
      },
    })
  }

  /** A job could not be submitted or found. */
  recordFailure(): void {
    this.#failedAt = Date.now()
  }

  /** `null` while the store cannot be reached. */
  summary(): JobSummary | null {
    const now = Date.now()
    return this.#interrupted || now - this.#failedAt < FAILURE_MS ? null : this.#projection.summary(now)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#following
  }
}
