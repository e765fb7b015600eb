import type { FastifyInstance } from 'fastify'
import { getCommunityFeed } from '../../../readmodels/feed/public-reads.js'
import type { Ask } from '../../ask/ask.js'
import type { AskJobs } from '../../ask/jobs/ask-jobs.js'
import type { Operation } from '../../contract/operation.js'
import type { Site } from '../../contract/public-urls.js'
import { type DiscoveryDocument, discoveryDocuments } from '../../discovery/documents.js'
import { webMcpTools } from '../../discovery/mcp-documents.js'
import { sitemapXml } from '../../discovery/robots-and-sitemap.js'
import { PROTOCOL_VERSIONS } from '../../mcp/server-definition.js'
import { type StatusSources, serviceStatus } from '../../observe/service-status.js'
import type { AnswerCache } from '../../operations/cache/answer-cache.js'
import type { ModelVersions } from '../../operations/cache/model-versions.js'
import type { ReadExecutor } from '../../operations/read-executor.js'
import type { ReplyStore } from '../../ports/reply-store.js'
import { servePublicReads } from '../api/public-reads.js'
import { createHost, type HostOptions } from '../host.js'
import { type McpServers, serveMcp } from '../mcp-routes.js'
import { sendWithEtag } from '../plugins/etag.js'
import { replayIdempotentRequests } from '../plugins/idempotency.js'
import type { Limits } from '../rate-limit/rate-limit.js'
import { stateOf } from '../request-state.js'
import { serveAgentAuth } from './agent-auth.js'
import { serveAsk, serveTextReads } from './ask.js'
import { serveAskJobs } from './ask-jobs.js'
import { serveBatch } from './batch.js'
import { rewriteCreatorSubdomain } from './creator-subdomains.js'
import { Assets, type DrawPicture, servePictures } from './pages/assets.js'
import { serveDocsPages } from './pages/docs-pages.js'
import { PageRenderer } from './pages/page-renderer.js'
import { servePages } from './pages/routes.js'

export interface WebHostOptions extends HostOptions {
  reads: readonly Operation[]
  operations: ReadExecutor
  answers: AnswerCache
  limits: Limits
  ask: Ask
  jobs: AskJobs
  status: StatusSources
  site: Site
  mcp: McpServers
  /** Replies by idempotency key. */
  replies: ReplyStore
  versions: Pick<ModelVersions, 'readRemovals'>
  /** Draws the demo's pictures. Unset: there are none. */
  drawPicture?: DrawPicture | undefined
}

/** `{web_url}`: pages, the feed again, ask, batch, MCP, discovery documents and the demo's pictures. */
export async function createWebHost(options: WebHostOptions): Promise<FastifyInstance> {
  const { reads, operations, answers, limits, ask, jobs, status, site, mcp, replies, versions, drawPicture } = options
  const assets = new Assets({ 'tools.json': JSON.stringify(webMcpTools(site, reads)) })
  const pages = new PageRenderer(site, assets, operations)
  const app = await createHost({
    ...options,
    errorPages: pages.errors,
    rewriteUrl: rewriteCreatorSubdomain(site, options.trustProxy),
    rateLimits: { limits, otherwise: 'agent' },
  })
  replayIdempotentRequests(app, replies, versions)
  servePublicReads(
    app,
    reads.filter(({ onWebHost }) => onWebHost),
    answers,
  )
  servePages(app, pages, assets, site, reads)
  serveDocsPages(app, pages, ask.documentation, site.webUrl)
  serveAsk(app, ask)
  serveTextReads(app, ask)
  serveAskJobs(app, jobs, site.webUrl)
  serveBatch(app, reads, answers, site.webUrl)
  serveStatus(app, status)
  serveAgentAuth(app, site.webUrl)
  serveMcp(app, ['/api/mcp', '/webmcp'], mcp.product, `${mcp.baseUrl}/mcp`, mcp.allowedHosts)
  serveMcp(app, ['/mcp'], mcp.docs, `${mcp.webUrl}/mcp`, mcp.allowedHosts)
  serveDiscovery(
    app,
    discoveryDocuments({
      sites: site,
      reads,
      pages: ask.documentation.pages,
      product: mcp.product.service,
      docs: mcp.docs.service,
      protocolVersions: PROTOCOL_VERSIONS,
    }),
  )
  const docsPages = ask.documentation.pages.map(({ language, slug }) => `/docs/${language}/${slug}`)
  serveSitemap(app, operations, site.webUrl, ['/', '/docs', '/changelog', ...docsPages])
  if (drawPicture !== undefined) servePictures(app, drawPicture)
  return app
}

/** 200 when degraded too: the document says so. */
export function serveStatus(app: FastifyInstance, status: StatusSources): void {
  app.get('/status', async (_request, reply) => reply.header('Cache-Control', 'no-store').send(await serviceStatus(status)))
}

/** The discovery documents are made once: they depend on the program and its configuration, not on the data. */
function serveDiscovery(app: FastifyInstance, documents: readonly DiscoveryDocument[]): void {
  for (const { path, type, body } of documents) app.get(path, async (request, reply) => sendWithEtag(request, reply, type, body))
}

/** The fixed pages, and the newest creations with their creators. */
function serveSitemap(app: FastifyInstance, operations: ReadExecutor, webUrl: string, pages: readonly string[]): void {
  app.get('/sitemap.xml', async (request, reply) => {
    const { items } = (await operations.execute(getCommunityFeed, { sort: 'recent', limit: 48 }, { caller: stateOf(request.raw).caller }))
      .data
    const creators = new Set(items.map(({ creator }) => creator.handle))
    const entries = [
      ...pages.map((path) => ({ url: webUrl + path })),
      ...[...creators].map((handle) => ({ url: `${webUrl}/@${handle}` })),
      ...items.map(({ slug, updatedAt, creator }) => ({ url: `${webUrl}/@${creator.handle}/${slug}`, updatedAt })),
    ]
    return sendWithEtag(request, reply, 'application/xml; charset=utf-8', sitemapXml(entries))
  })
}
