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
    const { is404, method, routeOptions } = request
    const isOptions = method === 'OPTIONS'
    // The router also finds a route where a parameter is empty or encoded. Limits have not counted it as that route.
    if (!is404 && !isOptions && routes.find(method, request.url)?.url === routeOptions.url) return
    const methods = routes.methodsAt(request.url)
    if (methods.size === 0 || (!isOptions && methods.has(method))) throw new ServiceError('not_found', 'There is nothing at this path.')
    const allowed = [...methods.add('OPTIONS')].join(', ')
    reply.header('Allow', allowed)
    if (isOptions) return reply.status(204).send()
    throw new ServiceError('invalid_request', `${method} is not possible here, only ${allowed}.`, { status: 405 })
  })
}
