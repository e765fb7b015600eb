import { METHODS } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../contract/errors.js'
import type { ClosedPaths } from '../plugins/closed-paths.js'

/** Creating, editing and publishing happen in the mobile app, against another backend. No token is accepted here. */
export const appPaths = (webUrl: string): ClosedPaths => ({
  firstSegment: 'app',
  challenge: `Bearer realm="app", resource_metadata="${webUrl}/.well-known/oauth-protected-resource"`,
  message: 'Reserved for the mobile app. Everything public is under /public/share and needs no token.',
})

/** Routes that give these paths their name in metrics and log lines; `rejectClosedPaths` has answered before they run. */
export function nameAppPaths(app: FastifyInstance): void {
  // For every method: `all` covers only those that Fastify knows.
  for (const method of METHODS) if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  const handler = async () => {
    throw new ServiceError('unauthorized', 'Reserved for the mobile app.')
  }
  for (const url of ['/app', '/app/*']) app.all(url, handler)
}
