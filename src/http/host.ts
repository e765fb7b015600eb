/** What all hosts have in common: ids, versions, CORS, errors, and a clear word on unknown paths and methods. */
import { randomUUID } from 'node:crypto'
import cors from '@fastify/cors'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { answerError, badConnection, type NotFoundPage } from './errors.js'
import { refuseUnknown } from './unknown.js'
import { negotiateVersion } from './version.js'

export interface HostOptions {
  logger: FastifyBaseLogger
  trustProxy: boolean
  /** Shown instead of the JSON envelope to those who prefer HTML. */
  notFoundPage?: NotFoundPage
}

const EXPOSED = [
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Location',
  'Service-API-Version',
  'Service-Position',
  'X-Request-Id',
  'Content-Language',
  'Deprecation',
  'Sunset',
  'Link',
]

export async function createHost({ logger, trustProxy, notFoundPage }: HostOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: logger,
    trustProxy,
    disableRequestLogging: true,
    requestTimeout: 10_000,
    connectionTimeout: 30_000,
    bodyLimit: 64 * 1024,
    routerOptions: { maxParamLength: 1000 },
    // Names of callers belong to them, but what goes into our log lines must be tame.
    genReqId: (request) => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID()
    },
    frameworkErrors: (error, request, reply) => answerError(error, request, reply),
    clientErrorHandler: badConnection,
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id)
    reply.header('X-Content-Type-Options', 'nosniff')
  })
  app.addHook('onResponse', async (request, reply) => {
    const [path] = request.url.split('?')
    request.log.info({ method: request.method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime * 10) / 10 }, 'answered')
  })
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, notFoundPage))
  await app.register(cors, { origin: '*', exposedHeaders: EXPOSED, maxAge: 86_400, strictPreflight: false })
  negotiateVersion(app)
  refuseUnknown(app)
  return app
}
