import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../contract/errors.js'
import type { RouteTable } from '../route-table.js'

/**
 * Unknown paths are 404 for every method. Known paths with another method are 405 with `Allow`, and OPTIONS is answered with
 * `Allow` alone.
 */
export function rejectUnknownRoutes(app: FastifyInstance, routes: RouteTable): void {
  // Before the body is read: no upload is needed to learn that.
  app.addHook('onRequest', async (request, reply) => {
    const { is404, method, routeOptions, params } = request
    const isOptions = method === 'OPTIONS'
    // The router has filled in the parameters of the route it found.
    if (!is404 && !isOptions && routeOptions.config.hasPath?.(params as Record<string, string>) !== false) return
    const methods = routes.methodsAt(request.url)
    if (methods.size === 0) throw new ServiceError('not_found', 'There is nothing at this path.')
    const allowed = [...methods.add('OPTIONS')].join(', ')
    reply.header('Allow', allowed)
    if (isOptions) return reply.status(204).send()
    throw new ServiceError('invalid_request', `${method} is not possible here, only ${allowed}.`, { status: 405 })
  })
}
