/** What all hosts have in common: ids, versions, CORS, errors, and a clear word on unknown paths and methods. */
import type { IncomingMessage } from 'node:http'
import cors from '@fastify/cors'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { type AgentOperation, agentOperations as listed } from '../contract/agent-operations.js'
import { ServiceError } from '../contract/errors.js'
import type { AdmissionController } from './admission/admission-controller.js'
import { admitRequests } from './admission/admission-listener.js'
import { checkApiVersion } from './plugins/api-version.js'
import { addDeprecationHeaders } from './plugins/deprecation.js'
import { type ErrorPage, handleClientError, sendError } from './plugins/error-response.js'
import { dropContentLengthOn304 } from './plugins/etag.js'
import { rejectUnknownRoutes } from './plugins/not-found.js'
import { MAX_BODY_BYTES, parseBodies, rejectUnreadableBodies } from './plugins/request-body.js'
import { elapsedMs, operationOf, type RequestTelemetry, recordRequests } from './plugins/request-telemetry.js'
import { EXPOSED_HEADERS, securityHeaders } from './plugins/response-headers.js'
import { type LimitRule, limitRequests } from './rate-limit/limit-classes.js'
import type { Limits } from './rate-limit/rate-limit.js'
import { requestIdOf } from './request-state.js'

export interface HostOptions {
  logger: FastifyBaseLogger
  trustProxy: boolean
  /** Shown instead of the JSON envelope to those who prefer HTML. */
  errorPage?: ErrorPage
  /** Another address for a request, by its Host. */
  rewriteUrl?: (request: IncomingMessage) => string
  /** Unset: nothing is counted. */
  rateLimits?: { limits: Limits; rules: readonly LimitRule[] }
  /** Says which of its operations are deprecated. */
  agentOperations?: readonly AgentOperation[]
  /** Who counts, times and traces the requests. */
  telemetry?: RequestTelemetry | undefined
  /** Whether pages of other sites may read the answers. They may, unless told. */
  cors?: boolean
  /** Turns requests away when there are too many. Unset: everybody is let in. */
  admission?: { host: string; controller: AdmissionController } | undefined
  /** How long a body may take. */
  bodyTimeoutMs?: number
}

const MAX_HEAD_BYTES = 16 * 1024

/** More than any answer takes, the longest wait for a position included. */
const CLOSE_GRACE_MS = 3000

export async function createHost(options: HostOptions): Promise<FastifyInstance> {
  const {
    logger,
    trustProxy,
    errorPage,
    rewriteUrl,
    rateLimits,
    agentOperations = listed,
    cors: crossOrigin = true,
    telemetry,
    bodyTimeoutMs,
    admission,
  } = options
  const app = Fastify({
    loggerInstance: logger,
    rewriteUrl: (request: IncomingMessage) => rewriteUrl?.(request) ?? request.url ?? '/',
    // Only the proxy in front of us is believed: what stands further left in X-Forwarded-For is the caller's own tale.
    trustProxy: trustProxy ? (_address, hop) => hop === 0 : false,
    // One line per request, below, instead of Fastify's two.
    logController: new LogController({ disableRequestLogging: true }),
    // Heads only: bodies are timed in a way that can be answered in words, so this is for whoever evades that.
    requestTimeout: 15_000,
    connectionTimeout: 30_000,
    bodyLimit: MAX_BODY_BYTES,
    // No limit below that on the whole head: a handle that is too long to exist is as unknown as any other.
    routerOptions: { maxParamLength: MAX_HEAD_BYTES },
    // A missing Host is refused below, in words: Node itself would answer without a body.
    http: { maxHeaderSize: MAX_HEAD_BYTES, requireHostHeader: false, headersTimeout: 10_000, connectionsCheckingInterval: 2000 },
    genReqId: requestIdOf,
    // Raised before any hook runs, so what the hooks add to an answer is added here.
    frameworkErrors: (error, request, reply) =>
      sendError(
        error,
        request,
        reply.headers({ ...securityHeaders(request), ...(crossOrigin ? { 'Access-Control-Allow-Origin': '*' } : {}) }),
      ),
    clientErrorHandler: handleClientError,
  })
  if (telemetry !== undefined) recordRequests(app, telemetry)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...securityHeaders(request), 'X-Request-Id': request.id })
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      throw new ServiceError('invalid_request', 'HTTP/1.1 requires the header Host.')
    }
  })
  // Expectations nobody here knows are ignored, as HTTP allows; Node would answer 417 without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  // Once it closes, Node no longer times anybody out: half a request would hold the process for as long as it likes.
  app.addHook('preClose', async () => {
    setTimeout(() => app.server.closeAllConnections(), CLOSE_GRACE_MS).unref()
  })
  app.addHook('onResponse', async (request, reply) => {
    // Not the address: what callers put into it is theirs, and may be an address of theirs, too.
    request.log.info(
      {
        method: request.method,
        operation: operationOf(request),
        status: reply.statusCode,
        ms: Math.round(elapsedMs(request, reply) * 10) / 10,
      },
      'answered',
    )
  })
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, errorPage))
  if (crossOrigin) await app.register(cors, { origin: '*', exposedHeaders: EXPOSED_HEADERS, maxAge: 86_400, strictPreflight: false })
  if (admission !== undefined) admitRequests(app, { logger, trustProxy, observed: telemetry, errorPage, ...admission })
  dropContentLengthOn304(app)
  checkApiVersion(app)
  rejectUnknownRoutes(app)
  parseBodies(app, bodyTimeoutMs)
  if (rateLimits !== undefined) limitRequests(app, rateLimits.limits, rateLimits.rules)
  rejectUnreadableBodies(app)
  addDeprecationHeaders(app, agentOperations)
  return app
}
