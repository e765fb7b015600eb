/**
 * Admission before Fastify: a 503 must cost next to nothing, or an overloaded process would spend its time on refusals.
 * The response is the one Fastify would send, header by header (a test compares them).
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { errorEnvelope } from '../../contract/envelope.js'
import { OverloadedError } from '../../contract/errors.js'
import { prefersHtml } from '../plugins/content-negotiation.js'
import { type RawResponderOptions, rateHeadersOf, rawResponder } from '../raw-response.js'
import { requestIdOf, stateOf } from '../request-state.js'
import { isPreflight } from '../route-table.js'
import type { AdmissionController, Ticket } from './admission-controller.js'
import { workKindOf } from './work-kinds.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route frees its slot itself: a stream starts before the database is done, a language model runs on after it. */
    releasesSlotEarly?: boolean
  }
}

/** The operation of shed requests in metrics and log lines: they are not routed, so their own is unknown. */
const SHED_OPERATION = 'refused'

export interface AdmissionOptions extends RawResponderOptions {
  host: string
  controller: AdmissionController
  /** A position that all models have reached. Default: none is known. */
  reachedPosition?: (() => number) | undefined
  /** Whether Fastify shows errors as HTML pages: then it answers shed requests that prefer HTML. */
  hasErrorPage: boolean
}

/** Passes requests to `next` now or later, or sheds them. */
export function admitRequests(options: AdmissionOptions, next: RequestListener): RequestListener {
  const { host, controller, reachedPosition = () => 0, hasErrorPage } = options
  const send = rawResponder(options, { 'Cache-Control': 'no-store', 'Retry-After': String(OVERLOADED.options.retryAfterS) })

  const admit = (request: IncomingMessage, response: ServerResponse, ticket: Ticket, startedAt: number) => {
    if (response.destroyed) {
      ticket.close()
      return
    }
    // Emitted once, whether the response was sent or the caller hung up.
    response.once('close', () => ticket.close())
    const state = stateOf(request)
    state.releaseSlot = ticket.releaseSlot
    state.queuedMs = performance.now() - startedAt
    next(request, response)
  }

  const reject = (request: IncomingMessage, response: ServerResponse, startedAt: number) => {
    if (hasErrorPage && prefersHtml(request)) {
      stateOf(request).isShed = true
      next(request, response)
      return
    }
    const requestId = requestIdOf(request)
    const body = `${BEFORE_ID}${requestId}${AFTER_ID}`
    send(request, response, { requestId, operation: SHED_OPERATION, status: 503, headers: rateHeadersOf(request), body, startedAt })
  }

  return (request, response) => {
    if (isPreflight(request)) {
      next(request, response)
      return
    }
    const startedAt = performance.now()
    const { caller, route } = stateOf(request)
    controller.admit({
      host,
      caller: caller ?? '',
      kind: workKindOf(route, request, reachedPosition()),
      admit: (ticket) => admit(request, response, ticket, startedAt),
      reject: () => reject(request, response, startedAt),
    })
  }
}

/** The hooks that go with `admitRequests`. Call after CORS, so that pages of other sites can read a 503, and before anything that costs. */
export function addAdmissionHooks(app: FastifyInstance, controller: AdmissionController): void {
  app.server.on('connection', () => controller.noteConnection())
  app.addHook('onRequest', async ({ raw }) => {
    if (stateOf(raw).isShed) throw new OverloadedError()
  })
  // Not only on close: a caller that reads slowly must not hold a slot of the database.
  app.addHook('onSend', async ({ raw, routeOptions }) => {
    if (routeOptions.config.releasesSlotEarly !== true) stateOf(raw).releaseSlot?.()
  })
}

const OVERLOADED = new OverloadedError()

/** The error envelope, around the request id. */
const [BEFORE_ID = '', AFTER_ID = ''] = JSON.stringify(errorEnvelope(OVERLOADED, '\0')).split('\\u0000')
