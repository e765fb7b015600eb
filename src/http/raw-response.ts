/** Responses sent before Fastify, with the headers, metric and log line its hooks would add. Tests compare the two ways. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { API_VERSION, VERSION_HEADER } from '../contract/operation.js'
import type { RequestTelemetry } from './plugins/request-telemetry.js'
import { CORS_HEADERS, JSON_TYPE, SECURITY_HEADERS, TLS_SECURITY_HEADERS } from './plugins/response-headers.js'
import { forwardedHeader } from './request-state.js'

export interface RawResponderOptions {
  logger: FastifyBaseLogger
  trustProxy: boolean
  telemetry: RequestTelemetry | undefined
}

interface RawResponse {
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

type SendRaw = (request: IncomingMessage, response: ServerResponse, raw: RawResponse) => void

/** `common`: headers that are the same on every response. */
export function rawResponder({ logger, telemetry, trustProxy }: RawResponderOptions, common: Readonly<Record<string, string>>): SendRaw {
  const plainHeaders = toRawHeaders({ ...SECURITY_HEADERS, ...STATIC_HEADERS, ...common })
  const tlsHeaders = toRawHeaders({ ...TLS_SECURITY_HEADERS, ...STATIC_HEADERS, ...common })
  return (request, response, { requestId, operation, status, headers, body, startedAt }) => {
    const isTls = forwardedHeader(request, 'x-forwarded-proto', trustProxy) === 'https'
    const head = [...(isTls ? tlsHeaders : plainHeaders), 'x-request-id', requestId, ...headers]
    if (body !== undefined) head.push('content-type', JSON_TYPE, 'content-length', String(Buffer.byteLength(body)))
    response.writeHead(status, head)
    response.end(body)
    const ms = performance.now() - startedAt
    telemetry?.metrics.recordRequest(telemetry.host, operation, status, ms)
    logger.info({ reqId: requestId, method: request.method, operation, status, ms: Math.round(ms * 10) / 10 }, 'answered')
  }
}

const STATIC_HEADERS = {
  ...CORS_HEADERS,
  [VERSION_HEADER]: API_VERSION,
}

const toRawHeaders = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).flatMap(([name, value]) => [name.toLowerCase(), value])
