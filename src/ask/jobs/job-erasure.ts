/** Erases ask jobs that hold words of removed creators: question, answer and all. */
import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import type { Logger } from 'pino'
import { distinct } from '../../lib/distinct.js'
import type { Keeper } from '../../operations/erasure-watch.js'
import type { Tombstones } from '../../operations/tombstones.js'
import { type EventStore, type StreamEvent, WrongRevisionError } from '../../ports/event-store.js'
import { releaseKey } from './idempotency-keys.js'
import { ERASED, erasedJobIn, erasureStream, jobIdOf, jobStream, parseJobEvent, RETENTION_S, replay } from './job-events.js'
import { followJobs } from './job-projection.js'

/** Its id is unknown from now on, and its key starts a new job. Can be repeated, so after a crash it is done again. */
export async function eraseJob(store: EventStore, id: string): Promise<void> {
  const job = replay(await store.read(jobStream(id)))
  if (job?.keyStream !== undefined) await releaseKey(store, job.keyStream, id)
  await store.delete(jobStream(id))
  await announceErasure(store, id)
}

/**
 * Tells every process that follows the jobs. It also takes the place of the erased event in the memory of subscriptions,
 * which hold the last one they delivered.
 */
async function announceErasure(store: EventStore, id: string): Promise<void> {
  try {
    await store.append(erasureStream(id), [{ id: randomUUID(), type: ERASED, data: { jobId: id } }], 'no stream')
  } catch (error) {
    // Another process has erased it, too.
    if (!(error instanceof WrongRevisionError)) throw error
  }
}

interface Answered {
  subjects: readonly string[]
  at: number
}

/**
 * Knows which answered jobs hold whose words, and erases them when the watch says so. A job that is answered from models
 * without the removal is looked at again when its answer arrives.
 */
export class JobErasure implements Keeper {
  readonly #store: EventStore
  readonly #tombstones: Pick<Tombstones, 'among'>
  readonly #logger: Logger
  /** The oldest first. */
  readonly #answered = new Map<string, Answered>()
  readonly #stopping = new AbortController()
  #arrived: Answered[] = []
  #following: Promise<void> | null = null
  #checking: Promise<void> | null = null

  constructor(store: EventStore, tombstones: Pick<Tombstones, 'among'>, logger: Logger) {
    this.#store = store
    this.#tombstones = tombstones
    this.#logger = logger
  }

  /** `look` is called when an arrived answer could not be checked. */
  start(look: () => void): void {
    const onError = (error: unknown) => this.#logger.warn({ err: error }, 'ask jobs cannot be followed for erasures, trying again')
    const onChange = () => {
      this.#checking ??= this.#checkArrived(look)
    }
    this.#following = followJobs(this.#store, this, this.#stopping.signal, { onChange, onError })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#following
    await this.#checking
  }

  apply(recorded: StreamEvent): void {
    const erased = erasedJobIn(recorded)
    if (erased !== null) this.#answered.delete(erased)
    const event = parseJobEvent(recorded)
    if (event?.type !== 'completed' || event.data.subjects === undefined || event.data.subjects.length === 0) return
    const answered = { subjects: event.data.subjects, at: recorded.recordedAt }
    const id = jobIdOf(recorded.stream)
    this.#answered.delete(id)
    this.#answered.set(id, answered)
    this.#arrived.push(answered)
    for (const [oldest, { at }] of this.#answered) {
      if (at > recorded.recordedAt - RETENTION_S * 1000) break
      this.#answered.delete(oldest)
    }
  }

  subjects(): Iterable<string> {
    return distinct([...this.#answered.values()].map(({ subjects }) => subjects))
  }

  async purge(removed: ReadonlySet<string>): Promise<void> {
    for (const [id, { subjects }] of this.#answered) {
      if (!subjects.some((subject) => removed.has(subject))) continue
      await eraseJob(this.#store, id)
      this.#answered.delete(id)
    }
  }

  /** All that arrive in one turn together: at the start there may be a day of them. */
  async #checkArrived(look: () => void): Promise<void> {
    await turn()
    const arrived = this.#arrived
    this.#arrived = []
    this.#checking = null
    try {
      const removed = await this.#tombstones.among(distinct(arrived.map(({ subjects }) => subjects)))
      if (removed.size > 0) await this.purge(removed)
    } catch {
      look()
    }
  }
}
