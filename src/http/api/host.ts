import { METHODS } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.js'
import type { Operation } from '../../contract/operation.js'
import type { AnswerCache } from '../../operations/cache/answer-cache.js'
import { createHost, type HostOptions } from '../host.js'
import { type McpServers, serveMcp } from '../mcp-routes.js'
import { API_LIMIT_RULES } from '../rate-limit/limit-classes.js'
import type { Limits } from '../rate-limit/rate-limit.js'
import { servePublicReads } from './public-reads.js'

export interface ApiHostOptions extends HostOptions {
  reads: readonly Operation[]
  answers: AnswerCache
  limits: Limits
  webUrl: string
  mcp: McpServers
}

/** `{base_url}`: the public reads, the product's MCP server, and 401 for the mobile app's private endpoints. */
export async function createApiHost({ reads, answers, limits, webUrl, mcp, ...options }: ApiHostOptions): Promise<FastifyInstance> {
  const app = await createHost({
    ...options,
    rateLimits: { limits, rules: API_LIMIT_RULES },
    cachedReads: { answers, limit: limits.public },
  })
  servePublicReads(app, reads, answers)
  serveMcp(app, ['/mcp'], mcp.product, `${mcp.baseUrl}/mcp`, mcp.allowedHosts)
  rejectAppPaths(app, webUrl)
  return app
}

/** Creating, editing and publishing happen in the mobile app, against another backend. No token is accepted here. */
function rejectAppPaths(app: FastifyInstance, webUrl: string): void {
  const challenge = `Bearer realm="app", resource_metadata="${webUrl}/.well-known/oauth-protected-resource"`
  const reject = async (_request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    reply.header('WWW-Authenticate', challenge)
    throw new ServiceError('unauthorized', 'Reserved for the mobile app. Everything public is under /public/share and needs no token.')
  }
  // For every method: `all` covers only those that Fastify knows.
  for (const method of METHODS) if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  // In onRequest: before the body is read.
  for (const url of ['/app', '/app/*']) app.all(url, { onRequest: reject, handler: reject })
}
