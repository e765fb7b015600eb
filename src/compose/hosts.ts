/** Starts the two public hosts, and creates what they serve: public reads, ask and MCP. */

import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Ask } from '../ask/ask.js'
import { AskJobs } from '../ask/jobs/ask-jobs.js'
import { languageModel } from '../ask/language-model.js'
import { PublicUrls } from '../contract/public-urls.js'
import { AdmissionController } from '../http/admission/admission-controller.js'
import { BodyGate } from '../http/admission/body-gate.js'
import { ConnectionLimits } from '../http/admission/connection-limits.js'
import { createApiHost } from '../http/api/host.js'
import { listen } from '../http/listen.js'
import type { McpServers } from '../http/mcp-routes.js'
import { AllowedHosts } from '../http/plugins/allowed-hosts.js'
import { type Limits, RateLimit, WINDOW_S } from '../http/rate-limit/rate-limit.js'
import { createWebHost } from '../http/web/host.js'
import { AcceptTurns } from '../lib/accept-turns.js'
import { DisposalStack } from '../lib/resources.js'
import { loadDocPages } from '../mcp/docs/docs-pages.js'
import { docsServer } from '../mcp/docs/docs-server.js'
import { McpEndpoint } from '../mcp/endpoint.js'
import { productServer } from '../mcp/product-server.js'
import type { Monitor } from '../observe/monitor.js'
import { tracedStore } from '../observe/tracing.js'
import { AnswerCache } from '../operations/cache/answer-cache.js'
import { KeptDocuments } from '../operations/cache/kept-documents.js'
import { ModelVersions } from '../operations/cache/model-versions.js'
import { ErasureWatch } from '../operations/erasure-watch.js'
import { ReadExecutor, type ReadExecutorOptions } from '../operations/read-executor.js'
import type { DocumentStore } from '../ports/document-store.js'
import type { RateWindows } from '../ports/rate-windows.js'
import type { ReplyStore } from '../ports/reply-store.js'
import { type Config, originOf } from './config.js'
import type { ModelSet } from './models/model-set.js'
import { shortenDeadlines } from './models/own-reads.js'
import { watchOwnReads } from './models/watch-own-reads.js'
import type { ProcessStores } from './process-stores.js'
import type { Stoppable } from './projector/projector.js'
import { warmUpAsk } from './wait-for-models.js'

/** A front page shows up to 66, most of which a browser has seen before. */
const PICTURES_PER_PAGE = 20

export interface ProcessResources extends ProcessStores {
  models: ModelSet
  monitor: Monitor
  /** Replies by idempotency key, cleared by the process that keeps them. */
  replies: ReplyStore
  /** What several query processes share; unset if there is only one. */
  common?: WorkerShared
}

export interface WorkerShared {
  windows(limit: string): RateWindows
  /** Settles once no other process shows anything from before a removal. */
  announceRemoval(): Promise<void>
}

export interface Hosts extends Stoppable {
  versions: ModelVersions
}

export async function startHosts(config: Config, logger: Logger, shared: ProcessResources): Promise<Hosts> {
  const resources = new DisposalStack()
  const versions = await resources.disposeOnError(() => openHosts(config, logger, shared, resources))
  return { versions, stop: () => resources.dispose() }
}

async function openHosts(config: Config, logger: Logger, shared: ProcessResources, resources: DisposalStack): Promise<ModelVersions> {
  const { models, documents, jobs, tombstones, monitor, replies, common } = shared
  const { metrics, tracer } = monitor
  const { BASE_URL, WEB_URL } = config
  if (models.own.length > 0) resources.adopt(watchOwnReads(config, logger, metrics), (watching) => watching.stop())
  const versions = new ModelVersions(documents, models.readModels, common && { announceRemoval: () => common.announceRemoval() })
  resources.adopt(versions, (following) => following.close())
  const acceptTurns = new AcceptTurns()
  // Beside SQLite they made hot reads no faster, and took more memory.
  const kept = config.MONGODB_URL === undefined ? null : new KeptDocuments(versions, models.builtIn)
  const reading = { versions, leavesTurn: acceptTurns.forReads(), ...(kept === null ? {} : { kept }) }
  const operations = createOperations(config, documents, monitor, reading)
  const answers = new AnswerCache(operations, versions)
  const erasures = resources.adopt(new ErasureWatch(tombstones, logger), (watching) => watching.stop())
  const ask = createAsk(config, models, operations, monitor, () => erasures.look())
  erasures.add(ask.names)
  erasures.start(versions)
  versions.onRemoval(() => {
    void answers.dropVoid()
    void kept?.dropChanged()
    ask.forgetWords()
    shortenDeadlines()
  })
  // Now, because the first reading counts as a removal: later it would empty caches that are warm.
  versions.refresh().catch(() => {})
  // The same limits for both hosts: they serve the same reads.
  const redis = config.REDIS_URL === undefined ? null : await openRedisRateWindows(config.REDIS_URL, logger)
  resources.adopt(redis, (counting) => counting?.close())
  const limit = (name: keyof Limits, requests: number | null, announced = true) => {
    const windows = redis?.forClass(name) ?? common?.windows(name)
    return new RateLimit(name, requests, {
      onRejected: metrics.recordRateLimited,
      announced,
      ...(windows === undefined ? {} : { windows }),
    })
  }
  const limits: Limits = {
    public: limit('public', config.RATE_LIMIT_PUBLIC),
    agent: limit('agent', config.RATE_LIMIT_AGENT),
    mcp: limit('mcp', config.RATE_LIMIT_MCP),
    pages: limit('pages', config.RATE_LIMIT_PAGES, false),
    pictures: limit('pictures', config.RATE_LIMIT_PAGES && config.RATE_LIMIT_PAGES * PICTURES_PER_PAGE, false),
    // As many as public reads, but of its own: what finds nothing must not cost a reader.
    other: limit('other', config.RATE_LIMIT_PUBLIC, false),
  }
  const status = {
    sample: () => monitor.sample(),
    jobs: () => jobs.summary(),
    limits: { public: limits.public.rate, agent: limits.agent.rate, mcp: limits.mcp.rate },
  }
  const admission = new AdmissionController({ onShed: metrics.recordShed, leavesTurn: acceptTurns.forRequests() })
  resources.adopt(admission, (controller) => controller.stop())
  metrics.follow(
    () => ({ ...answers.stats, bytes: answers.stats.bytes + (kept?.bytes ?? 0) }),
    () => admission.inFlight,
  )
  const bodies = new BodyGate()
  const connections = new ConnectionLimits({
    trustProxy: config.TRUST_PROXY,
    maxInAll: config.MAX_CONNECTIONS,
    maxPerCaller: config.MAX_CONNECTIONS_PER_CALLER,
    onRefused: (host) => {
      metrics.recordShed(host, 'connections')
      acceptTurns.noteRefused()
    },
    onAccepted: () => acceptTurns.noteAccepted(),
  })
  resources.adopt(connections, (limiting) => limiting.stop())
  const basics = (host: string) => ({
    logger,
    trustProxy: config.TRUST_PROXY,
    telemetry: { host, metrics, tracer },
    admission: { host, controller: admission, reachedPosition: () => versions.reachedPosition(), connections },
    bodies,
    servesOwnReads: models.own.length > 0,
  })
  const mcp = createMcp(config, models, operations, ask, logger)
  const hosts = resources.adopt<FastifyInstance[]>([], (listening) => Promise.all(listening.map((host) => host.close())))
  const api = await createApiHost({ ...basics('api'), reads: models.reads, answers, limits, webUrl: WEB_URL, mcp })
  hosts.push(api)
  const web = await createWebHost({
    ...basics('web'),
    drawPicture,
    reads: models.reads,
    operations,
    answers,
    limits,
    ask,
    jobs: new AskJobs(jobs.store, tombstones, { quota: jobs.quota, onFailure: () => jobs.recordFailure() }),
    status,
    site: { baseUrl: BASE_URL, webUrl: WEB_URL, publicDomain: config.PUBLIC_DOMAIN },
    mcp,
    replies,
    versions,
  })
  hosts.push(web)
  await listen(api, config.HOST, config.API_PORT)
  await listen(web, config.HOST, config.WEB_PORT)
  const stopping = new AbortController()
  const warmUp = warmUpAsk(ask, documents, models.readModels, stopping.signal)
  resources.adopt(stopping, (controller) => {
    controller.abort()
    return warmUp
  })
  return versions
}

/** Executes public reads, for hosts and the ask worker alike. */
export function createOperations(
  config: Config,
  documents: DocumentStore,
  { tracer, instrument }: Monitor,
  options: Pick<ReadExecutorOptions, 'versions' | 'kept' | 'leavesTurn'> = {},
): ReadExecutor {
  const store = tracer.enabled ? tracedStore(documents, tracer) : documents
  const urls = new PublicUrls(config.PUBLIC_DOMAIN, { baseUrl: config.BASE_URL, webUrl: config.WEB_URL })
  return new ReadExecutor(store, urls, { instrument, ...options })
}

/** Answers questions, for hosts and the ask worker alike. The answers state the limits that are enforced. */
export function createAsk(
  config: Config,
  { reads }: ModelSet,
  operations: ReadExecutor,
  { metrics }: Monitor,
  onNamesLoaded: () => void,
): Ask {
  const { BASE_URL, WEB_URL, RATE_LIMIT_PUBLIC, RATE_LIMIT_AGENT, RATE_LIMIT_MCP } = config
  const { ASK_LLM_URL: url, ASK_LLM_MODEL: model, ASK_LLM_KEY: key, ASK_LLM_TIMEOUT } = config
  const limits = { public: RATE_LIMIT_PUBLIC, agent: RATE_LIMIT_AGENT, mcp: RATE_LIMIT_MCP, windowS: WINDOW_S }
  const installation = { baseUrl: BASE_URL, webUrl: WEB_URL, operations: reads.map(({ name }) => name), limits }
  const asked = url === undefined ? undefined : languageModel({ url, model, key, timeoutMs: ASK_LLM_TIMEOUT * 1000 })
  return new Ask({ operations, installation, model: asked, onAnswered: metrics.recordAskAnswer, onNamesLoaded })
}

function createMcp(config: Config, { reads }: ModelSet, operations: ReadExecutor, ask: Ask, logger: Logger): McpServers {
  const { BASE_URL, WEB_URL, HOST, PUBLIC_DOMAIN, PICTURE_ORIGINS, MCP_ORIGINS } = config
  const failed = (error: unknown) => logger.error({ err: error }, 'an MCP request failed')
  return {
    product: new McpEndpoint(productServer({ reads, operations, ask, pictureOrigins: [WEB_URL, ...PICTURE_ORIGINS] }), failed),
    docs: new McpEndpoint(
      docsServer(loadDocPages(ask.documentation.pages, { baseUrl: BASE_URL, webUrl: WEB_URL }), `${BASE_URL}/mcp`),
      failed,
    ),
    allowedHosts: new AllowedHosts({
      urls: [BASE_URL, WEB_URL, originOf(HOST, config.API_PORT)],
      publicDomain: PUBLIC_DOMAIN,
      origins: MCP_ORIGINS,
    }),
    baseUrl: BASE_URL,
    webUrl: WEB_URL,
  }
}

/** Loaded on demand: the driver takes a while to load, and few need it. */
async function openRedisRateWindows(url: string, logger: Logger) {
  const { RedisRateWindows } = await import('../rate-limit/redis-rate-windows.js')
  return new RedisRateWindows(url, logger)
}

/** Loaded on demand: only the demo needs it. */
export async function drawPicture(folder: 'covers' | 'avatars', key: string): Promise<string> {
  const { avatarSvg, coverSvg } = await import('../../demo/index.js')
  return folder === 'covers' ? coverSvg(key) : avatarSvg(key)
}
