/** Which rate limit each route of the public hosts counts against. */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { stateOf } from '../request-state.js'
import { isPreflight, type KnownRoute, type RouteTable } from '../route-table.js'
import { callerOf } from './client-key.js'
import type { Limits, RateLimit } from './rate-limit.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The limit it counts against. Default: that of its host. */
    limit?: keyof Limits
    /** What a request costs in all, by its body and query. Default: 1. */
    cost?: (request: Pick<FastifyRequest, 'body' | 'query'>) => number
    /** What it costs at most. A caller that is refused before its body is read is told the wait for this. */
    maxCost?: number
  }
}

export interface HostLimits {
  limits: Limits
  /** For routes that name none. */
  otherwise: keyof Limits
}

/** The limit a request counts against. Preflights have that of pages: a browser sends one before a request, and pages of ours need none. */
export const limitOf = (host: HostLimits, request: IncomingMessage, route: KnownRoute | null): RateLimit =>
  host.limits[isPreflight(request) ? 'pages' : limitClassOf(host, route)]

/** An unknown path is no route. */
export const limitClassOf = ({ otherwise }: HostLimits, route: KnownRoute | null): keyof Limits =>
  route === null ? 'other' : (route.config.limit ?? otherwise)

/**
 * The limits within Fastify: counts the heads of injected requests (others are counted before Fastify), names the limit in every
 * answer, and counts what a request costs beyond its head. Call after CORS, so that pages of other sites can read a 429.
 */
export function limitRequests(app: FastifyInstance, hostLimits: HostLimits, routes: RouteTable): void {
  app.addHook('onRequest', async (request, reply) => {
    const state = stateOf(request.raw)
    if (state.counted === null) {
      const route = routes.find(request.method, request.url)
      const limit = limitOf(hostLimits, request.raw, route)
      const decision = await limit.take(callerOf(request), 1, route?.config.maxCost)
      if (decision !== null) state.counted = { limit, decision }
    }
    if (state.counted === null) return
    const { limit, decision } = state.counted
    reply.headers(limit.headers(decision))
    if (!decision.allowed) throw limit.refusal(decision)
  })
  app.addHook('preValidation', async (request, reply) => {
    const { counted } = stateOf(request.raw)
    if (counted === null) return
    const { limit } = counted
    const cost = limit.possible(request.routeOptions.config.cost?.(request) ?? 1)
    if (cost <= 1) return
    const decision = await limit.take(callerOf(request), cost - 1, cost)
    if (decision === null) return
    reply.headers(limit.headers(decision))
    if (!decision.allowed) throw limit.refusal(decision)
  })
}
