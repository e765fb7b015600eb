import type { IncomingMessage } from 'node:http'
import type { KnownRoute } from '../route-table.js'
import { ConcurrencyLimit } from './concurrency-limit.js'

/**
 * Requests by what they wait for and how much work they are: a page is several reads and their rendering, a batch up to ten reads,
 * a question several searches, a job a write to the event store. Each kind has its own limit, because each has its own usual
 * duration. `wait`: those that wait for a position.
 */
export const WORK_KINDS = ['read', 'page', 'batch', 'question', 'job', 'tool', 'wait'] as const
export type WorkKind = (typeof WORK_KINDS)[number]

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Default: `read` for GET, none for other methods. */
    kind?: WorkKind
    /** The route honours `Service-Min-Position`. */
    waitsForPosition?: boolean
  }
}

/** `null`: not limited, because there is next to nothing to do. */
export function workKindOf(route: KnownRoute | null, { headers }: Pick<IncomingMessage, 'headers'>): WorkKind | null {
  if (route === null) return null
  const { method, config } = route
  if (config.waitsForPosition === true && namesPosition(headers['service-min-position'])) return 'wait'
  return config.kind ?? (method === 'GET' || method === 'HEAD' ? 'read' : null)
}

/** Position 0 is reached before the first event, so nobody waits for it; nor for what is no position. */
const namesPosition = (header: string | string[] | undefined): boolean => typeof header === 'string' && /^0*[1-9]\d*$/.test(header)

/** Rendering a page occupies the event loop: more of them at once only make others wait. */
const MIN_PAGES = 2
/** How long these take depends on events that have not come, so there is nothing to adapt to. */
const MAX_WAITING = 128

export interface KindLimit {
  readonly limit: number
  record(ms: number, inFlight: number): void
}

export function limitOfKind(kind: WorkKind): KindLimit {
  if (kind === 'wait') return { limit: MAX_WAITING, record: () => {} }
  return new ConcurrencyLimit(kind === 'page' ? { min: MIN_PAGES } : {})
}
