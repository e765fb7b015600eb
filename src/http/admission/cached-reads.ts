/**
 * Sends public reads that are in the answer cache before Fastify, whose hooks cost more than the response. The response is
 * the one Fastify would send, header by header (a test compares them); any unusual request is left to Fastify.
 */
import type { IncomingMessage, RequestListener } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { VERSION_HEADER } from '../../contract/operation.js'
import type { RateDecision } from '../../lib/sliding-window.js'
import type { AnswerCache } from '../../operations/cache/answer-cache.js'
import { etagForEncoding } from '../../operations/cache/encoded-bodies.js'
import { namesOneHost } from '../plugins/check-host.js'
import { negotiateEncoding } from '../plugins/content-negotiation.js'
import { CACHE_CONTROL, matchesEtag } from '../plugins/etag.js'
import { VARY } from '../plugins/response-headers.js'
import { callerAddress } from '../rate-limit/client-key.js'
import type { RateLimit } from '../rate-limit/rate-limit.js'
import { type RawResponderOptions, rawResponder } from '../raw-response.js'
import { requestIdOf, stateOf } from '../request-state.js'
import type { AdmissionController } from './admission-controller.js'

export interface CachedReadsOptions extends RawResponderOptions {
  answers: Pick<AnswerCache, 'getCached'>
  limit: RateLimit
  controller: AdmissionController | undefined
}

/** Sends cached reads and passes all other requests to `next`. */
export function sendCachedReads(app: FastifyInstance, options: CachedReadsOptions, next: RequestListener): RequestListener {
  const { answers, limit, controller, trustProxy, telemetry } = options
  // A trace shows every step.
  if (telemetry?.tracer.enabled) return next
  const send = rawResponder(options, { 'Cache-Control': CACHE_CONTROL, ...VARY })
  let isClosing = false
  // Fastify answers 503 while it closes.
  app.addHook('preClose', async () => {
    isClosing = true
  })

  return (request, response) => {
    const cached = !isClosing && isEligible(request) ? findCached(answers, request) : undefined
    if (cached === undefined || controller?.hasCapacity() === false) {
      next(request, response)
      return
    }
    const startedAt = performance.now()
    const sendOrPass = (found: CachedResponse | undefined, decision: RateDecision | null) => {
      if (found !== undefined && decision?.allowed !== false)
        send(request, response, { ...rawResponse(found, decision, limit), requestId: requestIdOf(request), startedAt })
      else {
        if (decision !== null) stateOf(request).counted = { limit, decision }
        next(request, response)
      }
    }
    const decision = limit.take(callerAddress(request, trustProxy))
    if (!(decision instanceof Promise)) sendOrPass(cached, decision)
    else {
      decision.then(
        // Looked up again: a creator in it may have been erased since.
        (made) => sendOrPass(findCached(answers, request), made),
        (error) => response.destroy(error),
      )
    }
  }
}

/** With one of these, the answer depends on more than the URL. */
const BYPASS_HEADERS = ['service-min-position', VERSION_HEADER.toLowerCase(), 'content-length', 'transfer-encoding', 'expect', 'upgrade']

const isEligible = (request: IncomingMessage): boolean =>
  request.method === 'GET' && namesOneHost(request) && BYPASS_HEADERS.every((name) => request.headers[name] === undefined)

type CachedResponse = NonNullable<ReturnType<typeof findCached>>

/** The answer in the encoding the caller wants. `notModified`: the caller has it already. */
function findCached(answers: CachedReadsOptions['answers'], { url = '', headers }: IncomingMessage) {
  const answer = answers.getCached(url)
  if (answer === undefined) return undefined
  const { bodies } = answer
  const encoding = bodies.isWorthCompressing ? negotiateEncoding(headers['accept-encoding']) : undefined
  const tag = etagForEncoding(answer.etag, encoding)
  const notModified = matchesEtag(headers['if-none-match'], tag)
  const body = notModified || encoding === undefined ? bodies.body : bodies.getIfReady(encoding)
  // The first request for an encoding waits for it in Fastify.
  return body === undefined ? undefined : { answer, encoding, tag, notModified, body }
}

function rawResponse({ answer, encoding, tag, notModified, body }: CachedResponse, decision: RateDecision | null, limit: RateLimit) {
  const headers = ['etag', tag, 'content-language', answer.languages, 'service-position', String(answer.position)]
  if (decision !== null) for (const [name, value] of Object.entries(limit.headers(decision))) headers.push(name, String(value))
  if (!notModified && encoding !== undefined) headers.push('content-encoding', encoding)
  return { operation: answer.operation, status: notModified ? 304 : 200, headers, body: notModified ? undefined : body }
}
