/** Responses sent before Fastify, with the headers, metric and log line its hooks would add. Tests compare the two ways. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { API_VERSION, VERSION_HEADER } from '../contract/operation.js'
import { leaveBodyUnread } from './plugins/request-body.js'
import type { RequestTelemetry } from './plugins/request-telemetry.js'
import { CORS_HEADERS, JSON_TYPE, SECURITY_HEADERS, TLS_SECURITY_HEADERS } from './plugins/response-headers.js'
import type { RefusalLog } from './refusal-log.js'
import { forwardedHeader, stateOf } from './request-state.js'

export interface RawResponderOptions {
  logger: FastifyBaseLogger
  refusals: RefusalLog
  trustProxy: boolean
  telemetry: RequestTelemetry | undefined
  /** Whether pages of other sites may read the response. */
  cors: boolean
}

interface RawResponse {
  requestId: string
  /** The name in metrics and log line. */
  operation: string
  status: number
  /** Name, value, name, value, as `writeHead` takes them. */
  headers: readonly string[]
  /** Absent for a 304. */
  body?: string | Buffer | undefined
  /** Default: JSON. */
  type?: string
  startedAt: number
}

type SendRaw = (request: IncomingMessage, response: ServerResponse, raw: RawResponse) => void

/** `common`: headers that are the same on every response. */
export function rawResponder(
  { logger, refusals, telemetry, trustProxy, cors }: RawResponderOptions,
  common: Readonly<Record<string, string>>,
): SendRaw {
  const shared = { ...(cors ? CORS_HEADERS : {}), [VERSION_HEADER]: API_VERSION, ...common }
  const plainHeaders = toRawHeaders({ ...SECURITY_HEADERS, ...shared })
  const tlsHeaders = toRawHeaders({ ...TLS_SECURITY_HEADERS, ...shared })
  return (request, response, { requestId, operation, status, headers, body, type = JSON_TYPE, startedAt }) => {
    const isTls = forwardedHeader(request, 'x-forwarded-proto', trustProxy) === 'https'
    const head = [...(isTls ? tlsHeaders : plainHeaders), 'x-request-id', requestId, ...headers]
    const { counted } = stateOf(request)
    const limits = counted?.limit.headers(counted.decision) ?? {}
    for (const name in limits) head.push(name, String(limits[name]))
    if (body !== undefined) head.push('content-type', type, 'content-length', String(Buffer.byteLength(body)))
    leaveBodyUnread(request, response)
    response.writeHead(status, head)
    response.end(body)
    const ms = performance.now() - startedAt
    telemetry?.metrics.recordRequest(telemetry.host, operation, status, ms)
    if (status === 429 || status === 503) refusals.count(operation, status)
    else logger.info({ reqId: requestId, method: request.method, operation, status, ms: Math.round(ms * 10) / 10 }, 'answered')
  }
}

const toRawHeaders = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).flatMap(([name, value]) => [name.toLowerCase(), value])
