import { randomUUID } from 'node:crypto'
import { ServiceError } from '../../contract/errors.js'
import { withTimeout } from '../../lib/backoff-and-timeout.js'
import type { Tombstones } from '../../operations/tombstones.js'
import { type EventStore, WrongRevisionError } from '../../ports/event-store.js'
import type { Question } from '../request.js'
import { CallerHash } from './caller-hash.js'
import { claimKey, type JobKey } from './idempotency-keys.js'
import { eraseJob } from './job-erasure.js'
import { type AskJob, jobStream, replay, toStreamEvent } from './job-events.js'
import { type AskJobCommand, decide } from './job-lifecycle.js'
import { JobQuota, QuotaExceededError } from './job-quota.js'

/** The key has been used with another payload. */
export class KeyReusedError extends Error {
  override name = 'KeyReusedError'
}

export interface SubmittedJob {
  id: string
  job: AskJob
  /** The key had been used before: this is its job. */
  replayed: boolean
}

/** A key whose job has just been erased is claimed again. */
const MAX_ATTEMPTS = 3
/** The caller waits no longer, even if the stores hang. */
const DEADLINE_MS = 5000
const JOB_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export interface AskJobsOptions {
  /** Follows the jobs of all processes. Without one, only those submitted here count. */
  quota?: JobQuota
  /** A job could not be submitted or found. */
  onFailure?: () => void
  now?: () => number
}

/** Submits jobs and finds them. The worker answers them. */
export class AskJobs {
  readonly #store: EventStore
  readonly #tombstones: Pick<Tombstones, 'among'>
  readonly #quota: JobQuota
  readonly #callers: CallerHash
  readonly #onFailure: () => void
  readonly #now: () => number

  constructor(
    store: EventStore,
    tombstones: Pick<Tombstones, 'among'>,
    { quota = new JobQuota(), onFailure = () => {}, now = Date.now }: AskJobsOptions = {},
  ) {
    this.#store = store
    this.#tombstones = tombstones
    this.#quota = quota
    this.#callers = new CallerHash(store)
    this.#onFailure = onFailure
    this.#now = now
  }

  /** Once it resolves, every process finds the job. Throws {@link QuotaExceededError}. */
  async submit(question: Question, plainKey?: JobKey, caller = '', network: string | null = null): Promise<SubmittedJob> {
    return this.#orUnavailable(async (late) => {
      const key = plainKey && (await this.#keyed(plainKey))
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const fresh = randomUUID()
        const holder = { caller: await this.#callers.of(caller), ...(network === null ? {} : { network: await this.#callers.of(network) }) }
        const request = { type: 'request' as const, question, ...holder }
        const mayClaim = () => this.#quota.check(holder, Buffer.byteLength(JSON.stringify(request)), this.#now())
        if (key === undefined) mayClaim()
        const claim = key === undefined ? undefined : await claimKey(this.#store, key, fresh, this.#now(), mayClaim)
        if (claim !== undefined && claim.fingerprint !== key?.fingerprint) throw new KeyReusedError()
        const id = claim?.jobId ?? fresh
        late.throwIfAborted()
        // Also for a key that was used before: its caller may have been stopped right here.
        await this.#appendRequested(id, claim === undefined ? request : { ...request, keyStream: claim.stream })
        const job = await this.#read(id)
        if (job !== null) return { id, job, replayed: id !== fresh }
      }
      throw new Error('each ask job of this key was erased')
    })
  }

  /** Plain hashes of an address, a key and a question could be guessed. */
  async #keyed({ scope, fingerprint }: JobKey): Promise<JobKey> {
    return { scope: await this.#callers.of(scope), fingerprint: await this.#callers.of(fingerprint) }
  }

  /** `null` for an id that was never issued, or more than a day ago, and for a job that holds words of a removed creator. */
  async find(id: string): Promise<AskJob | null> {
    return JOB_ID.test(id) ? this.#orUnavailable(() => this.#read(id)) : null
  }

  async #appendRequested(id: string, command: AskJobCommand): Promise<void> {
    const [requested] = decide(command, null, this.#now())
    if (requested === undefined) return
    try {
      const revision = await this.#store.append(jobStream(id), [toStreamEvent(requested)], 'no stream')
      this.#quota.apply({ jobId: id, revision, recordedAt: this.#now(), event: requested })
    } catch (error) {
      if (!(error instanceof WrongRevisionError)) throw error
    }
  }

  async #read(id: string): Promise<AskJob | null> {
    const job = replay(await this.#store.read(jobStream(id)))
    if (job?.status !== 'completed' || (await this.#tombstones.among(job.subjects ?? [])).size === 0) return job
    // The erasure watch may not have come to it yet.
    await eraseJob(this.#store, id)
    return null
  }

  /** An action that is late begins nothing more: its caller has been refused. */
  async #orUnavailable<T>(action: (late: AbortSignal) => Promise<T>): Promise<T> {
    const late = new AbortController()
    try {
      return await withTimeout(DEADLINE_MS, action(late.signal))
    } catch (error) {
      if (error instanceof KeyReusedError || error instanceof QuotaExceededError) throw error
      late.abort()
      this.#onFailure()
      throw new ServiceError('upstream_unavailable', 'Ask jobs cannot be reached at the moment.', { retryAfterS: 5, cause: error })
    }
  }
}
