import { NETWORK_FACTOR } from '../../contract/caller-limits.js'
import { type JobEvent, RETENTION_S } from './job-events.js'

export interface QuotaLimits {
  jobs: number
  bytes: number
}

/** What is kept of one caller, and of all together, for a day. */
const PER_CALLER: QuotaLimits = { jobs: 500, bytes: 4 * 1024 * 1024 }
const IN_ALL: QuotaLimits = { jobs: 10_000, bytes: 64 * 1024 * 1024 }
/** Of what all may keep, the rest is for callers who keep few: so a few callers who take all they can do not shut out the others. */
const OPEN_TO_MANY = 1 / 2
/** Of what one caller may keep. */
const FEW = 1 / 100

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

/** Whose job it is, by keyed hashes. */
interface JobHolder {
  caller: string
  /** Of an IPv6 caller; others are their own. */
  network?: string | undefined
}

interface KeptJob {
  id: string
  caller: string
  network: string
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
  /** By caller and by network. */
  readonly #used = new Map<string, QuotaLimits>()
  readonly #usedInAll: QuotaLimits = { jobs: 0, bytes: 0 }

  constructor({ perCaller = PER_CALLER, inAll = IN_ALL }: { perCaller?: QuotaLimits; inAll?: QuotaLimits } = {}) {
    this.#perCaller = perCaller
    this.#inAll = inAll
  }

  /** Idempotent, so a process applies its own events before they come back. */
  apply({ jobId: id, recordedAt, event }: JobEvent): void {
    const kept = this.#kept.get(id)
    if (event?.type === 'requested' && kept === undefined) {
      const { caller = '', network = caller } = event.data
      const job = { id, caller, network, bytes: bytesOf(event.data), expiresAt: recordedAt + RETENTION_S * 1000 }
      this.#kept.set(id, job)
      this.#add(job, 1, job.bytes)
    } else if (event?.type === 'completed' && kept !== undefined) {
      const bytes = bytesOf(event.data)
      kept.bytes += bytes
      this.#add(kept, 0, bytes)
    } else if (event?.type === 'erased' && kept !== undefined) this.#remove(kept)
    this.#expire(recordedAt)
  }

  /** Throws {@link QuotaExceededError} if a job of so many bytes has no room. */
  check({ caller, network = caller }: JobHolder, bytes: number, now: number): void {
    this.#expire(now)
    const usage = {
      caller: { ...(this.#used.get(caller) ?? NOTHING) },
      network: { ...(this.#used.get(network) ?? NOTHING) },
      all: { ...this.#usedInAll },
    }
    const scope = this.#fullScope(usage, bytes)
    if (scope === null) return
    for (const job of this.#kept.values()) {
      add(usage.all, -1, -job.bytes)
      if (job.caller === caller) add(usage.caller, -1, -job.bytes)
      if (job.network === network) add(usage.network, -1, -job.bytes)
      if (this.#fullScope(usage, bytes) !== null) continue
      throw new QuotaExceededError(scope, Math.max(1, Math.ceil((job.expiresAt - now) / 1000)))
    }
    throw new QuotaExceededError(scope, RETENTION_S)
  }

  #fullScope({ caller, network, all }: Usage, wanted: number): QuotaExceededError['scope'] | null {
    const keepsAtMost = (part: number) =>
      fits(caller, wanted, this.#perCaller, part) && fits(network, wanted, this.#perCaller, part * NETWORK_FACTOR)
    if (!keepsAtMost(1)) return 'caller'
    return fits(all, wanted, this.#inAll, keepsAtMost(FEW) ? 1 : OPEN_TO_MANY) ? null : 'all'
  }

  #expire(now: number): void {
    for (const job of this.#kept.values()) {
      if (job.expiresAt > now) return
      this.#remove(job)
    }
  }

  #remove(job: KeptJob): void {
    this.#kept.delete(job.id)
    this.#add(job, -1, -job.bytes)
  }

  #add({ caller, network }: KeptJob, jobs: number, bytes: number): void {
    add(this.#usedInAll, jobs, bytes)
    for (const key of new Set([caller, network])) {
      const used = this.#used.get(key) ?? { ...NOTHING }
      add(used, jobs, bytes)
      if (used.jobs === 0) this.#used.delete(key)
      else this.#used.set(key, used)
    }
  }
}

const bytesOf = (data: object): number => Buffer.byteLength(JSON.stringify(data))

const NOTHING: Readonly<QuotaLimits> = { jobs: 0, bytes: 0 }

type Usage = Record<'caller' | 'network' | 'all', QuotaLimits>

function add(used: QuotaLimits, jobs: number, bytes: number): void {
  used.jobs += jobs
  used.bytes += bytes
}

/** Whether one more job of so many bytes stays within a part of the limits. */
const fits = ({ jobs, bytes }: QuotaLimits, wanted: number, limits: QuotaLimits, part: number): boolean =>
  jobs < limits.jobs * part && bytes + wanted <= limits.bytes * part
