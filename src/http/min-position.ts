import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../contract/errors.js'
import type { Position } from '../events/index.js'

/** The position that the models must have reached, from `Service-Min-Position`. */
export function minPosition(request: FastifyRequest): Position | undefined {
  const header = request.headers['service-min-position']
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !/^\d{1,15}$/.test(header)) {
    throw new ServiceError('invalid_request', 'Service-Min-Position must be a position: a whole number.')
  }
  return Number(header) as Position
}
