import type { Logger } from 'pino'
import type { EventStore } from '../../ports/event-store.js'
import { follow } from './follow.js'
import { JobBoard, type JobSummary } from './job-projection.js'

/** A store that cannot be followed says so again and again; after this long without a word it can. */
const TROUBLED_MS = 5000

/** The read model of ask jobs: how many stand where, for status, dashboard and metrics. */
export class AskJobWatch {
  readonly #board = new JobBoard()
  readonly #stopping = new AbortController()
  readonly #following: Promise<void>
  #troubledAt = Number.NEGATIVE_INFINITY

  constructor(store: EventStore, logger: Logger) {
    this.#following = follow(store, this.#board, this.#stopping.signal, {
      changed: () => {
        this.#troubledAt = Number.NEGATIVE_INFINITY
      },
      troubled: (error) => {
        this.#troubledAt = Date.now()
        logger.warn({ err: error }, 'ask jobs cannot be followed, trying again')
      },
    })
  }

  /** `null` while the store cannot be reached. */
  summary(): JobSummary | null {
    const now = Date.now()
    return now - this.#troubledAt < TROUBLED_MS ? null : this.#board.summary(now)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#following
  }
}
