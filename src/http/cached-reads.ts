/**
 * Sends public reads that are in the answer cache before Fastify, whose hooks cost more than the response. The response is
 * the one Fastify would send, header by header (a test compares them); any unusual request is left to Fastify.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { VERSION_HEADER } from '../contract/operation.js'
import type { AnswerCache } from '../operations/cache/answer-cache.js'
import { etagForEncoding } from '../operations/cache/encoded-bodies.js'
import { namesOneHost } from './plugins/check-host.js'
import { negotiateEncoding } from './plugins/content-negotiation.js'
import { CACHE_CONTROL, matchesEtag } from './plugins/etag.js'
import { VARY } from './plugins/response-headers.js'
import { type RawResponderOptions, rawResponder } from './raw-response.js'
import { requestIdOf } from './request-state.js'

export interface CachedReadsOptions extends RawResponderOptions {
  answers: Pick<AnswerCache, 'getCached' | 'untilFresh'>
}

/** Sends cached reads and passes all other requests to `next`. However many are in flight: sending one costs less than refusing it. */
export function sendCachedReads(app: FastifyInstance, options: CachedReadsOptions, next: RequestListener): RequestListener {
  const { answers, telemetry } = options
  // A trace shows every step.
  if (telemetry?.tracer.enabled) return next
  const send = rawResponder(options, { 'Cache-Control': CACHE_CONTROL, ...VARY })
  let isClosing = false
  // Fastify answers 503 while it closes.
  app.addHook('preClose', async () => {
    isClosing = true
  })

  const sendCached = (request: IncomingMessage, response: ServerResponse, startedAt: number): boolean => {
    const cached = isClosing ? undefined : findCached(answers, request)
    if (cached === undefined) return false
    const { answer, encoding, tag, notModified, body } = cached
    const headers = ['etag', tag, 'content-language', answer.languages, 'service-position', String(answer.position)]
    if (!notModified && encoding !== undefined) headers.push('content-encoding', encoding)
    const { operation } = answer
    const answered = notModified ? { operation, headers, status: 304 } : { operation, headers, status: 200, body }
    send(request, response, { ...answered, requestId: requestIdOf(request), startedAt })
    return true
  }

  return (request, response) => {
    const startedAt = performance.now()
    const isCandidate = isEligible(request)
    if (isCandidate && sendCached(request, response, startedAt)) return
    const fresh = isCandidate ? answers.untilFresh(request.url ?? '') : null
    if (fresh === null) next(request, response)
    // Without a place among reads of the store, which others may hold for long: all wait for the same look at it.
    else {
      const goOn = () => sendCached(request, response, startedAt) || next(request, response)
      fresh.then(goOn, goOn)
    }
  }
}

/** With one of these, the answer depends on more than the URL. */
const BYPASS_HEADERS = ['service-min-position', VERSION_HEADER.toLowerCase(), 'content-length', 'transfer-encoding', 'expect', 'upgrade']

const isEligible = (request: IncomingMessage): boolean =>
  request.method === 'GET' && namesOneHost(request) && BYPASS_HEADERS.every((name) => request.headers[name] === undefined)

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
