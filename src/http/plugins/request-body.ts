/** Bodies, on every host: JSON or nothing at all, and not too large. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.js'
import { stateOf } from '../request-state.js'
import { BOUNDS_MESSAGE, isWithinBounds } from './body-bounds.js'

export const MAX_BODY_BYTES = 64 * 1024

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route answers a {@link RefusedBody} itself, in its own protocol. */
    handlesRefusedBody?: boolean
  }
}

/** The value of `request.body` when no schema should see the body. */
export class RefusedBody {
  constructor(
    readonly why: 'unreadable' | 'too much',
    readonly message: string,
  ) {}
}

const UNREADABLE = new RefusedBody('unreadable', 'The body is not readable as JSON.')
const TOO_MUCH = new RefusedBody('too much', BOUNDS_MESSAGE)

export function parseBodies(app: FastifyInstance): void {
  // The gate for bodies has read it already, unless the request was injected.
  app.addHook('preParsing', async ({ raw }, _reply, payload) => {
    const { arrivedBody } = stateOf(raw)
    return arrivedBody === null ? payload : Readable.from([arrivedBody], { objectMode: false })
  })
  app.removeAllContentTypeParsers()
  const parse = async (request: FastifyRequest, bytes: Buffer) => parseJson(request, bytes)
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parse)
  app.addContentTypeParser(/^application\/[\w.-]+\+json(;|$)/, { parseAs: 'buffer' }, parse)
  // An empty body of any type is no body: `curl -d ''` sends an empty form.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: FastifyRequest, bytes: Buffer) => {
    if (bytes.length > 0) throw unsupportedMediaType('A body has to be JSON, with the header Content-Type: application/json.')
    return undefined
  })
}

/** Each pair costs, however short. */
const MAX_FORM_LENGTH = 4096

/** Adds forms. Elsewhere they get a 415. */
export function parseForms(app: FastifyInstance): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, async (_request: FastifyRequest, text: string) =>
    text.length > MAX_FORM_LENGTH ? TOO_MUCH : Object.fromEntries(new URLSearchParams(text)),
  )
}

/** Added after the rate limits, so that a refused body costs as much as any other. */
export function rejectRefusedBodies(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    if (request.body instanceof RefusedBody && request.routeOptions.config.handlesRefusedBody !== true)
      throw new ServiceError('invalid_request', request.body.message)
  })
}

/** `fatal`: reject broken UTF-8 instead of replacing characters. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

function parseJson(request: FastifyRequest, bytes: Buffer): unknown {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') throw unsupportedMediaType('Compressed bodies are not read here.')
  stateOf(request.raw).rawBody = bytes
  if (bytes.length === 0) return undefined
  try {
    const json = utf8.decode(bytes)
    return isWithinBounds(json) ? JSON.parse(json) : TOO_MUCH
  } catch {
    return UNREADABLE
  }
}

const unsupportedMediaType = (message: string): ServiceError => new ServiceError('invalid_request', message, { status: 415 })

/** Only for methods whose body Fastify reads; Node discards the others. */
export function hasBody({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  if (method !== 'POST') return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** The longest body that Node may discard to keep the connection: even byte by byte, that costs little. */
const MAX_DISCARDED_BYTES = 1024

/**
 * Call before an answer that does not need the body. Node would read and discard it for as long as the caller sends. Instead the
 * connection stops reading, and closes after the answer.
 */
export function leaveBodyUnread(request: IncomingMessage, response: ServerResponse): void {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
  if (request.complete || (coding === undefined && Number(length) <= MAX_DISCARDED_BYTES)) return
  response.shouldKeepAlive = false
  request.socket.pause()
  // Node would read once more before it closes.
  response.once('finish', () => request.socket.destroy())
}
