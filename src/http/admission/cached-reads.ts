/**
 * Sends public reads that are in the answer cache before Fastify, whose hooks cost more than the response. The response is
 * the one Fastify would send, header by header (a test compares them); any unusual request is left to Fastify.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { VERSION_HEADER } from '../../contract/version.js'
import type { RateDecision } from '../../lib/sliding-window.js'
import type { AnswerCache, CachedAnswer } from '../../operations/cache/answer-cache.js'
import { type Encoding, etagForEncoding } from '../../operations/cache/encoded-bodies.js'
import { negotiateEncoding } from '../plugins/content-encoding.js'
import { CACHE_CONTROL, matchesEtag } from '../plugins/etag.js'
import { VARY } from '../plugins/response-headers.js'
import type { RateLimit } from '../rate-limit/rate-limit.js'
import { RawResponder, type RawResponderOptions } from '../raw-response.js'
import type { RequestListener, Stage } from '../request-entry.js'
import { forwardedHeader, requestIdOf } from '../request-headers.js'
import { stateOf } from '../request-state.js'
import type { AdmissionController } from './admission-controller.js'

export interface CachedReadsOptions extends RawResponderOptions {
  answers: Pick<AnswerCache, 'getCached'>
  limit: RateLimit
  controller: AdmissionController | undefined
}

/** An answer in the encoding the caller wants. */
interface CachedResponse {
  answer: CachedAnswer
  encoding: Encoding | undefined
  tag: string
  /** The caller has it already. */
  notModified: boolean
  body: Buffer
}

/** `undefined` while tracing: a trace shows every step. */
export function cachedReadsStage(app: FastifyInstance, options: CachedReadsOptions): Stage | undefined {
  if (options.telemetry?.tracer.enabled) return undefined
  return (next) => {
    const handler = new CachedReadsHandler(options, next)
    // Fastify answers 503 while it closes.
    app.addHook('preClose', async () => handler.close())
    return (request, response) => handler.handle(request, response)
  }
}

/** With one of these, the answer depends on more than the URL. */
const BYPASS_HEADERS = ['service-min-position', VERSION_HEADER.toLowerCase(), 'content-length', 'transfer-encoding', 'expect', 'upgrade']

class CachedReadsHandler {
  readonly #options: CachedReadsOptions
  readonly #next: RequestListener
  readonly #responder: RawResponder
  #closed = false

  constructor(options: CachedReadsOptions, next: RequestListener) {
    this.#options = options
    this.#next = next
    this.#responder = new RawResponder(options, { 'Cache-Control': CACHE_CONTROL, ...VARY })
  }

  close(): void {
    this.#closed = true
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const { limit, controller, trustProxy } = this.#options
    const cached = this.#isEligible(request) ? this.#find(request) : undefined
    if (cached === undefined || controller?.hasCapacity() === false) {
      this.#next(request, response)
      return
    }
    const startedAt = performance.now()
    const decision = limit.take(forwardedHeader(request, 'x-forwarded-for', trustProxy) ?? request.socket.remoteAddress ?? '')
    if (!(decision instanceof Promise)) this.#afterRateLimit(request, response, cached, decision, startedAt)
    else {
      decision.then(
        // Looked up again: a creator in it may have been erased meanwhile.
        (made) => this.#afterRateLimit(request, response, this.#find(request), made, startedAt),
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
    // The first request for an encoding waits for it in Fastify.
    return body === undefined ? undefined : { answer, encoding, tag, notModified, body }
  }

  #afterRateLimit(
    request: IncomingMessage,
    response: ServerResponse,
    cached: CachedResponse | undefined,
    decision: RateDecision | null,
    startedAt: number,
  ): void {
    if (cached !== undefined && decision?.allowed !== false) this.#send(request, response, cached, decision, startedAt)
    else {
      if (decision !== null) stateOf(request).rateDecision = decision
      this.#next(request, response)
    }
  }

  #send(
    request: IncomingMessage,
    response: ServerResponse,
    { answer, encoding, tag, notModified, body }: CachedResponse,
    decision: RateDecision | null,
    startedAt: number,
  ): void {
    const headers = ['etag', tag, 'content-language', answer.languages, 'service-position', String(answer.position)]
    if (decision !== null)
      for (const [name, value] of Object.entries(this.#options.limit.headers(decision))) headers.push(name, String(value))
    if (!notModified && encoding !== undefined) headers.push('content-encoding', encoding)
    this.#responder.send(request, response, {
      requestId: requestIdOf(request),
      operation: answer.operation,
      status: notModified ? 304 : 200,
      headers,
      body: notModified ? undefined : body,
      startedAt,
    })
  }

  #isEligible({ method, headers }: IncomingMessage): boolean {
    return method === 'GET' && !this.#closed && headers.host !== undefined && BYPASS_HEADERS.every((name) => headers[name] === undefined)
  }
}
