import type { Logger } from 'pino'
import type { EventStore } from '../../ports/event-store.js'
import { followJobs, JobProjection, type JobSummary } from './job-projection.js'

/** A store that is away reports errors repeatedly; after this long without one it is back. */
const ERROR_GRACE_MS = 5000

/** Counts of ask jobs by state, for status, dashboard and metrics. */
export class JobStats {
  readonly #projection = new JobProjection()
  readonly #stopping = new AbortController()
  readonly #following: Promise<void>
  #lastErrorAt = Number.NEGATIVE_INFINITY

  constructor(store: EventStore, logger: Logger) {
    this.#following = followJobs(store, this.#projection, this.#stopping.signal, {
      onChange: () => {
        this.#lastErrorAt = Number.NEGATIVE_INFINITY
      },
      onError: (error) => {
        this.#lastErrorAt = Date.now()
        logger.warn({ err: error }, 'ask jobs cannot be followed, trying again')
      },
    })
  }

  /** `null` while the store cannot be reached. */
  summary(): JobSummary | null {
    const now = Date.now()
    return now - this.#lastErrorAt < ERROR_GRACE_MS ? null : this.#projection.summary(now)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#following
  }
}
