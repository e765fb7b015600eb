/**
 * Admission before Fastify: a 503 must cost next to nothing, or an overloaded process would spend its time on refusals.
 * The response is the one Fastify would send, header by header (a test compares them).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { errorEnvelope } from '../../contract/envelope.js'
import { OverloadedError, prefersHtml } from '../plugins/error-response.js'
import { RawResponder, type RawResponderOptions } from '../raw-response.js'
import type { RequestListener, Stage } from '../request-entry.js'
import { requestIdOf } from '../request-headers.js'
import { stateOf } from '../request-state.js'
import type { AdmissionController, Ticket } from './admission-controller.js'
import { workKindOf } from './work-kind.js'

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
  /** Whether Fastify shows errors as HTML pages: then it answers shed requests that prefer HTML. */
  hasErrorPage: boolean
}

/** Runs, queues or sheds requests. */
export const admissionStage =
  (options: AdmissionOptions): Stage =>
  (next) => {
    const listener = new AdmissionListener(options, next)
    return (request, response) => listener.handle(request, response)
  }

/** The hooks that go with the stage. Call after CORS, so that pages of other sites can read a 503, and before anything that costs. */
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

class AdmissionListener {
  readonly #options: AdmissionOptions
  readonly #next: RequestListener
  readonly #responder: RawResponder

  constructor(options: AdmissionOptions, next: RequestListener) {
    this.#options = options
    this.#next = next
    this.#responder = new RawResponder(options, { 'Cache-Control': 'no-store', 'Retry-After': String(OVERLOADED.options.retryAfterS) })
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    // Preflights cost nothing, and a page whose preflight fails never sees the reason.
    if (request.method === 'OPTIONS') {
      this.#next(request, response)
      return
    }
    const { host, controller } = this.#options
    const startedAt = performance.now()
    controller.admit({
      host,
      kind: workKindOf(request),
      admit: (ticket) => this.#admit(request, response, ticket, startedAt),
      reject: () => this.#reject(request, response, startedAt),
    })
  }

  #admit(request: IncomingMessage, response: ServerResponse, ticket: Ticket, startedAt: number): void {
    if (response.destroyed) {
      ticket.close()
      return
    }
    // Emitted once, whether the response was sent or the caller hung up.
    response.once('close', () => ticket.close())
    const state = stateOf(request)
    state.releaseSlot = ticket.releaseSlot
    state.queuedMs = performance.now() - startedAt
    this.#next(request, response)
  }

  #reject(request: IncomingMessage, response: ServerResponse, startedAt: number): void {
    if (this.#options.hasErrorPage && prefersHtml(request)) {
      stateOf(request).isShed = true
      this.#next(request, response)
      return
    }
    const requestId = requestIdOf(request)
    const body = `${BEFORE_ID}${requestId}${AFTER_ID}`
    this.#responder.send(request, response, { requestId, operation: SHED_OPERATION, status: 503, headers: [], body, startedAt })
  }
}

const OVERLOADED = new OverloadedError()

/** The error envelope, around the request id. */
const [BEFORE_ID = '', AFTER_ID = ''] = JSON.stringify(errorEnvelope(OVERLOADED, '\0')).split('\\u0000')
