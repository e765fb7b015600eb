import type { FastifyInstance } from 'fastify'
import type { Ask } from '../../ask/ask.js'
import type { AskJobs } from '../../ask/jobs/ask-jobs.js'
import { discoveryDocuments } from '../../discovery/documents.js'
import { PROTOCOL_VERSIONS } from '../../mcp/version.js'
import type { Answers } from '../../operations/cache/answers.js'
import type { Operations } from '../../operations/execute.js'
import { operations as registry } from '../../operations/registry.js'
import type { ServiceStatus } from '../../status/service-status.js'
import { createHost, type HostOptions } from '../host.js'
import { answerOnce } from '../idempotency.js'
import { type AnswerKeeper, KeptAnswers } from '../kept-answers.js'
import { WEB_LIMITS } from '../limit-class.js'
import type { Limits } from '../limits.js'
import { type McpSurface, serveDocsMcp, serveProductMcp } from '../mcp.js'
import { servePublicReads } from '../public-reads.js'
import { serveAgentAuth } from './agent-auth.js'
import { serveAsk } from './ask.js'
import { serveAskJobs } from './ask-jobs.js'
import { serveBatch } from './batch.js'
import { serveDiscovery, serveSitemap } from './discovery.js'
import { serveLiveText } from './live-text.js'
import { serveGuide } from './pages/guide.js'
import { createPages, servePages } from './pages/index.js'
import type { Site } from './pages/site.js'
import { creatorPaths } from './pages/subdomains.js'
import { servePictures } from './pictures.js'
import { serveStatus } from './status.js'

export interface WebHostOptions extends HostOptions {
  operations: Operations
  answers: Answers
  limits: Limits
  ask: Ask
  jobs: AskJobs
  status: ServiceStatus
  site: Site
  mcp: McpSurface
  /** Where answers are kept by their idempotency keys: in this process unless told otherwise. */
  keeper?: AnswerKeeper | undefined
}

/** `{web_url}`: the pages, the feed once more, ask, MCP, the documents of discovery, and the demo's pictures. */
export async function createWebHost(options: WebHostOptions): Promise<FastifyInstance> {
  const { operations, answers, limits, ask, jobs, status, site, mcp, keeper = new KeptAnswers(), ...rest } = options
  const { pages, assets } = createPages(site, operations)
  const app = await createHost({
    ...rest,
    errorPage: (failure, request, reply) => pages.ofError(failure, request, reply),
    rewriteUrl: creatorPaths(site, options.trustProxy),
    counting: { limits, rules: WEB_LIMITS },
  })
  answerOnce(app, keeper)
  servePublicReads(
    app,
    registry.filter(({ onWebHost }) => onWebHost),
    answers,
  )
  servePages(app, pages, assets, site)
  serveGuide(app, pages, ask.library, site.webUrl)
  serveAsk(app, ask)
  serveLiveText(app, ask)
  serveAskJobs(app, jobs, site.webUrl)
  serveBatch(app, registry, answers, site.webUrl)
  serveStatus(app, status)
  serveAgentAuth(app, site.webUrl)
  serveProductMcp(app, ['/api/mcp', '/webmcp'], mcp)
  serveDocsMcp(app, mcp)
  serveDiscovery(
    app,
    discoveryDocuments({
      sites: site,
      pages: ask.library.pages,
      product: mcp.product.service,
      docs: mcp.docs.service,
      protocolVersions: PROTOCOL_VERSIONS,
    }),
  )
  const written = ask.library.pages.map(({ language, slug }) => `/docs/${language}/${slug}`)
  serveSitemap(app, operations, site.webUrl, ['/', '/docs', '/changelog', ...written])
  servePictures(app)
  return app
}
