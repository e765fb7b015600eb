import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../contract/errors.js'
import { POSITION_HEADER } from '../contract/request-headers.js'
import type { Position } from '../events/index.js'
import type { Wait } from '../operations/read-executor.js'
import { abortOnClose } from './abort-on-close.js'

/** The position that the models must have reached, from `Service-Min-Position`. */
export function minPosition(request: FastifyRequest): Position | undefined {
  const header = request.headers['service-min-position']
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !POSITION_HEADER.test(header)) {
    throw new ServiceError('invalid_request', 'Service-Min-Position must be a position: a whole number.')
  }
  return Number(header) as Position
}

/** What a request waits for, until its caller hangs up. */
export function waitOf(request: FastifyRequest, reply: FastifyReply): Wait | undefined {
  const position = minPosition(request)
  return position === undefined ? undefined : { position, signal: abortOnClose(reply) }
}
