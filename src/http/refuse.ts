/**
 * Refusals before Fastify. They must cost next to nothing, or an overloaded process would spend its time on them. The answer is
 * the one Fastify would send, header by header (a test compares them), except that pages are made in advance.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorEnvelope } from '../contract/envelope.js'
import type { ServiceError } from '../contract/errors.js'
import { prefersHtml } from './plugins/content-negotiation.js'
import type { ErrorPages } from './plugins/error-response.js'
import { HTML_TYPE } from './plugins/response-headers.js'
import { type RawResponderOptions, rateHeadersOf, rawResponder } from './raw-response.js'
import { requestIdOf, stateOf } from './request-state.js'

export interface RefuserOptions extends RawResponderOptions {
  errorPages: ErrorPages | undefined
}

type Refuse = (request: IncomingMessage, response: ServerResponse, failure: ServiceError, operation: string, startedAt: number) => void

export function refuser(options: RefuserOptions, status: 429 | 503): Refuse {
  const pages = options.errorPages?.prepare(status)
  const send = rawResponder(options, { 'Cache-Control': 'no-store' })
  const sendPage = rawResponder(options, { 'Cache-Control': 'no-store', ...pages?.headers })
  return (request, response, failure, operation, startedAt) => {
    const requestId = requestIdOf(request)
    const headers = ['retry-after', String(failure.options.retryAfterS), ...rateHeadersOf(request)]
    const page = stateOf(request).route?.config.isPage === true ? pages : undefined
    if (page !== undefined && prefersHtml(request)) {
      const { language, body } = page.render(request, requestId)
      headers.push('content-language', language)
      sendPage(request, response, { requestId, operation, status, headers, body, type: HTML_TYPE, startedAt })
      return
    }
    if (page !== undefined) headers.push('vary', 'Accept')
    const body = JSON.stringify(errorEnvelope(failure, requestId))
    send(request, response, { requestId, operation, status, headers, body, startedAt })
  }
}
