import type { FastifyInstance } from 'fastify'
import type { AgentOperation } from '../../contract/agent-operations.js'
import { type Deprecation, toRoutePattern } from '../../contract/operation.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    deprecated?: Deprecation
  }
}

/** Marks responses of deprecated operations. A route declares it itself, or its operation is in the list. */
export function addDeprecationHeaders(app: FastifyInstance, list: readonly AgentOperation[] = []): void {
  app.addHook('onRoute', (route) => {
    // Fastify adds a HEAD for every GET.
    const methods = [route.method].flat().map((method) => (method === 'HEAD' ? 'GET' : method))
    const deprecated = list.find(({ method, path }) => methods.includes(method) && toRoutePattern(path) === route.url)?.deprecated
    if (deprecated !== undefined) route.config = { ...route.config, deprecated }
  })
  app.addHook('onSend', async (request, reply) => {
    const { deprecated } = request.routeOptions.config
    if (deprecated !== undefined && reply.statusCode < 400) reply.headers(deprecationHeaders([deprecated]))
  })
}

/** Since when (RFC 9745), until when (RFC 8594) and where to read about it. Of several, the earliest dates. */
export function deprecationHeaders(list: readonly Deprecation[]): Record<string, string> {
  if (list.length === 0) return {}
  const earliest = (moments: readonly Date[]): number => Math.min(...moments.map((moment) => moment.getTime()))
  return {
    Deprecation: `@${Math.floor(earliest(list.map(({ since }) => since)) / 1000)}`,
    Sunset: new Date(earliest(list.map(({ sunset }) => sunset))).toUTCString(),
    Link: [...new Set(list.map(({ link }) => `<${link}>; rel="deprecation"`))].join(', '),
  }
}
