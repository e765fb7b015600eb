import type { JobSummary } from '../ask/jobs/board.js'
import { RETENTION_S } from '../ask/jobs/job.js'
import { POLL_AFTER_S } from '../ask/jobs/shapes.js'
import { isoTime, type Position } from '../events/index.js'
import { RETRY_POLICY } from '../operations/agents/retry-policy.js'
import { MAX_BATCH } from '../operations/batch.js'
import { API_VERSION } from '../operations/version.js'
import { type DocumentStore, ModelUnavailableError } from '../ports/document-store.js'
import type { EventLog } from '../ports/event-log.js'
import type { Component, ServiceStatusDocument } from './document.js'

type Rate = ServiceStatusDocument['limits']['public']

export interface StatusSources {
  log: Pick<EventLog, 'bounds'>
  documents: Pick<DocumentStore, 'snapshot'>
  models: readonly string[]
  /** `null` while ask jobs cannot be followed. */
  jobs: () => JobSummary | null
  limits: Record<'public' | 'agent' | 'mcp', Rate>
}

/** However many ask, the stores are asked once in this time. */
const FRESH_MS = 1000
/** A store that does not answer by then counts as unreachable. */
const PATIENCE_MS = 1000
/** More than a live projector ever leaves for later. */
const BEHIND_EVENTS = 1000
/** Longer than any question waits while somebody is there to answer. */
const BEHIND_QUEUE_S = 60

const GUIDANCE =
  '429: wait for Retry-After. 408, 425 and 5xx: exponential backoff with full jitter, at most 4 attempts; if it goes on, look here before trying again. Everything else: change the request first.'

/** How the service stands, for those outside. Nothing in it belongs to anybody. */
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
    if (this.#latest === null || now - this.#latest.at >= FRESH_MS) this.#latest = { at: now, document: this.#look(now) }
    return this.#latest.document
  }

  async #look(now: number): Promise<ServiceStatusDocument> {
    const { log, models, limits } = this.#sources
    const end = await reached(log.bounds().then(({ last }) => last))
    const components: Component[] = [
      { name: 'event_log', kind: 'event log', status: end === null ? 'unavailable' : 'ok', position: end },
      ...(await Promise.all(models.map((model) => this.#projection(model, end)))),
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

  async #projection(name: string, end: Position | null): Promise<Component> {
    const position = await reached(this.#positionOf(name))
    const known = { name, kind: 'projection' as const }
    if (position === 'loading') return { ...known, status: 'loading', position: 0, lag: end }
    if (position === null) return { ...known, status: 'unavailable', position, lag: null }
    const lag = end === null ? null : Math.max(0, end - position)
    return { ...known, status: lag !== null && lag > BEHIND_EVENTS ? 'behind' : 'ok', position, lag }
  }

  async #positionOf(model: string): Promise<Position | 'loading'> {
    try {
      const snapshot = await this.#sources.documents.snapshot([model])
      const { position } = snapshot.model(model).checkpoint
      snapshot.release()
      return position
    } catch (error) {
      if (error instanceof ModelUnavailableError) return 'loading'
      throw error
    }
  }

  #askJobs(): Component {
    const jobs = this.#sources.jobs()
    const status = jobs === null ? 'unavailable' : jobs.oldest_queued_s > BEHIND_QUEUE_S ? 'behind' : 'ok'
    return { name: 'ask_jobs', kind: 'ask jobs', status, jobs }
  }
}

/** `null` when it fails or takes too long: what is wrong is the business of logs, that something is wrong is said here. */
async function reached<T>(answer: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PATIENCE_MS)
  })
  try {
    return await Promise.race([answer, late])
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}
