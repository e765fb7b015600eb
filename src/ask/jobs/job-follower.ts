import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Position, START } from '../../ports/event-log.js'
import type { CategoryEvent, EventStore } from '../../ports/event-store.js'
import { decodeJobEvent, JOB_CATEGORY, type JobEvent } from './job-events.js'
import { JobProjection, type JobSummary } from './job-projection.js'
import { JobQuota } from './job-quota.js'
import { StoreClock } from './store-clock.js'

/** A failed operation counts for so long. By then a subscription notices that its connection is dead. */
const FAILURE_MS = 20_000

/**
 * Follows the ask jobs of all processes, once for all in this one that want to know: the open jobs and their numbers, the
 * quota, and who else listens. Each event is decoded once.
 */
export class JobFollower {
  readonly store: EventStore
  readonly projection = new JobProjection()
  readonly quota: JobQuota
  readonly clock = new StoreClock()
  readonly #logger: Logger
  readonly #listeners: ((event: JobEvent) => void)[] = []
  readonly #stopping = new AbortController()
  #following: Promise<void> | null = null
  #interrupted = true
  #failedAt = Number.NEGATIVE_INFINITY

  constructor(store: EventStore, logger: Logger, quota = new JobQuota()) {
    this.store = store
    this.quota = quota
    this.#logger = logger
  }

  /** Calls back with each event from then on. Who needs them all listens before the start. */
  onEvent(listener: (event: JobEvent) => void): void {
    this.#listeners.push(listener)
  }

  start(): void {
    this.#following = followJobs(this.store, (recorded) => this.#apply(recorded), this.#stopping.signal, {
      onReached: () => {
        this.#interrupted = false
      },
      onError: (error) => {
        this.#interrupted = true
        this.#logger.warn({ err: error }, 'ask jobs cannot be followed, trying again')
      },
    })
  }

  /** A job could not be submitted or found. */
  recordFailure(): void {
    this.#failedAt = Date.now()
  }

  /** Counts of jobs by state, for status, dashboard and metrics. `null` while the store cannot be reached. */
  summary(): JobSummary | null {
    const now = Date.now()
    return this.#interrupted || now - this.#failedAt < FAILURE_MS ? null : this.projection.summary(now)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#following
  }

  #apply(recorded: CategoryEvent): void {
    const event = decodeJobEvent(recorded)
    this.clock.observe(event.recordedAt)
    this.projection.apply(event)
    this.quota.apply(event)
    for (const listener of this.#listeners) listener(event)
  }
}

const RETRY_MS = 1000
/** There may be a day of events to read: after this many, yield to requests. */
const EVENTS_PER_TURN = 64

export interface FollowOptions {
  /** The store answers, for the first time or again. */
  onReached?: () => void
  /** Called once, until the store answers again. */
  onError?: (error: unknown) => void
}

/** Hands on every event until stopped. Subscribes again while the store is away. */
export async function followJobs(
  store: Pick<EventStore, 'subscribe'>,
  apply: (event: CategoryEvent) => void,
  signal: AbortSignal,
  { onReached, onError }: FollowOptions = {},
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
        apply(event)
        if (++count % EVENTS_PER_TURN === 0) await turn()
      }
    } catch (error) {
      if (!signal.aborted && !interrupted) onError?.(error)
      interrupted = true
    }
    if (!signal.aborted) await pause(RETRY_MS, undefined, { signal, ref: false }).catch(() => {})
  }
}
