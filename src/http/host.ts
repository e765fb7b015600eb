/** What all hosts share: request ids, versions, CORS, errors, body limits, and 404 or 405 for unknown paths and methods. */
import type { IncomingMessage, RequestListener } from 'node:http'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { z } from 'zod'
import { type AgentOperation, agentOperations as listed } from '../contract/agent-operations.js'
import { ServiceError } from '../contract/errors.js'
import { API_VERSION, VERSION_HEADER } from '../contract/operation.js'
import { inRequest } from '../operations/own-code.js'
import type { AdmissionController } from './admission/admission-controller.js'
import { addAdmissionHooks, admitRequests } from './admission/admission-listener.js'
import { BodyGate } from './admission/body-gate.js'
import type { ConnectionLimits } from './admission/connection-limits.js'
import { gateBodies } from './admission/gate-bodies.js'
import { inTurn } from './admission/in-turn.js'
import { type CachedReadsOptions, sendCachedReads } from './cached-reads.js'
import { appPathError, isAppPath, rejectAppPaths } from './plugins/app-paths.js'
import { checkHost } from './plugins/check-host.js'
import { allowAllOrigins } from './plugins/cors.js'
import { addDeprecationHeaders } from './plugins/deprecation.js'
import { type ErrorPages, handleClientError, sendError } from './plugins/error-response.js'
import { dropContentLengthOn304 } from './plugins/etag.js'
import { rejectUnknownRoutes } from './plugins/not-found.js'
import { MAX_BODY_BYTES, parseBodies, rejectRefusedBodies } from './plugins/request-body.js'
import { elapsedMs, operationOf, type RequestTelemetry, recordRequests } from './plugins/request-telemetry.js'
import { CORS_HEADERS, securityHeaders } from './plugins/response-headers.js'
import { callerAddress, clientKeyOf } from './rate-limit/client-key.js'
import { countHeads } from './rate-limit/count-heads.js'
import { type HostLimits, limitClassOf, limitRequests } from './rate-limit/limit-classes.js'
import { RefusalLog } from './refusal-log.js'
import { requestIdOf, stateOf } from './request-state.js'
import { rejectTarget, useOriginForm } from './request-target.js'
import { isPreflight, type KnownRoute, RouteTable } from './route-table.js'

export interface HostOptions {
  logger: FastifyBaseLogger
  trustProxy: boolean
  /** Sent instead of the JSON envelope to callers that prefer HTML. */
  errorPages?: ErrorPages
  /** Maps a request to another path, by its Host. */
  rewriteUrl?: (request: IncomingMessage) => string
  /** Unset: no limits. */
  rateLimits?: HostLimits
  /** Says which of its operations are deprecated. */
  agentOperations?: readonly AgentOperation[]
  /** Counts, times and traces requests. */
  telemetry?: RequestTelemetry | undefined
  /** Whether pages of other sites may read responses. Default: they may. */
  cors?: boolean
  /** The paths of the mobile app are closed to all callers. Its web host says why. */
  appPaths?: { webUrl: string }
  /** Sheds requests under overload. Unset: every request runs. */
  admission?: { host: string; controller: AdmissionController; reachedPosition?: () => number; connections?: ConnectionLimits } | undefined
  /** Answers that may be sent before admission. */
  cachedReads?: Pick<CachedReadsOptions, 'answers'>
  /** Custom reads are served: they must know their caller. */
  servesOwnReads?: boolean
  /** Where bodies arrive. Default: a gate of this host's own. */
  bodies?: BodyGate | undefined
}

/** A head may come byte by byte, and every byte then costs a read. */
const MAX_HEAD_BYTES = 8 * 1024

/** Longer than any response takes, the longest wait for a position included. */
const CLOSE_GRACE_MS = 3000

export async function createHost(options: HostOptions): Promise<FastifyInstance> {
  const { errorPages, rateLimits: limits, agentOperations = listed, cors: crossOrigin = true, telemetry } = options
  const app = createServer(options)
  const routes = new RouteTable(app)
  // Hooks of one phase run in the order they are added here.
  if (telemetry !== undefined) recordRequests(app, telemetry)
  identify(app)
  const refusals = new RefusalLog(options.logger)
  logRequests(app, refusals)
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, errorPages))
  checkHost(app)
  if (crossOrigin) allowAllOrigins(app)
  if (limits !== undefined) limitRequests(app, limits, routes)
  if (options.admission !== undefined) addAdmissionHooks(app)
  if (options.appPaths !== undefined) rejectAppPaths(app, options.appPaths.webUrl)
  dropContentLengthOn304(app)
  checkApiVersion(app)
  rejectUnknownRoutes(app, routes)
  parseBodies(app)
  rejectRefusedBodies(app)
  addDeprecationHeaders(app, agentOperations)
  // Once the body is there, because it comes in another async context.
  if (options.servesOwnReads) app.addHook('preHandler', ({ raw }, _reply, done) => inRequest(stateOf(raw), done))
  // Node stops its timeouts while it closes: without this, half a request would keep the process alive.
  app.addHook('preClose', async () => {
    setTimeout(() => app.server.closeAllConnections(), CLOSE_GRACE_MS).unref()
  })
  installRequestEntry(app, options, refusals, routes)
  return app
}

/**
 * The way of a request before Fastify. The only place that touches the server's request listeners.
 * 0. A pipelined request waits for the answer before it. Its target is reduced to a path, the same for all that follows.
 * 1. The head is counted against its rate limit (public hosts).
 * 2. A cached read is sent without queueing (api host).
 * 3. The gate waits for the body.
 * 4. Admission runs the request now, queues it or sheds it (public hosts).
 * 5. Fastify runs its hooks in the order above.
 */
function installRequestEntry(app: FastifyInstance, options: HostOptions, refusals: RefusalLog, routes: RouteTable): void {
  const { logger, trustProxy, telemetry, admission, cachedReads, errorPages, cors: crossOrigin = true, bodies = new BodyGate() } = options
  const { rateLimits: limits } = options
  const responder = { logger, refusals, trustProxy, telemetry, cors: crossOrigin, errorPages }
  let enter: RequestListener = app.routing
  if (admission !== undefined) {
    enter = admitRequests({ ...responder, ...admission }, enter)
  }
  // What finds nothing, or is closed to all, is answered without a body.
  const ignoresBody = (route: KnownRoute | null) => route === null || (limits !== undefined && limitClassOf(limits, route) === 'other')
  enter = gateBodies({ ...responder, gate: bodies, ignoresBody }, enter)
  if (cachedReads !== undefined) enter = sendCachedReads(app, { ...responder, ...cachedReads }, enter)
  let reject = rejectTarget(responder)
  if (limits !== undefined) {
    enter = countHeads(responder, limits, enter)
    reject = countHeads(responder, limits, reject)
  }
  enter = identifyRequests(routes, options, enter)
  enter = inTurn(useOriginForm(enter, reject))
  // Connections bound the head. Node would leave out headers beyond its own limit: those of a proxy, and of a browser.
  app.server.maxHeadersCount = 0
  app.server.removeAllListeners('request').on('request', enter)
  // HTTP lets us ignore unknown expectations; Node would answer 417 without a body.
  app.server.on('checkExpectation', enter)
  admission?.connections?.watch(admission.host, app.server)
}

function identifyRequests(routes: RouteTable, { rewriteUrl, trustProxy }: HostOptions, next: RequestListener): RequestListener {
  return (request, response) => {
    const state = stateOf(request)
    state.route = routes.find(request.method ?? '', rewriteUrl?.(request) ?? request.url ?? '/')
    // Now: once the connection is reset its address is unknown.
    state.caller = clientKeyOf(callerAddress(request, trustProxy))
    next(request, response)
  }
}

function createServer({ logger, trustProxy, rewriteUrl, appPaths, cors: crossOrigin = true }: HostOptions): FastifyInstance {
  return Fastify({
    loggerInstance: logger,
    rewriteUrl: (request: IncomingMessage) => rewriteUrl?.(request) ?? request.url ?? '/',
    // Trust only the proxy in front of us: the caller can write what stands further left in X-Forwarded-For.
    trustProxy: trustProxy ? (_address, hop) => hop === 0 : false,
    // `logRequests` writes one line per request instead of Fastify's two.
    logController: new LogController({ disableRequestLogging: true }),
    // Mainly for heads: the gate for bodies is less patient, and answers in words.
    requestTimeout: 15_000,
    connectionTimeout: 30_000,
    bodyLimit: MAX_BODY_BYTES,
    // No shorter limit than that of the head: a handle that is too long is a 404 like any unknown one.
    routerOptions: { maxParamLength: MAX_HEAD_BYTES },
    // `checkHost` refuses a missing Host in words.
    http: { maxHeaderSize: MAX_HEAD_BYTES, requireHostHeader: false, headersTimeout: 10_000, connectionsCheckingInterval: 2000 },
    genReqId: requestIdOf,
    // No hook has run yet, so the headers that hooks add are added here.
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...securityHeaders(request), ...(crossOrigin ? CORS_HEADERS : {}) })
      sendError(appPaths !== undefined && isAppPath(request.url) ? appPathError(appPaths.webUrl, reply) : error, request, reply)
    },
    clientErrorHandler: handleClientError,
  })
}

function identify(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...securityHeaders(request), 'X-Request-Id': request.id })
  })
}

function logRequests(app: FastifyInstance, refusals: RefusalLog): void {
  app.addHook('onClose', async () => refusals.flush())
  app.addHook('onResponse', async (request, reply) => {
    // Metrics count them.
    if (isPreflight(request.raw)) return
    if (stateOf(request.raw).isRefused) {
      refusals.count(operationOf(request), reply.statusCode)
      return
    }
    const ms = Math.round(elapsedMs(request, reply) * 10) / 10
    // Without the URL: callers may put personal data into it.
    request.log.info({ method: request.method, operation: operationOf(request), status: reply.statusCode, ms }, 'answered')
  })
}

/** Any date gets the only version there is; the response names it. */
function checkApiVersion(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header(VERSION_HEADER, API_VERSION)
    const requested = request.headers['service-api-version']
    if (requested !== undefined && !z.iso.date().safeParse(requested).success) {
      throw new ServiceError('invalid_request', `${VERSION_HEADER} must be a date such as ${API_VERSION}.`)
    }
  })
}
