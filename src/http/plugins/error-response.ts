import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorEnvelope } from '../../contract/envelope.js'
import { classifyError, nameForStatus, OverloadedError, ServiceError } from '../../contract/errors.js'
import { API_VERSION, VERSION_HEADER } from '../../contract/operation.js'
import { PositionNotReachedError } from '../../operations/read-executor.js'
import { stateOf } from '../request-state.js'
import { prefersHtml } from './content-negotiation.js'
import { HTML_TYPE, JSON_TYPE, SECURITY_HEADERS } from './response-headers.js'

/** HTML pages for errors, for callers that prefer them. All others get the JSON envelope. */
export interface ErrorPages {
  exists(failure: ServiceError, request: FastifyRequest): boolean
  render(failure: ServiceError, request: FastifyRequest, reply: FastifyReply): string
  /** Makes the pages of a status in advance, for answers before Fastify. */
  prepare(status: number): PreparedPages
}

export interface PreparedPages {
  headers: Readonly<Record<string, string>>
  render(request: IncomingMessage, requestId: string): { language: string; body: string }
}

/** This answer is not read: work was given up because the caller did. The status is nginx's. */
class CallerLeftError extends ServiceError {
  override name = 'CallerLeftError'

  constructor() {
    super('timeout', 'The caller hung up before there was an answer.', { status: 499 })
  }
}

/** The one place where an error becomes a response. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, errorPages?: ErrorPages): void {
  const failure = hasLeft(reply) ? new CallerLeftError() : toServiceError(error)
  logFailure(failure, error, request)
  stateOf(request.raw).isRefused = failure.status === 429 || failure instanceof OverloadedError
  reply.status(failure.status).header(VERSION_HEADER, API_VERSION).header('X-Request-Id', request.id).header('Cache-Control', 'no-store')
  const { retryAfterS } = failure.options
  if (retryAfterS !== undefined) reply.header('Retry-After', retryAfterS)
  if (failure.status === 429) raiseReset(reply, retryAfterS ?? 0)
  if (errorPages?.exists(failure, request)) {
    reply.header('Vary', 'Accept')
    if (prefersHtml(request)) {
      reply.type(HTML_TYPE).send(errorPages.render(failure, request, reply))
      return
    }
  }
  reply.type(JSON_TYPE).send(JSON.stringify(errorEnvelope(failure, request.id)))
}

const hasLeft = ({ raw }: FastifyReply): boolean => (raw.destroyed || raw.socket?.destroyed === true) && !raw.writableFinished

/** Clients wait for either header, so the limit of a class must not promise less than another limit asks for. */
function raiseReset(reply: FastifyReply, retryAfterS: number): void {
  if (retryAfterS <= Number(reply.getHeader('RateLimit-Reset') ?? Number.POSITIVE_INFINITY)) return
  reply
    .header('RateLimit-Reset', retryAfterS)
    .header('RateLimit', String(reply.getHeader('RateLimit')).replace(/t=\d+$/, `t=${retryAfterS}`))
}

/**
 * An expected failure, such as a model that is still loading, gets one line without a stack: there may be thousands. A position that
 * was not reached in time gets none: the caller may ask for any.
 */
export function logFailure(failure: ServiceError, cause: unknown, { log }: FastifyRequest): void {
  if (failure.status < 500 || failure instanceof OverloadedError || failure instanceof PositionNotReachedError) return
  if (failure.error === 'internal_error') log.error({ err: cause }, failure.message)
  else log.warn({ reason: cause instanceof Error ? cause.message : String(cause) }, failure.message)
}

export function toServiceError(error: unknown): ServiceError {
  // First: Fastify marks any error while reading a body as a 400.
  if (error instanceof ServiceError) return error
  // Fastify's own errors carry a status, and its 4xx texts are fit to be sent.
  const status = statusOf(error)
  if (status !== null && status < 500) return new ServiceError(nameForStatus(status), (error as Error).message, { status })
  return classifyError(error)
}

function statusOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('statusCode' in error)) return null
  const { statusCode } = error
  return typeof statusCode === 'number' && statusCode >= 400 ? statusCode : null
}

/** Bytes that are not HTTP, or a head that is too large or too slow: there is no request, only a socket. */
export function handleClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, name } = STATUS_OF_PARSER_ERROR[error.code ?? ''] ?? { status: 400, name: 'Bad Request' }
  const failure = new ServiceError(nameForStatus(status), 'The request is not valid HTTP, too large or too slow.', { status })
  const body = JSON.stringify(errorEnvelope(failure, 'none'))
  const headers = {
    'Content-Type': JSON_TYPE,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
    ...SECURITY_HEADERS,
  }
  const head = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${status} ${name}\r\n${head.join('')}\r\n${body}`)
  // Not only ended: a caller that keeps its side open would keep the connection.
  socket.destroySoon()
}

const STATUS_OF_PARSER_ERROR: Record<string, { status: number; name: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, name: 'Request Header Fields Too Large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, name: 'Request Timeout' },
}
