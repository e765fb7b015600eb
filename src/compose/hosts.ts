/** The two public hosts, put together. */
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Ask } from '../ask/ask.js'
import { AskJobs } from '../ask/jobs/ask-jobs.js'
import type { AskJobWatch } from '../ask/jobs/job-stats.js'
import { prepareInBackground } from '../ask/warm-up.js'
import { countParked } from '../engine/definition/dead-letter-collections.js'
import { Overload } from '../http/admission/admission-controller.js'
import { createApiHost } from '../http/api/host.js'
import type { AnswerKeeper } from '../http/idempotency/reply-store.js'
import type { McpSurface } from '../http/mcp-routes.js'
import { OwnHosts } from '../http/plugins/allowed-hosts.js'
import { type Limits, RateLimit } from '../http/rate-limit/rate-limit.js'
import { createWebHost } from '../http/web/host.js'
import { Opened } from '../lib/resources.js'
import { loadLibrary } from '../mcp/docs/docs-pages.js'
import { docsService } from '../mcp/docs/docs-server.js'
import { McpEndpoint } from '../mcp/endpoint.js'
import { productService } from '../mcp/product-server.js'
import type { Observatory } from '../observe/monitor.js'
import { ServiceStatus } from '../observe/service-status.js'
import { Answers } from '../operations/cache/answer-cache.js'
import { Versions } from '../operations/cache/model-versions.js'
import type { Operations } from '../operations/read-executor.js'
import type { DocumentStore } from '../ports/document-store.js'
import type { EventLog } from '../ports/event-log.js'
import type { EventStore } from '../ports/event-store.js'
import type { RateWindows } from '../ports/rate-windows.js'
import { type Config, originOf } from './config.js'
import { createAsk, createOperations } from './operations-and-ask.js'
import { MODELS, type Running } from './projector.js'
import { READ_MODELS } from './public-reads.js'
import { loaded } from './wait-for-models.js'

/** What the parts of a process share; whoever opened it closes it. */
export interface Shared {
  documents: DocumentStore
  log: { get(): Promise<EventLog> }
  asks: EventStore
  watch: AskJobWatch
  observatory: Observatory
  /** Set where several processes answer for one: what they have in common. */
  common?: Common
}

export interface Common {
  windows(limit: string): RateWindows
  keeper: AnswerKeeper
  /** Settles once none of the others shows anything from before a removal. */
  announceRemoval(): Promise<void>
}

export interface Hosts extends Running {
  versions: Versions
}

function createMcp(config: Config, operations: Operations, ask: Ask, logger: Logger): McpSurface {
  const { BASE_URL, WEB_URL, HOST, PUBLIC_DOMAIN, PICTURE_ORIGINS } = config
  const failed = (error: unknown) => logger.error({ err: error }, 'an MCP request failed')
  return {
    product: new McpEndpoint(productService({ operations, ask, pictureOrigins: [WEB_URL, ...PICTURE_ORIGINS] }), failed),
    docs: new McpEndpoint(docsService(loadLibrary(ask.library.pages, { baseUrl: BASE_URL, webUrl: WEB_URL }), `${BASE_URL}/mcp`), failed),
    own: new OwnHosts({ urls: [BASE_URL, WEB_URL, originOf(HOST, config.API_PORT)], publicDomain: PUBLIC_DOMAIN }),
    baseUrl: BASE_URL,
    webUrl: WEB_URL,
  }
}

const siteOf = ({ BASE_URL, WEB_URL, PUBLIC_DOMAIN }: Config) => ({ baseUrl: BASE_URL, webUrl: WEB_URL, publicDomain: PUBLIC_DOMAIN })

/** Its driver takes a while to load, and only some need it. */
async function countInRedis(url: string, logger: Logger) {
  const { SharedRateWindows } = await import('../adapters/redis/rate-windows.js')
  return new SharedRateWindows(url, logger)
}

export async function startHosts(config: Config, logger: Logger, shared: Shared): Promise<Hosts> {
  const opened = new Opened()
  const versions = await opened.unlessFailing(() => openHosts(config, logger, shared, opened))
  return { versions, stop: () => opened.close() }
}

async function openHosts(config: Config, logger: Logger, shared: Shared, opened: Opened): Promise<Versions> {
  const { documents, log, asks, watch, observatory, common } = shared
  const { metrics, tracer } = observatory
  const versions = new Versions(documents, READ_MODELS, common === undefined ? {} : { announce: () => common.announceRemoval() })
  opened.keep(versions, (following) => following.close())
  const operations = createOperations(config, documents, observatory, versions)
  const answers = new Answers(operations, versions)
  metrics.followCache(() => answers.figures)
  const ask = createAsk(config, operations, observatory)
  // The same limits for both hosts: they serve the same reads.
  const redis = config.REDIS_URL === undefined ? null : await countInRedis(config.REDIS_URL, logger)
  opened.keep(redis, (counting) => counting?.close())
  const limit = (name: keyof Limits, requests: number | null) => {
    const windows = redis?.of(name) ?? common?.windows(name)
    return new RateLimit(name, requests, { refused: (kind) => metrics.limited(kind), ...(windows === undefined ? {} : { windows }) })
  }
  const limits: Limits = {
    public: limit('public', config.RATE_LIMIT_PUBLIC),
    agent: limit('agent', config.RATE_LIMIT_AGENT),
    mcp: limit('mcp', config.RATE_LIMIT_MCP),
  }
  const status = new ServiceStatus({
    log: { bounds: async () => (await log.get()).bounds(), read: async (after, limit) => (await log.get()).read(after, limit) },
    documents,
    models: MODELS,
    parked: countParked,
    jobs: () => watch.summary(),
    limits: { public: limits.public.rate, agent: limits.agent.rate, mcp: limits.mcp.rate },
  })
  const overload = new Overload({ shed: (host, why) => metrics.shed(host, why) })
  opened.keep(overload, (watching) => watching.stop())
  const basics = (host: string) => ({
    logger,
    trustProxy: config.TRUST_PROXY,
    observed: { host, metrics, tracer },
    overload: { host, watch: overload },
  })
  const mcp = createMcp(config, operations, ask, logger)
  const hosts = opened.keep<FastifyInstance[]>([], (listening) => Promise.all(listening.map((host) => host.close())))
  const api = await createApiHost({ ...basics('api'), answers, limits, webUrl: config.WEB_URL, mcp })
  hosts.push(api)
  const web = await createWebHost({
    ...basics('web'),
    operations,
    answers,
    limits,
    ask,
    jobs: new AskJobs(asks),
    status,
    site: siteOf(config),
    mcp,
    keeper: common?.keeper,
  })
  hosts.push(web)
  await api.listen({ host: config.HOST, port: config.API_PORT })
  await web.listen({ host: config.HOST, port: config.WEB_PORT })
  const preparing = prepareInBackground(ask, (signal) => loaded(documents, READ_MODELS, signal))
  opened.keep(preparing, (reading) => reading.stop())
  return versions
}
