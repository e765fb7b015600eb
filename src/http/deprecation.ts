import type { FastifyInstance } from 'fastify'
import type { Deprecation } from '../operations/operation.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    deprecated?: Deprecation
  }
}

/** Answers of a deprecated operation say so: since when (RFC 9745), until when (RFC 8594) and where to read about it. */
export function announceDeprecation(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    const { deprecated } = request.routeOptions.config
    if (deprecated !== undefined && reply.statusCode < 400) reply.headers(deprecationHeaders(deprecated))
  })
}

export const deprecationHeaders = ({ since, sunset, link }: Deprecation): Record<string, string> => ({
  Deprecation: `@${Math.floor(since.getTime() / 1000)}`,
  Sunset: sunset.toUTCString(),
  Link: `<${link}>; rel="deprecation"`,
})
