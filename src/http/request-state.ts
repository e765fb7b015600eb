import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Tracer } from '../observe/tracing.js'
import type { RateDecision } from '../ports/rate-windows.js'
import type { RateLimit } from './rate-limit/rate-limit.js'
import type { KnownRoute } from './route-table.js'

const NO_BYTES = Buffer.alloc(0)

/** What the stages and hooks know of one request, from the socket to the log line. */
export class RequestState {
  /** Frees the request's slot for database work. `null` without admission: on the admin host, and for injected requests. */
  releaseSlot: (() => void) | null = null
  /** Time in the admission queue, which Fastify's own timing leaves out. */
  queuedMs = 0
  /** Answered with a 429, or shed. */
  isRefused = false
  /** Found before Fastify looks for it; `null` for unknown paths, and for injected requests. */
  route: KnownRoute | null = null
  /** Who the request counts for. `null` for injected requests. */
  caller: string | null = null
  /** The limit the request counts against, once it has been counted. */
  counted: { limit: RateLimit; decision: RateDecision } | null = null
  /** The body, if it was read before Fastify. */
  arrivedBody: Buffer | null = null
  endTrace: ReturnType<Tracer['startRequest']> | null = null
  /** The body as received; empty without one. */
  rawBody: Buffer = NO_BYTES
  /** Set while this request makes the reply for its idempotency key. */
  idempotent: { scope: string; removals: string | null } | null = null
  /** A part of the reply failed and may succeed when tried again, so the reply is not repeated. */
  hasTransientFailure = false
}

const states = new WeakMap<IncomingMessage, RequestState>()

export function stateOf(request: IncomingMessage): RequestState {
  let state = states.get(request)
  if (state === undefined) {
    state = new RequestState()
    states.set(request, state)
  }
  return state
}

/** The caller's own id if it is safe to log, else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID()
}

/** The last value of an `X-Forwarded-*` header: the one our own proxy added. Earlier values come from the caller. */
export function forwardedHeader({ headers }: IncomingMessage, name: string, trustProxy: boolean): string | undefined {
  const value = trustProxy ? headers[name] : undefined
  if (typeof value !== 'string') return undefined
  return value.slice(value.lastIndexOf(',') + 1).trim()
}
