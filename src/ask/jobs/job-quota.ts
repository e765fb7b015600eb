import type { StreamEvent } from '../../ports/event-store.js'
import { erasedJobIn, jobIdOf, parseJobEvent, RETENTION_S } from './job-events.js'

export interface QuotaLimits {
  jobs: number
  bytes: number
}

/** What is kept of one caller, and of all together, for a day. */
const PER_CALLER: QuotaLimits = { jobs: 500, bytes: 4 * 1024 * 1024 }
const IN_ALL: QuotaLimits = { jobs: 10_000, bytes: 64 * 1024 * 1024 }

/** No more jobs are accepted: for this caller, or for anyone. */
export class QuotaExceededError extends Error {
  override name = 'QuotaExceededError'
  constructor(
    readonly scope: 'caller' | 'all',
    /** When enough jobs will have expired. */
    readonly retryAfterS: number,
  ) {
    super(scope === 'caller' ? 'Too many ask jobs of this caller are kept.' : 'Too many ask jobs are kept.')
  }
}

interface KeptJob {
  id: string
  caller: string
  bytes: number
  expiresAt: number
}

/**
 * Caps the jobs that are kept, by number and bytes. Every process that accepts jobs counts them from the event store, so the
 * cap is one for all. Jobs that several processes accept within the time an event needs to reach the others may pass it,
 * and so may those accepted before a new process has read a day of events.
 */
export class JobQuota {
  readonly #perCaller: QuotaLimits
  readonly #inAll: QuotaLimits
  /** The oldest first. */
  readonly #kept = new Map<string, KeptJob>()
  readonly #used = new Map<string, QuotaLimits>()
  readonly #usedInAll: QuotaLimits = { jobs: 0, bytes: 0 }

  constructor({ perCaller = PER_CALLER, inAll = IN_ALL }: { perCaller?: QuotaLimits; inAll?: QuotaLimits } = {}) {
    this.#perCaller = perCaller
    this.#inAll = inAll
  }

  /** Idempotent, so a process applies its own events before they come back. */
  apply(recorded: StreamEvent): void {
    const erased = this.#kept.get(erasedJobIn(recorded) ?? '')
    if (erased !== undefined) this.#remove(erased)
    const event = parseJobEvent(recorded)
    const id = jobIdOf(recorded.stream)
    const kept = this.#kept.get(id)
    const bytes = Buffer.byteLength(JSON.stringify(recorded.data))
    if (event?.type === 'requested' && kept === undefined) {
      const job = { id, caller: event.data.caller ?? '', bytes, expiresAt: recorded.recordedAt + RETENTION_S * 1000 }
      this.#kept.set(id, job)
      this.#add(job.caller, 1, bytes)
    } else if (event?.type === 'completed' && kept !== undefined) {
      kept.bytes += bytes
      this.#add(kept.caller, 0, bytes)
    }
    this.#expire(recorded.recordedAt)
  }

  /** Throws {@link QuotaExceededError} if a job of so many bytes has no room. */
  check(caller: string, bytes: number, now: number): void {
    this.#expire(now)
    const used = this.#used.get(caller) ?? { jobs: 0, bytes: 0 }
    if (!fits(used, bytes, this.#perCaller))
      throw new QuotaExceededError('caller', this.#retryAfter(caller, used, bytes, this.#perCaller, now))
    if (!fits(this.#usedInAll, bytes, this.#inAll))
      throw new QuotaExceededError('all', this.#retryAfter(null, this.#usedInAll, bytes, this.#inAll, now))
  }

  #retryAfter(caller: string | null, { jobs, bytes }: QuotaLimits, wanted: number, limits: QuotaLimits, now: number): number {
    const left = { jobs, bytes }
    for (const job of this.#kept.values()) {
      if (caller !== null && job.caller !== caller) continue
      left.jobs -= 1
      left.bytes -= job.bytes
      if (fits(left, wanted, limits)) return Math.max(1, Math.ceil((job.expiresAt - now) / 1000))
    }
    return RETENTION_S
  }

  #expire(now: number): void {
    for (const job of this.#kept.values()) {
      if (job.expiresAt > now) return
      this.#remove(job)
    }
  }

  #remove({ id, caller, bytes }: KeptJob): void {
    this.#kept.delete(id)
    this.#add(caller, -1, -bytes)
  }

  #add(caller: string, jobs: number, bytes: number): void {
    const used = this.#used.get(caller) ?? { jobs: 0, bytes: 0 }
    for (const counts of [used, this.#usedInAll]) {
      counts.jobs += jobs
      counts.bytes += bytes
    }
    if (used.jobs === 0) this.#used.delete(caller)
    else this.#used.set(caller, used)
  }
}

const fits = ({ jobs, bytes }: QuotaLimits, wanted: number, limits: QuotaLimits): boolean =>
  jobs < limits.jobs && bytes + wanted <= limits.bytes
