/** Which rate limit each route of the public hosts counts against. */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { stateOf } from '../request-state.js'
import { isPreflight, type KnownRoute, type RouteTable } from '../route-table.js'
import { callerOf } from './client-key.js'
import type { Limits, RateLimit } from './rate-limit.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a request with this body costs in all. Default: 1. */
    cost?: (body: unknown) => number
    /** What it costs at most. A caller that is refused before its body is read is told the wait for this. */
    maxCost?: number
  }
}

export type LimitRule = [route: RegExp, limit: keyof Limits]

/** Matched against method and route as declared; the first match decides. */
const SHARED_RULES: readonly LimitRule[] = [
  [/^\w+ \/public\/share\//, 'public'],
  [/^\w+ \/(mcp|api\/mcp|webmcp)(\/|$)/, 'mcp'],
]

/** The rest of the api host is `/app`, which answers 401. */
export const API_LIMIT_RULES: readonly LimitRule[] = [...SHARED_RULES, [/^\w+ \/\.well-known\//, 'agent'], [/./, 'other']]

export const WEB_LIMIT_RULES: readonly LimitRule[] = [
  ...SHARED_RULES,
  [/^POST \/batch$/, 'public'],
  [/^\w+ \/($|@|docs(\/|$)|changelog\/?$)/, 'pages'],
  [/^\w+ \/(assets|covers|avatars)\//, 'pictures'],
  [/./, 'agent'],
]

/** The limits of one host, by route. */
export class HostLimits {
  readonly #limits: Limits
  readonly #rules: readonly LimitRule[]
  readonly #classes = new Map<KnownRoute, keyof Limits>()

  constructor({ limits, rules }: { limits: Limits; rules: readonly LimitRule[] }) {
    this.#limits = limits
    this.#rules = rules
  }

  /** The limit a request counts against. Preflights have the largest: a browser sends one before each of its requests. */
  limitOf(request: IncomingMessage, route: KnownRoute | null): RateLimit {
    return this.#limits[isPreflight(request) ? 'pictures' : this.#classOf(route)]
  }

  /** Whether the answer does not depend on a body, which then is not waited for. */
  ignoresBody(route: KnownRoute): boolean {
    return this.#classOf(route) === 'other'
  }

  /** An unknown path is no route. */
  #classOf(route: KnownRoute | null): keyof Limits {
    if (route === null) return 'other'
    let name = this.#classes.get(route)
    if (name === undefined) {
      name = this.#rules.find(([pattern]) => pattern.test(`${route.method} ${route.url}`))?.[1] ?? 'other'
      this.#classes.set(route, name)
    }
    return name
  }
}

/**
 * The limits within Fastify: counts the heads of injected requests (others are counted before Fastify), names the limit in every
 * answer, and counts what a body costs beyond its head. Call after CORS, so that pages of other sites can read a 429.
 */
export function limitRequests(app: FastifyInstance, hostLimits: HostLimits, routes: RouteTable): void {
  app.addHook('onRequest', async (request, reply) => {
    const state = stateOf(request.raw)
    if (state.counted === null) {
      const route = routes.find(request.method, request.url)
      const limit = hostLimits.limitOf(request.raw, route)
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
    const cost = request.routeOptions.config.cost?.(request.body) ?? 1
    if (counted === null || cost <= 1) return
    const { limit } = counted
    const decision = await limit.take(callerOf(request), cost - 1, cost)
    if (decision === null) return
    reply.headers(limit.headers(decision))
    if (!decision.allowed) throw limit.refusal(decision)
  })
}
