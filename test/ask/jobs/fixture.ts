/** Ask jobs on an event store, and workers that answer them. */
import { join } from 'node:path'
import { pino } from 'pino'
import type { Test } from 'tap'
import { SqliteEventStore } from '../../../src/adapters/sqlite/event-store.js'
import { AskJobs } from '../../../src/ask/jobs/ask-jobs.js'
import { type AskJob, jobStream, MAX_AGES } from '../../../src/ask/jobs/job-events.js'
import { JobFollower } from '../../../src/ask/jobs/job-follower.js'
import type { JobProjection } from '../../../src/ask/jobs/job-projection.js'
import { AskWorker, type AskWorkerOptions } from '../../../src/ask/jobs/worker.js'
import type { Question } from '../../../src/ask/request.js'
import type { AskResponse } from '../../../src/ask/response.js'
import type { EventStore } from '../../../src/ports/event-store.js'
import { folderWith } from '../../adapters/folder.js'
import { NOBODY_REMOVED } from '../../support/nobody-removed.js'

const logger = pino({ level: 'silent' })

type Answer = (question: Question) => Promise<AskResponse>

export class JobFixture {
  readonly store: EventStore
  readonly jobs: AskJobs
  readonly projection: JobProjection
  readonly #workers: AskWorker[] = []
  readonly #waiting = new Set<() => void>()
  readonly #followers: JobFollower[] = []

  /** Closed after the test; the store is not. */
  static open(t: Test, store: EventStore): JobFixture {
    const fixture = new JobFixture(store)
    t.teardown(() => fixture.close())
    return fixture
  }

  private constructor(store: EventStore) {
    this.store = store
    this.jobs = new AskJobs(store, NOBODY_REMOVED)
    const follower = this.#follow(store)
    follower.onEvent(() => {
      for (const look of this.#waiting) look()
    })
    this.projection = follower.projection
  }

  /** By default on the fixture's connection to the store. */
  startWorker(answer: Answer, options: AskWorkerOptions = {}, store = this.store): AskWorker {
    const worker = new AskWorker(this.#follow(store), answer, logger, options)
    this.#workers.push(worker)
    worker.start()
    return worker
  }

  /** Resolves with the job when it is as wanted; looks again whenever any job changes. */
  async until(id: string, hasCome: (job: AskJob) => boolean): Promise<AskJob> {
    for (;;) {
      const changed = this.#nextChange()
      const job = await this.jobs.find(id)
      if (job !== null && hasCome(job)) return job
      await changed
    }
  }

  async history(id: string): Promise<string[]> {
    return (await this.store.read(jobStream(id))).map(({ type }) => type)
  }

  async close(): Promise<void> {
    for (const worker of this.#workers) await worker.stop()
    for (const follower of this.#followers) await follower.stop()
  }

  /** Each worker knows only what it has heard itself, as in a process of its own. */
  #follow(store: EventStore): JobFollower {
    const follower = new JobFollower(store, logger)
    this.#followers.push(follower)
    follower.start()
    return follower
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        this.#waiting.delete(look)
        resolve()
      }
      this.#waiting.add(look)
    })
  }
}

/** A fixture on its own SQLite file, whose clock may differ from this process's. */
export async function openFixture(t: Test, now = Date.now): Promise<JobFixture & { path: string }> {
  const folder = folderWith()
  const path = join(folder, 'events.db')
  const store = new SqliteEventStore(path, { maxAges: MAX_AGES, now })
  t.teardown(() => store.close())
  return Object.assign(JobFixture.open(t, store), { path })
}
