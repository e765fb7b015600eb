/**
 * Where requests come in, before the framework: whoever hears no has to hear it for next to nothing, or a process with too much
 * to do would spend its time on refusals. Says the same as the ordinary way, header by header (a test holds the two side by side).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { errorEnvelope } from '../../contract/envelope.js'
import { API_VERSION, VERSION_HEADER } from '../../contract/version.js'
import { JSON_TYPE } from '../api/public-reads.js'
import { type ErrorPage, prefersHtml } from '../plugins/error-response.js'
import type { RequestTelemetry } from '../plugins/request-telemetry.js'
import { EXPOSED_HEADERS, SECURITY_HEADERS, TLS_SECURITY_HEADERS } from '../plugins/response-headers.js'
import { forwardedHeader, releaseSlot, requestIdOf, setQueuedMs, setTicket, toRawHeaders } from '../request-state.js'
import { type AdmissionController, OverloadedError, RETRY_AFTER_S, type Ticket } from './admission-controller.js'
import { workKindOf } from './work-kind.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Says itself when it has what it wants of the database: a stream begins before that, and a language model takes its time after. */
    releasesSlotEarly?: boolean
  }
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** How refused requests are called in metrics and log lines: which operation they want is known only behind the door. */
const SHED_OPERATION = 'refused'

export interface AdmissionOptions {
  logger: FastifyBaseLogger
  trustProxy: boolean
  observed?: RequestTelemetry | undefined
  errorPage?: ErrorPage | undefined
  host: string
  controller: AdmissionController
}

/** Turns requests away while there is too much to do: a quick no is worth more than an answer nobody waits for any more. */
export function admitRequests(app: FastifyInstance, options: AdmissionOptions): void {
  const listener = new AdmissionListener(app, options)
  app.server.removeAllListeners('request')
  app.server.on('request', (request, response) => listener.handle(request, response))
  app.server.on('connection', () => options.controller.noteConnection())
  // After CORS, so that pages can read the no; before anything that costs.
  app.addHook('onRequest', async (request) => listener.throwIfShed(request))
  // Not only when it has closed: whoever reads the answer slowly must not keep others from the database.
  app.addHook('onSend', async ({ raw, routeOptions }) => {
    if (routeOptions.config.releasesSlotEarly !== true) releaseSlot(raw)
  })
}

class AdmissionListener {
  readonly #options: AdmissionOptions
  readonly #next: Listener
  readonly #shed = new WeakSet<IncomingMessage>()

  constructor(app: FastifyInstance, options: AdmissionOptions) {
    this.#options = options
    const listeners = app.server.listeners('request') as Listener[]
    this.#next = (request, response) => {
      for (const listener of listeners) listener.call(app.server, request, response)
    }
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    // Preflights cost nothing, and a page whose preflight is refused never learns why.
    if (request.method === 'OPTIONS') {
      this.#next(request, response)
      return
    }
    const { host, controller } = this.#options
    const began = performance.now()
    controller.admit({
      host,
      kind: workKindOf(request),
      admit: (ticket) => this.#admit(request, response, ticket, began),
      reject: () => this.#reject(request, response, began),
    })
  }

  throwIfShed({ raw }: FastifyRequest): void {
    if (this.#shed.has(raw)) throw new OverloadedError()
  }

  #admit(request: IncomingMessage, response: ServerResponse, ticket: Ticket, began: number): void {
    if (response.destroyed) {
      ticket.close()
      return
    }
    setTicket(request, ticket)
    // Answered or given up: either way it closes, once.
    response.once('close', () => ticket.close())
    setQueuedMs(request, performance.now() - began)
    this.#next(request, response)
  }

  #reject(request: IncomingMessage, response: ServerResponse, began: number): void {
    const { errorPage, observed: telemetry, logger, host, trustProxy } = this.#options
    if (errorPage !== undefined && prefersHtml(request)) {
      this.#shed.add(request)
      this.#next(request, response)
      return
    }
    const id = requestIdOf(request)
    const body = `${BEFORE_ID}${id}${AFTER_ID}`
    const head = forwardedHeader(request, 'x-forwarded-proto', trustProxy) === 'https' ? TLS_HEADERS : HEADERS
    response.writeHead(503, [...head, 'x-request-id', id, 'content-length', String(body.length)])
    response.end(body)
    const ms = performance.now() - began
    telemetry?.metrics.recordRequest(host, SHED_OPERATION, 503, ms)
    logger.info({ reqId: id, method: request.method, operation: SHED_OPERATION, status: 503, ms: Math.round(ms * 10) / 10 }, 'answered')
  }
}

const STATIC_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(', '),
  [VERSION_HEADER]: API_VERSION,
  'Cache-Control': 'no-store',
  'Retry-After': String(RETRY_AFTER_S),
  'Content-Type': JSON_TYPE,
}
const HEADERS: readonly string[] = toRawHeaders({ ...SECURITY_HEADERS, ...STATIC_HEADERS })
const TLS_HEADERS: readonly string[] = toRawHeaders({ ...TLS_SECURITY_HEADERS, ...STATIC_HEADERS })

/** The envelope, but for the id in it. */
const [BEFORE_ID = '', AFTER_ID = ''] = JSON.stringify(errorEnvelope(new OverloadedError(), '\0')).split('\\u0000')
