import type { FastifyInstance } from 'fastify'
import type { Ask } from '../../ask/ask.js'
import type { AskJobs } from '../../ask/jobs/ask-jobs.js'
import type { Operations } from '../../operations/execute.js'
import { operations as registry } from '../../operations/registry.js'
import type { ServiceStatus } from '../../status/service-status.js'
import { createHost, type HostOptions } from '../host.js'
import { answerOnce } from '../idempotency.js'
import { KeptAnswers } from '../kept-answers.js'
import { WEB_LIMITS } from '../limit-class.js'
import type { Limits } from '../limits.js'
import { type McpSurface, serveDocsMcp, serveProductMcp } from '../mcp.js'
import { servePublicReads } from '../public-reads.js'
import { serveAgentAuth } from './agent-auth.js'
import { serveAsk } from './ask.js'
import { serveAskJobs } from './ask-jobs.js'
import { serveBatch } from './batch.js'
import { servePictures } from './pictures.js'
import { serveStatus } from './status.js'

export interface WebHostOptions extends HostOptions {
  operations: Operations
  limits: Limits
  ask: Ask
  jobs: AskJobs
  status: ServiceStatus
  webUrl: string
  mcp: McpSurface
}

/** `{web_url}`: the feed once more, ask, MCP, and the demo's pictures. */
export async function createWebHost({
  operations,
  limits,
  ask,
  jobs,
  status,
  webUrl,
  mcp,
  ...options
}: WebHostOptions): Promise<FastifyInstance> {
  const app = await createHost({ ...options, notFoundPage: () => NOT_FOUND, counting: { limits, rules: WEB_LIMITS } })
  answerOnce(app, new KeptAnswers())
  servePublicReads(
    app,
    registry.filter(({ onWebHost }) => onWebHost),
    operations,
  )
  serveAsk(app, ask)
  serveAskJobs(app, jobs, webUrl)
  serveBatch(app, registry, operations, webUrl)
  serveStatus(app, status)
  serveAgentAuth(app, webUrl)
  serveProductMcp(app, ['/api/mcp', '/webmcp'], mcp)
  serveDocsMcp(app, mcp)
  servePictures(app)
  return app
}

const NOT_FOUND = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Not found</title>
<h1>Not found</h1>
<p>There is nothing at this address.</p>
</html>
`
