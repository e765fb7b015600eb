import { z } from 'zod'
import { RETENTION_S } from '../ask/jobs/job-events.js'
import type { JobSummary } from '../ask/jobs/job-projection.js'
import { MAX_BATCH, POLL_AFTER_S } from '../contract/caller-limits.js'
import { RETRY_POLICY } from '../contract/errors.js'
import { API_VERSION } from '../contract/operation.js'
import { isoTime, type Position } from '../events/index.js'
import { withTimeout } from '../lib/backoff-and-timeout.js'
import { type DocumentStore, ModelUnavailableError, type ModelView, type Reads } from '../ports/document-store.js'
import type { EventLog } from '../ports/event-log.js'
import type { IntegrityCounts } from '../ports/integrity-report.js'

const STATES = ['ok', 'behind', 'degraded', 'loading', 'unavailable'] as const

const count = z.int().nonnegative()
const statuses = z.array(z.int())
const rate = z.object({ requests: z.int(), window_s: z.int() }).nullable().meta({ description: 'Per caller; null when there is no limit.' })

const Component = z.object({
  name: z.string(),
  kind: z.enum(['event log', 'projection', 'ask jobs']),
  status: z.enum(STATES),
  position: count.nullable().optional().meta({ description: 'How much of the event log it holds; null when it cannot be reached.' }),
  lag: count.nullable().optional().meta({ description: 'Events that are not in it yet.' }),
  lag_s: count.nullable().optional().meta({ description: 'How long the oldest of them has been in the log.' }),
  parked: count.optional().meta({ description: 'How many creations, creators and so on have an event that it could not take in.' }),
  sequences: z
    .object({
      gaps: count.meta({ description: 'How many creations, creators and so on miss events.' }),
      given_up: count.meta({ description: 'Missing events of those that miss too many.' }),
      late: count.meta({ description: 'Events that came late.' }),
      duplicates: count.meta({ description: 'Events that came again.' }),
      conflicts: count.meta({ description: 'Different events that claim the same place.' }),
    })
    .optional()
    .meta({ description: 'What is known of events that have not come, came late, or came again.' }),
  jobs: z
    .object({
      queued: count,
      running: count,
      completed: count.meta({ description: 'Of the last day.' }),
      failed: count.meta({ description: 'Of the last day.' }),
      retried: count,
      oldest_queued_s: count,
      oldest_running_s: count,
    })
    .nullable()
    .optional(),
})
type Component = z.infer<typeof Component>

export const ServiceStatusDocument = z
  .object({
    status: z
      .enum(['ok', 'degraded'])
      .meta({ description: 'Degraded: at least one component is not ok. What can be answered is answered.' }),
    api_version: z.string(),
    checked_at: z.iso.datetime(),
    components: z.array(Component),
    limits: z.object({
      public: rate,
      agent: rate,
      mcp: rate,
      batch: z.object({ max_operations: z.int() }),
      ask_jobs: z.object({ poll_after_s: z.int(), kept_s: z.int() }),
    }),
    retry: z
      .object({
        rate_limited: z.object({ statuses, wait_for: z.array(z.string()) }),
        transient: z.object({
          statuses,
          backoff: z.object({
            strategy: z.string(),
            jitter: z.string(),
            initial_ms: z.int(),
            multiplier: z.number(),
            cap_ms: z.int(),
            max_attempts: z.int(),
          }),
        }),
        not_retryable: z.object({ statuses }),
        guidance: z.string(),
      })
      .meta({ description: 'When to try again, and how.' }),
  })
  .meta({ id: 'ServiceStatus', description: 'How the service stands, its limits, and what to do about 429 and 5xx.' })
export type ServiceStatusDocument = z.infer<typeof ServiceStatusDocument>

type Rate = ServiceStatusDocument['limits']['public']

export interface StatusSources {
  log: Pick<EventLog, 'bounds' | 'read'>
  documents: Pick<DocumentStore, 'snapshot'>
  models: readonly string[]
  /** Counts the parked aggregates of a model. */
  parked: (model: Reads) => Promise<number>
  /** `null` for a model that does not count sequences. */
  integrity: (model: ModelView) => Promise<IntegrityCounts | null>
  /** `null` while ask jobs cannot be followed. */
  jobs: () => JobSummary | null
  limits: Record<'public' | 'agent' | 'mcp', Rate>
}

interface ModelState {
  position: Position
  parked: number
  integrity: IntegrityCounts | null
}

/** The stores are asked at most once in this time. */
const CACHE_MS = 1000
/** A store that does not answer by then counts as unreachable. */
const TIMEOUT_MS = 1000
/** More than a live projector ever has pending. */
const BEHIND_EVENTS = 1000
/** Longer than any event or question waits while a process handles it. */
const BEHIND_S = 60

const GUIDANCE =
  '429: wait for Retry-After. 408, 425 and 5xx: exponential backoff with full jitter, at most 4 attempts; if it goes on, look here before trying again. Everything else: change the request first.'

/** The public status document. It holds no personal data. */
export class ServiceStatus {
  readonly #sources: StatusSources
  readonly #now: () => number
  #latest: { at: number; document: Promise<ServiceStatusDocument> } | null = null

  constructor(sources: StatusSources, now: () => number = Date.now) {
    this.#sources = sources
    this.#now = now
  }

  current(): Promise<ServiceStatusDocument> {
    const now = this.#now()
    if (this.#latest === null || now - this.#latest.at >= CACHE_MS) this.#latest = { at: now, document: this.#check(now) }
    return this.#latest.document
  }

  async #check(now: number): Promise<ServiceStatusDocument> {
    const { log, models, limits } = this.#sources
    const end = await orNullWithin(log.bounds().then(({ last }) => last))
    const components: Component[] = [
      { name: 'event_log', kind: 'event log', status: end === null ? 'unavailable' : 'ok', position: end },
      ...(await Promise.all(models.map((model) => this.#projection(model, end, now)))),
      this.#askJobs(),
    ]
    return {
      status: components.every(({ status }) => status === 'ok') ? 'ok' : 'degraded',
      api_version: API_VERSION,
      checked_at: isoTime(now),
      components,
      limits: {
        ...limits,
        batch: { max_operations: MAX_BATCH },
        ask_jobs: { poll_after_s: POLL_AFTER_S, kept_s: RETENTION_S },
      },
      retry: {
        rate_limited: { statuses: [...RETRY_POLICY.rate_limited.statuses], wait_for: [...RETRY_POLICY.rate_limited.wait_for] },
        transient: { statuses: [...RETRY_POLICY.transient.statuses], backoff: RETRY_POLICY.transient.backoff },
        not_retryable: { statuses: [...RETRY_POLICY.not_retryable.statuses] },
        guidance: GUIDANCE,
      },
    }
  }

  async #projection(name: string, end: Position | null, now: number): Promise<Component> {
    const state = await orNullWithin(this.#modelStateOf(name))
    const known = { name, kind: 'projection' as const }
    if (state === 'loading') return { ...known, status: 'loading', position: 0, lag: end }
    if (state === null) return { ...known, status: 'unavailable', position: null, lag: null }
    const { position, parked, integrity } = state
    const lag = end === null ? null : Math.max(0, end - position)
    const lag_s = lag === 0 ? 0 : lag === null ? null : await orNullWithin(this.#ageOfNext(position, now))
    // `behind` wins: it affects every reader, a parked aggregate only its own.
    const behind = (lag ?? 0) > BEHIND_EVENTS || (lag_s ?? 0) > BEHIND_S
    const figures = { position, lag, lag_s, parked, ...(integrity === null ? {} : { sequences: sequencesOf(integrity) }) }
    return { ...known, status: behind ? 'behind' : parked > 0 ? 'degraded' : 'ok', ...figures }
  }

  async #modelStateOf(model: string): Promise<ModelState | 'loading'> {
    try {
      const snapshot = await this.#sources.documents.snapshot([model])
      try {
        const view = snapshot.model(model)
        const { parked, integrity } = this.#sources
        return { position: view.checkpoint.position, parked: await parked(view), integrity: await integrity(view) }
      } finally {
        snapshot.release()
      }
    } catch (error) {
      if (error instanceof ModelUnavailableError) return 'loading'
      throw error
    }
  }

  /** Seconds that the event after a position has been in the log. */
  async #ageOfNext(position: Position, now: number): Promise<number> {
    const [next] = await this.#sources.log.read(position, 1)
    return next === undefined ? 0 : Math.max(0, Math.floor((now - next.appendedAt) / 1000))
  }

  #askJobs(): Component {
    const jobs = this.#sources.jobs()
    const status = jobs === null ? 'unavailable' : jobs.oldest_queued_s > BEHIND_S ? 'behind' : 'ok'
    return { name: 'ask_jobs', kind: 'ask jobs', status, jobs }
  }
}

const sequencesOf = ({ gaps, givenUp, late, duplicates, conflicts }: IntegrityCounts): Component['sequences'] => ({
  gaps,
  given_up: givenUp,
  late,
  duplicates,
  conflicts,
})

/** `null` when it fails or takes too long: the log has the reason, this document says only that something is wrong. */
const orNullWithin = <T>(answer: Promise<T>): Promise<T | null> => withTimeout(TIMEOUT_MS, answer).catch(() => null)
