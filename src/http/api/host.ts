import type { FastifyInstance } from 'fastify'
import type { Operation } from '../../contract/operation.js'
import { APP_RESOURCE_PATH, protectedResource } from '../../discovery/agent-auth.js'
import type { AnswerCache } from '../../operations/cache/answer-cache.js'
import { createHost, type HostOptions } from '../host.js'
import { type McpServers, serveMcp } from '../mcp-routes.js'
import { sendWithEtag } from '../plugins/etag.js'
import { JSON_TYPE } from '../plugins/response-headers.js'
import type { Limits } from '../rate-limit/rate-limit.js'
import { servePublicReads } from './public-reads.js'

export interface ApiHostOptions extends HostOptions {
  reads: readonly Operation[]
  answers: AnswerCache
  limits: Limits
  webUrl: string
  mcp: McpServers
}

/** `{base_url}`: the public reads, the product's MCP server, and 401 for the mobile app's private endpoints, with the document about them. */
export async function createApiHost({ reads, answers, limits, webUrl, mcp, ...options }: ApiHostOptions): Promise<FastifyInstance> {
  const app = await createHost({
    ...options,
    appPaths: { webUrl },
    // The rest is `/app`, which answers 401.
    rateLimits: { limits, otherwise: 'other' },
    cachedReads: { answers },
  })
  servePublicReads(app, reads, answers)
  serveMcp(app, ['/mcp'], mcp.product, `${mcp.baseUrl}/mcp`, mcp.allowedHosts)
  const resource = JSON.stringify(protectedResource({ baseUrl: mcp.baseUrl, webUrl }))
  app.get(APP_RESOURCE_PATH, { config: { limit: 'agent' } }, async (request, reply) => sendWithEtag(request, reply, JSON_TYPE, resource))
  return app
}
