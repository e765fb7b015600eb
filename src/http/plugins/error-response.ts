import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorEnvelope } from '../../contract/envelope.js'
import { classifyError, nameForStatus, ServiceError } from '../../contract/errors.js'
import { API_VERSION, VERSION_HEADER } from '../../contract/version.js'
import { OverloadedError } from '../admission/admission-controller.js'
import { SECURITY_HEADERS } from './response-headers.js'

/** A page for an error, or null where the envelope is the better answer. Only asked for those who prefer HTML. */
export type ErrorPage = (failure: ServiceError, request: FastifyRequest, reply: FastifyReply) => string | null

/** The one place where an error becomes an answer. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, errorPage?: ErrorPage): void {
  const failure = toServiceError(error)
  logFailure(failure, error, request)
  reply.status(failure.status).header(VERSION_HEADER, API_VERSION).header('X-Request-Id', request.id).header('Cache-Control', 'no-store')
  const { retryAfterS } = failure.options
  if (retryAfterS !== undefined) reply.header('Retry-After', retryAfterS)
  const page = prefersHtml(request) ? errorPage?.(failure, request, reply) : null
  if (typeof page === 'string') {
    reply.type('text/html; charset=utf-8').send(page)
    return
  }
  reply.type('application/json; charset=utf-8').send(JSON.stringify(errorEnvelope(failure, request.id)))
}

/** What is nobody's doing here, such as a model that is still loading, is one line without a stack: there may be thousands. */
export function logFailure(failure: ServiceError, cause: unknown, { log }: FastifyRequest): void {
  if (failure.status < 500 || failure instanceof OverloadedError) return
  if (failure.error === 'internal_error') log.error({ err: cause }, failure.message)
  else log.warn({ reason: cause instanceof Error ? cause.message : String(cause) }, failure.message)
}

export function toServiceError(error: unknown): ServiceError {
  // First: Fastify marks what interrupts a body as a 400, whatever it is.
  if (error instanceof ServiceError) return error
  // Fastify's own errors say which status they mean, and their texts for the caller's mistakes are fit to be shown.
  const status = statusOf(error)
  if (status !== null && status < 500) return new ServiceError(nameForStatus(status), (error as Error).message, { status })
  return classifyError(error)
}

function statusOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('statusCode' in error)) return null
  const { statusCode } = error
  return typeof statusCode === 'number' && statusCode >= 400 ? statusCode : null
}

/** Whether HTML is asked for before JSON, as a browser does. */
export function prefersHtml({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const accepted = (headers.accept ?? '').split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    return { type, q: q === undefined ? 1 : Number(q.slice(2)) }
  })
  const weight = (...types: string[]) => Math.max(0, ...accepted.filter(({ type }) => types.includes(type)).map(({ q }) => q))
  return weight('text/html') > weight('application/json', 'application/*')
}

/** Bytes that are not HTTP at all, or a head that is too large or too slow: there is no request to answer, only a socket. */
export function handleClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, name } = STATUS_OF_PARSER_ERROR[error.code ?? ''] ?? { status: 400, name: 'Bad Request' }
  const failure = new ServiceError(nameForStatus(status), 'The request is not valid HTTP, too large or too slow.', { status })
  const body = JSON.stringify(errorEnvelope(failure, 'none'))
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
    ...SECURITY_HEADERS,
  }
  const head = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${name}\r\n${head.join('')}\r\n${body}`)
}

const STATUS_OF_PARSER_ERROR: Record<string, { status: number; name: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, name: 'Request Header Fields Too Large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, name: 'Request Timeout' },
}
