import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../contract/errors.js'
import { POSITION_HEADER } from '../contract/request-headers.js'
import type { Position } from '../events/index.js'

/** The position that the models must have reached, from `Service-Min-Position`. */
export function minPosition(request: FastifyRequest): Position | undefined {
  const header = request.headers['service-min-position']
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !POSITION_HEADER.test(header)) {
    throw new ServiceError('invalid_request', 'Service-Min-Position must be a position: a whole number.')
  }
  return Number(header) as Position
}
