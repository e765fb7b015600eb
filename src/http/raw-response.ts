/** Responses sent before Fastify, with the headers, metric and log line its hooks would add. Tests compare the two ways. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { API_VERSION, VERSION_HEADER } from '../contract/operation.js'
import type { RequestTelemetry } from './plugins/request-telemetry.js'
import { EXPOSED_HEADERS, JSON_TYPE, SECURITY_HEADERS, TLS_SECURITY_HEADERS } from './plugins/response-headers.js'
import { forwardedHeader } from './request-state.js'

export interface RawResponderOptions {
  logger: FastifyBaseLogger
  trustProxy: boolean
  telemetry: RequestTelemetry | undefined
}

export interface RawResponse {
  requestId: string
  /** The name in metrics and log line. */
  operation: string
  status: number
  /** Name, value, name, value, as `writeHead` takes them. */
  headers: readonly string[]
  /** JSON; absent for a 304. */
  body?: string | Buffer | undefined
  startedAt: number
}

export class RawResponder {
  readonly #options: RawResponderOptions
  readonly #headers: readonly string[]
  readonly #tlsHeaders: readonly string[]

  /** `headers`: the same on every response. */
  constructor(options: RawResponderOptions, headers: Readonly<Record<string, string>>) {
    this.#options = options
    this.#headers = toRawHeaders({ ...SECURITY_HEADERS, ...STATIC_HEADERS, ...headers })
    this.#tlsHeaders = toRawHeaders({ ...TLS_SECURITY_HEADERS, ...STATIC_HEADERS, ...headers })
  }

  send(request: IncomingMessage, response: ServerResponse, { requestId, operation, status, headers, body, startedAt }: RawResponse): void {
    const { logger, telemetry, trustProxy } = this.#options
    const isTls = forwardedHeader(request, 'x-forwarded-proto', trustProxy) === 'https'
    const head = [...(isTls ? this.#tlsHeaders : this.#headers), 'x-request-id', requestId, ...headers]
    if (body !== undefined) head.push('content-type', JSON_TYPE, 'content-length', String(Buffer.byteLength(body)))
    response.writeHead(status, head)
    response.end(body)
    const ms = performance.now() - startedAt
    telemetry?.metrics.recordRequest(telemetry.host, operation, status, ms)
    logger.info({ reqId: requestId, method: request.method, operation, status, ms: Math.round(ms * 10) / 10 }, 'answered')
  }
}

const STATIC_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(', '),
  [VERSION_HEADER]: API_VERSION,
}

const toRawHeaders = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).flatMap(([name, value]) => [name.toLowerCase(), value])
