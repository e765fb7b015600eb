/** Which rate limit each route of the public hosts counts against. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { stateOf } from '../request-state.js'
import type { Limits, RateLimit } from './rate-limit.js'

/** `null`: not counted. */
type LimitClass = keyof Limits | null

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a request with this body costs. Default: 1. */
    cost?: (body: unknown) => number
  }
}

export type LimitRule = [route: RegExp, limit: LimitClass]

/** Matched against method and route as declared; the first match decides. */
const SHARED_RULES: readonly LimitRule[] = [
  [/^\w+ \/public\/share\//, 'public'],
  [/^\w+ \/(mcp|api\/mcp|webmcp)(\/|$)/, 'mcp'],
]

/** The rest of the api host is `/app`, which answers 401. */
export const API_LIMIT_RULES: readonly LimitRule[] = [...SHARED_RULES, [/^\w+ \/\.well-known\//, 'agent'], [/./, null]]

export const WEB_LIMIT_RULES: readonly LimitRule[] = [
  ...SHARED_RULES,
  [/^POST \/batch$/, 'public'],
  // Pages and their assets: admission bounds them.
  [/^\w+ \/($|@|docs(\/|$)|changelog\/?$|assets\/|covers\/|avatars\/|favicon)/, null],
  [/./, 'agent'],
]

/** Counts every request to a known route. Earlier hooks have answered preflights and unknown paths. */
export function limitRequests(app: FastifyInstance, limits: Limits, rules: readonly LimitRule[]): void {
  const limitOf = ({ method, routeOptions }: FastifyRequest): RateLimit | null => {
    const name = rules.find(([pattern]) => pattern.test(`${method} ${routeOptions.url}`))?.[1] ?? null
    return name === null ? null : limits[name]
  }
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.cost === undefined)
      await limitOf(request)?.enforce(request.ip, reply, 1, stateOf(request.raw).rateDecision)
  })
  // The cost is known only once the body has been read.
  app.addHook('preValidation', async (request, reply) => {
    const { cost } = request.routeOptions.config
    if (cost !== undefined) await limitOf(request)?.enforce(request.ip, reply, cost(request.body))
  })
}
