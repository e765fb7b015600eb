import { z } from 'zod'
import { RETENTION_S } from '../ask/jobs/job-events.js'
import type { JobSummary } from '../ask/jobs/job-projection.js'
import { MAX_BATCH, POLL_AFTER_S } from '../contract/caller-limits.js'
import { RETRY_POLICY } from '../contract/errors.js'
import { API_VERSION } from '../contract/operation.js'
import { isoTime } from '../events/index.js'
import type { IntegrityCounts } from '../ports/integrity-report.js'
import type { ProjectionStatus, StatusSample } from './engine-status.js'
import { PROJECTION_STATES, type ProjectionState } from './projection-state.js'

/** The projection that counts sequences. */
const INTEGRITY = 'integrity'

const STATES = ['ok', 'behind', 'degraded', 'loading', 'unavailable'] as const

const count = z.int().nonnegative()
const statuses = z.array(z.int())
const rate = z.object({ requests: z.int(), window_s: z.int() }).nullable().meta({ description: 'Per caller; null when there is no limit.' })

const Component = z.object({
  name: z.string(),
  kind: z.enum(['event log', 'projection', 'ask jobs']),
  status: z.enum(STATES),
  state: z
    .enum(Object.keys(PROJECTION_STATES) as [ProjectionState])
    .optional()
    .meta({ description: 'Of a projection: what it does. All but live mean that new events do not reach readers.' }),
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
  sample: () => Promise<StatusSample>
  /** `null` while ask jobs cannot be followed. */
  jobs: () => JobSummary | null
  limits: Record<'public' | 'agent' | 'mcp', Rate>
}

/** More than a live projector ever has pending. */
const BEHIND_EVENTS = 1000
/** Longer than any event or question waits while a process handles it. */
const BEHIND_S = 60

const GUIDANCE =
  '429: wait for Retry-After. 408, 425 and 5xx: exponential backoff with full jitter, at most 4 attempts; if it goes on, look here before trying again. Everything else: change the request first.'

/** The public status document. It holds no personal data. */
export async function serviceStatus({ sample, jobs, limits }: StatusSources): Promise<ServiceStatusDocument> {
  const { at, log, projections, integrity } = await sample()
  const components: Component[] = [
    { name: 'event_log', kind: 'event log', status: log === null ? 'unavailable' : 'ok', position: log?.last ?? null },
    ...projections.map((status) => ({
      ...projectionComponent(status),
      ...(status.projection === INTEGRITY && integrity !== null && { sequences: sequencesOf(integrity) }),
    })),
    askJobsComponent(jobs()),
  ]
  return {
    status: components.every(({ status }) => status === 'ok') ? 'ok' : 'degraded',
    api_version: API_VERSION,
    checked_at: isoTime(at),
    components,
    limits: {
      ...limits,
      batch: { max_operations: MAX_BATCH },
      ask_jobs: { poll_after_s: POLL_AFTER_S, kept_s: RETENTION_S },
    },
    retry: { ...RETRY_POLICY, guidance: GUIDANCE },
  }
}

function projectionComponent({ projection, state, position, lag, lagSeconds, parked }: ProjectionStatus): Component {
  const known = { name: projection, kind: 'projection' as const, state }
  const stands = PROJECTION_STATES[state].public
  if (stands === 'unavailable') return { ...known, status: stands, position: null, lag: null }
  if (stands === 'loading') return { ...known, status: stands, position: position ?? 0, lag }
  // `behind` wins: it affects every reader, a parked aggregate only its own.
  const behind = (lag ?? 0) > BEHIND_EVENTS || (lagSeconds ?? 0) > BEHIND_S
  const status = behind ? 'behind' : parked > 0 ? 'degraded' : stands
  return { ...known, status, position, lag, lag_s: lagSeconds === null ? null : Math.floor(lagSeconds), parked }
}

function askJobsComponent(jobs: JobSummary | null): Component {
  const status = jobs === null ? 'unavailable' : jobs.oldest_queued_s > BEHIND_S ? 'behind' : 'ok'
  return { name: 'ask_jobs', kind: 'ask jobs', status, jobs }
}

const sequencesOf = ({ gaps, givenUp, late, duplicates, conflicts }: IntegrityCounts): Component['sequences'] => ({
  gaps,
  given_up: givenUp,
  late,
  duplicates,
  conflicts,
})
