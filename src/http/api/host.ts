import type { FastifyInstance } from 'fastify'
import type { Operation } from '../../contract/operation.js'
import type { AnswerCache } from '../../operations/cache/answer-cache.js'
import { createHost, type HostOptions } from '../host.js'
import { type McpServers, serveMcp } from '../mcp-routes.js'
import { API_LIMIT_RULES } from '../rate-limit/limit-classes.js'
import type { Limits } from '../rate-limit/rate-limit.js'
import { appPaths, nameAppPaths } from './app-paths.js'
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
    closedPaths: appPaths(webUrl),
    rateLimits: { limits, rules: API_LIMIT_RULES },
    cachedReads: { answers, limit: limits.public },
  })
  servePublicReads(app, reads, answers)
  serveMcp(app, ['/mcp'], mcp.product, `${mcp.baseUrl}/mcp`, mcp.allowedHosts)
  nameAppPaths(app)
  return app
}
