import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../contract/errors.js'

/** Unknown paths are 404; known paths with another method are 405 with `Allow`. */
export function rejectUnknownRoutes(app: FastifyInstance): void {
  const routes: { pattern: RegExp; methods: string[] }[] = []

  app.addHook('onRoute', ({ url, method }) => {
    if (url === '*') return
    routes.push({ pattern: patternOf(url), methods: [method].flat() })
  })

  // Before the body is read: no upload is needed to learn that.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    const [path = ''] = request.url.split('?')
    const methods = new Set(routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods))
    if (methods.size === 0) throw new ServiceError('not_found', 'There is nothing at this path.')
    const allowed = [...methods.add('OPTIONS')].join(', ')
    reply.header('Allow', allowed)
    throw new ServiceError('invalid_request', `${request.method} is not possible here, only ${allowed}.`, { status: 405 })
  })
}

export function patternOf(url: string): RegExp {
  const source = url
    .split('/')
    .map((segment) => (segment === '*' ? '.*' : segment.split(/:\w+/).map(escapeRegExp).join('[^/]+')))
    .join('/')
  return new RegExp(`^${source}$`)
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
