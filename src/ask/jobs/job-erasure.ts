/** Erases ask jobs that hold words of removed creators: question, answer and all. */
import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { distinct } from '../../lib/distinct.js'
import type { Keeper } from '../../operations/erasure-watch.js'
import type { Tombstones } from '../../operations/tombstones.js'
import type { KeptWords } from '../../operations/words-read.js'
import { type EventStore, WrongRevisionError } from '../../ports/event-store.js'
import { releaseKey } from './idempotency-keys.js'
import { ERASED, erasureStream, type JobEvent, jobStream, RETENTION_S, replay } from './job-events.js'

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

interface Answered extends KeptWords {
  at: number
}

/**
 * Knows which answered jobs hold whose words, and erases them when the watch says so. A job that is answered from models
 * without the removal is looked at again when its answer arrives.
 */
export class JobErasure implements Keeper {
  readonly #store: EventStore
  readonly #tombstones: Pick<Tombstones, 'among'>
  readonly #look: () => void
  /** The oldest first. */
  readonly #answered = new Map<string, Answered>()
  #arrived: Answered[] = []
  #checking: Promise<void> | null = null

  /** `look` is called when an arrived answer could not be checked. */
  constructor(store: EventStore, tombstones: Pick<Tombstones, 'among'>, look: () => void) {
    this.#store = store
    this.#tombstones = tombstones
    this.#look = look
  }

  async stop(): Promise<void> {
    await this.#checking
  }

  apply({ jobId, recordedAt, event }: JobEvent): void {
    if (event?.type === 'erased') this.#answered.delete(jobId)
    if (event?.type !== 'completed') return
    const { subjects = [] } = event.data
    if (subjects.length === 0) return
    const answered = { subjects, at: recordedAt }
    this.#answered.delete(jobId)
    this.#answered.set(jobId, answered)
    for (const [oldest, { at }] of this.#answered) {
      if (at > recordedAt - RETENTION_S * 1000) break
      this.#answered.delete(oldest)
    }
    this.#arrived.push(answered)
    this.#checking ??= this.#checkArrived()
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
  async #checkArrived(): Promise<void> {
    await turn()
    const arrived = this.#arrived
    this.#arrived = []
    this.#checking = null
    try {
      const removed = await this.#tombstones.among(distinct(arrived.map(({ subjects }) => subjects)))
      if (removed.size > 0) await this.purge(removed)
    } catch {
      this.#look()
    }
  }
}
