import type { FastifyInstance } from 'fastify'
import type { Deprecation } from '../operations/operation.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    deprecated?: Deprecation
  }
}

/** Answers of a deprecated operation say so. */
export function announceDeprecation(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    const { deprecated } = request.routeOptions.config
    if (deprecated !== undefined && reply.statusCode < 400) reply.headers(deprecationHeaders([deprecated]))
  })
}

/** Since when (RFC 9745), until when (RFC 8594) and where to read about it. Of several, what comes first. */
export function deprecationHeaders(list: readonly Deprecation[]): Record<string, string> {
  if (list.length === 0) return {}
  const earliest = (moments: readonly Date[]): number => Math.min(...moments.map((moment) => moment.getTime()))
  return {
    Deprecation: `@${Math.floor(earliest(list.map(({ since }) => since)) / 1000)}`,
    Sunset: new Date(earliest(list.map(({ sunset }) => sunset))).toUTCString(),
    Link: [...new Set(list.map(({ link }) => `<${link}>; rel="deprecation"`))].join(', '),
  }
}
