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
import { type RawResponderOptions, rawResponder } from './raw-response.js'
import { requestIdOf, stateOf } from './request-state.js'

export interface RefuserOptions extends RawResponderOptions {
  errorPages: ErrorPages | undefined
}

type Refuse = (request: IncomingMessage, response: ServerResponse, failure: ServiceError, operation: string, startedAt: number) => void

/** `pagesOf`: the status of those that may be pages. `connection`: `close` where the rest of the request must not be read. */
export function refuser(options: RefuserOptions, { pagesOf, connection }: { pagesOf?: 429 | 503; connection?: 'close' }): Refuse {
  const pages = pagesOf === undefined ? undefined : options.errorPages?.prepare(pagesOf)
  const common = { 'Cache-Control': 'no-store', ...(connection && { Connection: connection }) }
  const send = rawResponder(options, common)
  const sendPage = rawResponder(options, { ...common, ...pages?.headers })
  return (request, response, failure, operation, startedAt) => {
    const requestId = requestIdOf(request)
    const { status } = failure
    const { retryAfterS } = failure.options
    const headers = retryAfterS === undefined ? [] : ['retry-after', String(retryAfterS)]
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
