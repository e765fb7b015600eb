import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from '../../observe/metrics.js'
import type { Tracer } from '../../observe/tracing.js'
import { queuedMs } from '../request-state.js'

export interface RequestTelemetry {
  /** Which of the hosts this is. */
  host: string
  metrics: Pick<Metrics, 'recordRequest'>
  tracer: Tracer
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The name under which the route is counted; method and path as declared, unless told. */
    operation?: string
  }
}

/** Counts, times and traces every request of a host. */
export function recordRequests(app: FastifyInstance, { host, metrics, tracer }: RequestTelemetry): void {
  const traces = new WeakMap<FastifyRequest, ReturnType<Tracer['startRequest']>>()
  if (tracer.enabled) {
    // With a callback: what follows has to run inside it.
    app.addHook('onRequest', (request, _reply, done) => {
      traces.set(request, tracer.startRequest(operationOf(request), request.headers, done))
    })
  }
  app.addHook('onResponse', async (request, reply) => {
    const operation = operationOf(request)
    metrics.recordRequest(host, operation, reply.statusCode, elapsedMs(request, reply))
    const attributes = { 'http.response.status_code': reply.statusCode, 'vitrine.host': host, 'vitrine.request_id': request.id }
    traces.get(request)?.(attributes, reply.statusCode >= 500)
  })
}

/** Never the path itself: it is the caller's, and every name is kept for ever. */
export function operationOf({ is404, method, routeOptions }: FastifyRequest): string {
  if (is404) return 'unknown'
  return routeOptions.config.operation ?? `${method} ${routeOptions.url}`
}

/** From when it came. */
export const elapsedMs = ({ raw }: FastifyRequest, { elapsedTime }: FastifyReply): number => queuedMs(raw) + elapsedTime
