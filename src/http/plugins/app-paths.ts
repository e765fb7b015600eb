import { METHODS } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ServiceError } from '../../contract/errors.js'

/**
 * `/app` and everything below is a 401 for every request, also if more is wrong with it: creating, editing and publishing happen in the
 * mobile app, against another backend. No token is accepted here. Call it before the checks whose errors must not come first.
 */
export function rejectAppPaths(app: FastifyInstance, webUrl: string): void {
  app.addHook('onRequest', async ({ url }, reply) => {
    if (isAppPath(url)) throw appPathError(webUrl, reply)
  })
  // Routes give these paths their name in metrics and log lines. For every method: `all` covers only those that Fastify knows.
  for (const method of METHODS) if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  const handler = async () => {
    throw new Error('answered before')
  }
  for (const url of ['/app', '/app/*']) app.all(url, handler)
}

/** By the URL and not by the route: an address with bad escapes has no route. */
export function isAppPath(url: string): boolean {
  const [path = ''] = url.split(/[?#]/, 1)
  const [root, first = ''] = path.split('/', 2)
  return root === '' && decoded(first) === 'app'
}

export function appPathError(webUrl: string, reply: FastifyReply): ServiceError {
  reply.header('WWW-Authenticate', `Bearer realm="app", resource_metadata="${webUrl}/.well-known/oauth-protected-resource"`)
  return new ServiceError('unauthorized', 'Reserved for the mobile app. Everything public is under /public/share and needs no token.')
}

/** As the router does. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
