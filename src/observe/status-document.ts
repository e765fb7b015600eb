import { z } from 'zod'

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
  parked: count
    .optional()
    .meta({ description: 'How many creations, creators and so on stand still in it, because of an event that it could not take in.' }),
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
export type Component = z.infer<typeof Component>

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
