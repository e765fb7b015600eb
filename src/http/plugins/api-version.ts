import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../contract/errors.js'
import { API_VERSION, VERSION_HEADER } from '../../contract/version.js'

/** Any date gets the only version there is; the response names it. */
export function checkApiVersion(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header(VERSION_HEADER, API_VERSION)
    const requested = request.headers['service-api-version']
    if (requested !== undefined && !isDate(requested)) {
      throw new ServiceError('invalid_request', `${VERSION_HEADER} must be a date such as ${API_VERSION}.`)
    }
  })
}

function isDate(value: string | string[]): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}
