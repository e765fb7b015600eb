/**
 * Public reads whose answers are at hand are sent from here, before the framework: its hooks cost more than the answer. Says
 * the same as the ordinary way, header by header (a test holds the two side by side); whatever is in any way out of the
 * ordinary is left to that.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { API_VERSION, VERSION_HEADER } from '../../contract/version.js'
import type { RateDecision } from '../../lib/sliding-window.js'
import type { AnswerCache, CachedAnswer } from '../../operations/cache/answer-cache.js'
import type { Encoding } from '../../operations/cache/encoded-bodies.js'
import { etagForEncoding, negotiateEncoding } from '../api/content-encoding.js'
import { JSON_TYPE, VARY } from '../api/public-reads.js'
import type { HostOptions } from '../host.js'
import { CACHE_CONTROL, matchesEtag } from '../plugins/etag.js'
import { EXPOSED_HEADERS, SECURITY_HEADERS, TLS_SECURITY_HEADERS } from '../plugins/response-headers.js'
import { setRateDecision } from '../rate-limit/limit-classes.js'
import type { RateLimit } from '../rate-limit/rate-limit.js'
import { forwardedHeader, requestIdOf, toRawHeaders } from '../request-state.js'

export interface CachedReadsOptions extends Pick<HostOptions, 'logger' | 'trustProxy' | 'telemetry' | 'admission'> {
  answers: AnswerCache
  limit: RateLimit
}

/** An answer in the form that the caller wants. */
interface CachedResponse {
  answer: CachedAnswer
  encoding: Encoding | undefined
  tag: string
  /** The caller has it already. */
  notModified: boolean
  body: Buffer
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

export function serveCachedReads(app: FastifyInstance, options: CachedReadsOptions): void {
  // A trace wants to see every step of the way.
  if (options.telemetry?.tracer.enabled) return
  const listeners = app.server.listeners('request') as Listener[]
  const counter = new CachedReadsHandler(options, (request, response) => {
    for (const listener of listeners) listener.call(app.server, request, response)
  })
  app.server.removeAllListeners('request')
  app.server.on('request', (request, response) => counter.handle(request, response))
  // Whoever asks after that is told so in the ordinary way.
  app.addHook('preClose', async () => counter.close())
}

/** A request with one of these wants something that is not at hand, or there is more to it than its address. */
const BYPASS_HEADERS = ['service-min-position', VERSION_HEADER.toLowerCase(), 'content-length', 'transfer-encoding', 'expect', 'upgrade']

class CachedReadsHandler {
  readonly #options: CachedReadsOptions
  readonly #next: Listener
  #closed = false

  constructor(options: CachedReadsOptions, ordinarily: Listener) {
    this.#options = options
    this.#next = ordinarily
  }

  close(): void {
    this.#closed = true
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const { limit, admission, trustProxy } = this.#options
    const answer = this.#isEligible(request) ? this.#find(request) : undefined
    if (answer === undefined || admission?.controller.hasCapacity() === false) {
      this.#next(request, response)
      return
    }
    const began = performance.now()
    const verdict = limit.take(forwardedHeader(request, 'x-forwarded-for', trustProxy) ?? request.socket.remoteAddress ?? '')
    if (!(verdict instanceof Promise)) this.#afterRateLimit(request, response, answer, verdict, began)
    else {
      verdict.then(
        // Meanwhile somebody may have been erased.
        (given) => this.#afterRateLimit(request, response, this.#find(request), given, began),
        (error) => response.destroy(error),
      )
    }
  }

  #find({ url = '', headers }: IncomingMessage): CachedResponse | undefined {
    const answer = this.#options.answers.getCached(url)
    if (answer === undefined) return undefined
    const { bodies } = answer
    const encoding = bodies.isWorthCompressing ? negotiateEncoding(headers['accept-encoding']) : undefined
    const tag = etagForEncoding(answer.etag, encoding)
    const notModified = matchesEtag(headers['if-none-match'], tag)
    const body = notModified || encoding === undefined ? bodies.body : bodies.getIfReady(encoding)
    // Who is first to want a form waits for it, in the ordinary way.
    return body === undefined ? undefined : { answer, encoding, tag, notModified, body }
  }

  #afterRateLimit(
    request: IncomingMessage,
    response: ServerResponse,
    answer: CachedResponse | undefined,
    verdict: RateDecision | null,
    began: number,
  ): void {
    if (answer !== undefined && verdict?.allowed !== false) this.#send(request, response, answer, verdict, began)
    else {
      if (verdict !== null) setRateDecision(request, verdict)
      this.#next(request, response)
    }
  }

  #send(request: IncomingMessage, response: ServerResponse, chosen: CachedResponse, verdict: RateDecision | null, began: number): void {
    const { limit, logger, telemetry, trustProxy } = this.#options
    const { answer, encoding, tag, notModified, body } = chosen
    const id = requestIdOf(request)
    const status = notModified ? 304 : 200
    const head = forwardedHeader(request, 'x-forwarded-proto', trustProxy) === 'https' ? [...TLS_HEADERS] : [...HEADERS]
    head.push('x-request-id', id, 'etag', tag, 'content-language', answer.languages, 'service-position', String(answer.position))
    if (verdict !== null) for (const [name, value] of Object.entries(limit.headers(verdict))) head.push(name, String(value))
    if (!notModified) head.push('content-type', JSON_TYPE, 'content-length', String(body.length))
    if (!notModified && encoding !== undefined) head.push('content-encoding', encoding)
    response.writeHead(status, head)
    response.end(notModified ? undefined : body)
    const ms = performance.now() - began
    telemetry?.metrics.recordRequest(telemetry.host, answer.operation, status, ms)
    logger.info({ reqId: id, method: request.method, operation: answer.operation, status, ms: Math.round(ms * 10) / 10 }, 'answered')
  }

  #isEligible({ method, headers }: IncomingMessage): boolean {
    return method === 'GET' && !this.#closed && headers.host !== undefined && BYPASS_HEADERS.every((name) => headers[name] === undefined)
  }
}

const STATIC_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(', '),
  [VERSION_HEADER]: API_VERSION,
  'Cache-Control': CACHE_CONTROL,
  ...VARY,
}
const HEADERS: readonly string[] = toRawHeaders({ ...SECURITY_HEADERS, ...STATIC_HEADERS })
const TLS_HEADERS: readonly string[] = toRawHeaders({ ...TLS_SECURITY_HEADERS, ...STATIC_HEADERS })
