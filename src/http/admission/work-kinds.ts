import type { IncomingMessage } from 'node:http'
import { POSITION_HEADER } from '../../contract/request-headers.js'
import type { KnownRoute } from '../route-table.js'
import { ConcurrencyLimit } from './concurrency-limit.js'

/**
 * Requests by what they wait for and how much work they are: a page is several reads and their rendering, a batch up to ten reads,
 * a question several searches, a job a write to the event store, a picture next to nothing. Each kind has its own limit, because each has its own usual
 * duration. `wait`: those that wait for a position.
 */
export const WORK_KINDS = ['read', 'picture', 'page', 'batch', 'question', 'job', 'tool', 'wait'] as const
export type WorkKind = (typeof WORK_KINDS)[number]

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Default: `read` for GET, none for other methods. `null`: none, because custom reads have places of their own. */
    kind?: WorkKind | null
    /** The route honours `Service-Min-Position`. */
    waitsForPosition?: boolean
  }
}

/** `null`: not limited, because there is next to nothing to do. A position that the models have `reached` is not waited for. */
export function workKindOf(route: KnownRoute | null, { headers }: Pick<IncomingMessage, 'headers'>, reached: number): WorkKind | null {
  if (route === null) return null
  const { method, config } = route
  if (config.waitsForPosition === true && positionIn(headers['service-min-position']) > reached) return 'wait'
  if (config.kind !== undefined) return config.kind
  return method === 'GET' || method === 'HEAD' ? 'read' : null
}

/** What is no position is refused without waiting. */
const positionIn = (header: string | string[] | undefined): number =>
  typeof header === 'string' && POSITION_HEADER.test(header) ? Number(header) : 0

/** Rendering a page, and ten reads, occupy the event loop: more of them at once only make others wait. */
const MIN_LONG = 2
/** How long these take depends on events that have not come, so there is nothing to adapt to. */
const MAX_WAITING = 512
const MAX_WAITING_PER_CALLER = 8

/** What a request of a kind counts when callers are compared. A front page has up to 66 pictures: they must not make its reader a heavy caller. */
export const unitsOf = (kind: WorkKind | null): number => (kind === 'picture' ? 1 : 20)

/** Whether it is work, of which one caller may have little at once while there are others. */
export const isWork = (kind: WorkKind | null): boolean => kind !== null && kind !== 'picture' && kind !== 'wait'

export interface KindLimit {
  readonly limit: number
  readonly maxPerCaller?: number
  record(ms: number, inFlight: number): void
}

export function limitOfKind(kind: WorkKind): KindLimit {
  if (kind === 'wait') return { limit: MAX_WAITING, maxPerCaller: MAX_WAITING_PER_CALLER, record: () => {} }
  return new ConcurrencyLimit(kind === 'page' || kind === 'batch' ? { min: MIN_LONG } : {})
}
