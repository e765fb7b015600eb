import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from '../../observe/metrics.js'
import type { Tracer } from '../../observe/tracing.js'
import { stateOf } from '../request-state.js'

export interface RequestTelemetry {
  /** `api`, `web` or `admin`. */
  host: string
  metrics: Pick<Metrics, 'recordRequest'>
  tracer: Tracer
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route's name in metrics; method and path as declared by default. */
    operation?: string
  }
}

/** Counts, times and traces every request of a host. */
export function recordRequests(app: FastifyInstance, { host, metrics, tracer }: RequestTelemetry): void {
  if (tracer.enabled) {
    // A callback hook: the hooks that follow must run inside the span.
    app.addHook('onRequest', (request, _reply, done) => {
      stateOf(request.raw).endTrace = tracer.startRequest(operationOf(request), attributesOf(request), request.headers, done)
    })
  }
  app.addHook('onResponse', async (request, reply) => {
    const operation = operationOf(request)
    metrics.recordRequest(host, operation, reply.statusCode, elapsedMs(request, reply))
    const attributes = { 'http.response.status_code': reply.statusCode, 'vitrine.host': host, 'vitrine.request_id': request.id }
    stateOf(request.raw).endTrace?.(attributes, reply.statusCode >= 500)
  })
}

/** OpenTelemetry wants one value for all others. */
const KNOWN_METHOD = /^(CONNECT|DELETE|GET|HEAD|OPTIONS|PATCH|POST|PUT|TRACE)$/

/** As OpenTelemetry names them. Queries and the ids of jobs are left out: they hold questions, or open them. */
function attributesOf({ is404, method, originalUrl, protocol, routeOptions: { url: route, config } }: FastifyRequest) {
  const path = originalUrl.replace(/\?.*/s, '')
  return {
    'http.request.method': KNOWN_METHOD.test(method) ? method : '_OTHER',
    'url.scheme': protocol,
    'url.path': config.kind === 'job' ? (route ?? path) : path,
    ...(is404 || route === undefined ? {} : { 'http.route': route }),
  }
}

/** Never the path itself: callers choose it, and metrics keep every name. */
export function operationOf({ is404, method, routeOptions }: FastifyRequest): string {
  if (is404) return 'unknown'
  return routeOptions.config.operation ?? `${method} ${routeOptions.url}`
}

/** Since the request arrived, its time in the admission queue included. */
export const elapsedMs = ({ raw }: FastifyRequest, { elapsedTime }: FastifyReply): number => stateOf(raw).queuedMs + elapsedTime
