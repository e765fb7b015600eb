import { type AskJob, evolve, isFinished, type JobEvent, RETENTION_S } from './job-events.js'

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
  apply({ jobId: id, revision, recordedAt, event }: JobEvent): void {
    // Only finished jobs are erased.
    if (event?.type === 'erased') return
    const known = this.#open.get(id)
    // Unknown, and not its first event: it has finished or is expiring.
    if (revision <= (known?.revision ?? -1) || (known === undefined && revision > 0)) return
    const job = event === null ? (known?.job ?? null) : evolve(known?.job ?? null, event, recordedAt)
    if (job === null) return
    if (isFinished(job)) {
      this.#open.delete(id)
      this.#count(job)
    } else this.#open.set(id, { id, job, revision })
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
