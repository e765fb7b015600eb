/**
 * Where requests come in, before the framework: whoever hears no has to hear it for next to nothing, or a process with too much
 * to do would spend its time on refusals. Says the same as the ordinary way, header by header (a test holds the two side by side).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { API_VERSION, VERSION_HEADER } from '../../contract/version.js'
import { JSON_TYPE } from '../api/public-reads.js'
import { type ErrorPage, envelope, prefersHtml } from '../plugins/error-response.js'
import { EXPOSED } from '../plugins/exposed.js'
import type { Observed } from '../plugins/request-telemetry.js'
import { OVER_TLS, SAFE } from '../plugins/response-headers.js'
import { flat, toldByProxy } from '../raw-headers.js'
import { requestIdOf } from '../request-id.js'
import { noteGuest, served } from '../request-state.js'
import { noteWaited } from '../waited.js'
import { type Guest, type Overload, OverloadedError, RETRY_AFTER_S } from './admission-controller.js'
import { kindOf } from './work-kind.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Says itself when it has what it wants of the database: a stream begins before that, and a language model takes its time after. */
    drafts?: boolean
  }
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** How refused requests are called in metrics and log lines: which operation they want is known only behind the door. */
const OPERATION = 'refused'

export interface DoorOptions {
  logger: FastifyBaseLogger
  trustProxy: boolean
  observed?: Observed | undefined
  errorPage?: ErrorPage | undefined
  host: string
  watch: Overload
}

/** Turns requests away while there is too much to do: a quick no is worth more than an answer nobody waits for any more. */
export function keepDoor(app: FastifyInstance, options: DoorOptions): void {
  const door = new Door(app, options)
  app.server.removeAllListeners('request')
  app.server.on('request', (request, response) => door.receive(request, response))
  app.server.on('connection', () => options.watch.connected())
  // After CORS, so that pages can read the no; before anything that costs.
  app.addHook('onRequest', async (request) => door.refuseInWords(request))
  // Not only when it has closed: whoever reads the answer slowly must not keep others from the database.
  app.addHook('onSend', async ({ raw, routeOptions }) => {
    if (routeOptions.config.drafts !== true) served(raw)
  })
}

class Door {
  readonly #options: DoorOptions
  readonly #inside: Listener
  readonly #refused = new WeakSet<IncomingMessage>()

  constructor(app: FastifyInstance, options: DoorOptions) {
    this.#options = options
    const listeners = app.server.listeners('request') as Listener[]
    this.#inside = (request, response) => {
      for (const listener of listeners) listener.call(app.server, request, response)
    }
  }

  receive(request: IncomingMessage, response: ServerResponse): void {
    // Preflights cost nothing, and a page whose preflight is refused never learns why.
    if (request.method === 'OPTIONS') {
      this.#inside(request, response)
      return
    }
    const { host, watch } = this.#options
    const began = performance.now()
    watch.enter({
      host,
      kind: kindOf(request),
      come: (guest) => this.#letIn(request, response, guest, began),
      go: () => this.#refuse(request, response, began),
    })
  }

  refuseInWords({ raw }: FastifyRequest): void {
    if (this.#refused.has(raw)) throw new OverloadedError()
  }

  #letIn(request: IncomingMessage, response: ServerResponse, guest: Guest, began: number): void {
    if (response.destroyed) {
      guest.left()
      return
    }
    noteGuest(request, guest)
    // Answered or given up: either way it closes, once.
    response.once('close', () => guest.left())
    noteWaited(request, performance.now() - began)
    this.#inside(request, response)
  }

  #refuse(request: IncomingMessage, response: ServerResponse, began: number): void {
    const { errorPage, observed, logger, host, trustProxy } = this.#options
    if (errorPage !== undefined && prefersHtml(request)) {
      this.#refused.add(request)
      this.#inside(request, response)
      return
    }
    const id = requestIdOf(request)
    const body = `${BEFORE_ID}${id}${AFTER_ID}`
    const head = toldByProxy(request, 'x-forwarded-proto', trustProxy) === 'https' ? SECURE_HEAD : HEAD
    response.writeHead(503, [...head, 'x-request-id', id, 'content-length', String(body.length)])
    response.end(body)
    const ms = performance.now() - began
    observed?.metrics.answered(host, OPERATION, 503, ms)
    logger.info({ reqId: id, method: request.method, operation: OPERATION, status: 503, ms: Math.round(ms * 10) / 10 }, 'answered')
  }
}

const ALWAYS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED.join(', '),
  [VERSION_HEADER]: API_VERSION,
  'Cache-Control': 'no-store',
  'Retry-After': String(RETRY_AFTER_S),
  'Content-Type': JSON_TYPE,
}
const HEAD: readonly string[] = flat({ ...SAFE, ...ALWAYS })
const SECURE_HEAD: readonly string[] = flat({ ...OVER_TLS, ...ALWAYS })

/** The envelope, but for the id in it. */
const [BEFORE_ID = '', AFTER_ID = ''] = JSON.stringify(envelope(new OverloadedError(), '\0')).split('\\u0000')
