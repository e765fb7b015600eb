/** The one place that knows everybody: puts the parts together. */
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { openAdmin } from './admin.js'
import { Ask } from './ask/ask.js'
import { AskJobs } from './ask/jobs/ask-jobs.js'
import { AskJobWatch } from './ask/jobs/watch.js'
import { AskWorker } from './ask/jobs/worker.js'
import { languageModel } from './ask/phrasing/language-model.js'
import { type Config, originOf } from './config.js'
import { createApiHost } from './http/api/host.js'
import { type Limits, RateLimit, WINDOW_S } from './http/limits.js'
import type { McpSurface } from './http/mcp.js'
import { OwnHosts } from './http/own-hosts.js'
import { SharedRateWindows } from './http/shared-rate-windows.js'
import { createWebHost } from './http/web/host.js'
import { loadLibrary } from './mcp/docs/library.js'
import { docsService } from './mcp/docs/service.js'
import { McpEndpoint } from './mcp/endpoint.js'
import { productService } from './mcp/product.js'
import type { Observatory } from './observe/observatory.js'
import { tracedStore } from './observe/traced-store.js'
import { Answers } from './operations/cache/answers.js'
import { Versions } from './operations/cache/versions.js'
import { Operations } from './operations/execute.js'
import { READ_MODELS } from './operations/registry.js'
import { Addresses } from './operations/render.js'
import type { DocumentStore } from './ports/document-store.js'
import type { EventLog } from './ports/event-log.js'
import type { EventStore } from './ports/event-store.js'
import { MODELS, type Running, startProjectorThread } from './projecting.js'
import { ServiceStatus } from './status/service-status.js'
import { openDocuments, openEventStore, openLog } from './stores.js'

/** Everything this process has been given to do by `ROLES`. */
export async function startApp(config: Config, logger: Logger): Promise<Running> {
  const { ROLES } = config
  const documents = await openDocuments(config)
  const log = lazily(() => openLog(config))
  const asks = await openEventStore(config)
  const watch = new AskJobWatch(asks, logger)
  const admin = await openAdmin(config, logger, { store: documents, log: () => log.get(), jobs: () => watch.summary() })
  const parts: Running[] = []
  const stop = async () => {
    // Whoever routes requests learns it first. Then readers: a request under way may still be waiting for the projector.
    admin.observatory.retire()
    for (const part of parts) await part.stop()
    await admin.stop()
    await watch.stop()
    await asks.close()
    await log.close()
    await documents.close()
  }
  try {
    // The hosts first: when a port is taken there must be nothing else running that keeps the process alive.
    if (ROLES.includes('query'))
      parts.push(await startHosts(config, logger, { documents, log, asks, watch, observatory: admin.observatory }))
    await admin.listen()
    if (ROLES.includes('project')) parts.push(startProjectorThread(config, logger, (told) => admin.observatory.take(told)))
    if (ROLES.includes('ask')) parts.push(await startAskWorker(config, logger, admin.observatory))
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}

/** What the parts of a process share; whoever opened it closes it. */
interface Shared {
  documents: DocumentStore
  log: { get(): Promise<EventLog> }
  asks: EventStore
  watch: AskJobWatch
  observatory: Observatory
}

function createMcp(config: Config, operations: Operations, ask: Ask, logger: Logger): McpSurface {
  const { BASE_URL, WEB_URL, HOST, PUBLIC_DOMAIN, PICTURE_ORIGINS } = config
  const failed = (error: unknown) => logger.error({ err: error }, 'an MCP request failed')
  return {
    product: new McpEndpoint(productService({ operations, ask, pictureOrigins: [WEB_URL, ...PICTURE_ORIGINS] }), failed),
    docs: new McpEndpoint(docsService(loadLibrary(), `${BASE_URL}/mcp`), failed),
    own: new OwnHosts({ urls: [BASE_URL, WEB_URL, originOf(HOST, config.API_PORT)], publicDomain: PUBLIC_DOMAIN }),
    baseUrl: BASE_URL,
    webUrl: WEB_URL,
  }
}

const siteOf = ({ BASE_URL, WEB_URL, PUBLIC_DOMAIN }: Config) => ({ baseUrl: BASE_URL, webUrl: WEB_URL, publicDomain: PUBLIC_DOMAIN })

function createOperations(config: Config, documents: DocumentStore, { tracer, around }: Observatory, versions?: Versions): Operations {
  const store = tracer.isOn ? tracedStore(documents, tracer) : documents
  return new Operations(store, new Addresses(config.PUBLIC_DOMAIN), { around, ...(versions === undefined ? {} : { versions }) })
}

/** The limits as the answers state them are those that are kept. */
function createAsk(config: Config, operations: Operations, { metrics }: Observatory): Ask {
  const { BASE_URL, WEB_URL, RATE_LIMIT_PUBLIC, RATE_LIMIT_AGENT, RATE_LIMIT_MCP, ASK_LLM_URL, ASK_LLM_MODEL, ASK_LLM_KEY } = config
  const limits = { public: RATE_LIMIT_PUBLIC, agent: RATE_LIMIT_AGENT, mcp: RATE_LIMIT_MCP, windowS: WINDOW_S }
  const phrase = ASK_LLM_URL === undefined ? undefined : languageModel({ url: ASK_LLM_URL, model: ASK_LLM_MODEL, key: ASK_LLM_KEY })
  const answered = (outcome: string) => metrics.asked(outcome)
  return new Ask({ operations, installation: { baseUrl: BASE_URL, webUrl: WEB_URL, limits }, phrase, answered })
}

async function startHosts(config: Config, logger: Logger, { documents, log, asks, watch, observatory }: Shared): Promise<Running> {
  const { metrics, tracer } = observatory
  const versions = new Versions(documents, READ_MODELS)
  const operations = createOperations(config, documents, observatory, versions)
  const answers = new Answers(operations, versions)
  metrics.followCache(() => answers.figures)
  const ask = createAsk(config, operations, observatory)
  // The same limits for both hosts: they serve the same reads.
  const redis = config.REDIS_URL === undefined ? null : new SharedRateWindows(config.REDIS_URL, logger)
  const limit = (name: keyof Limits, requests: number | null) =>
    new RateLimit(name, requests, { refused: (kind) => metrics.limited(kind), ...(redis === null ? {} : { windows: redis.of(name) }) })
  const limits: Limits = {
    public: limit('public', config.RATE_LIMIT_PUBLIC),
    agent: limit('agent', config.RATE_LIMIT_AGENT),
    mcp: limit('mcp', config.RATE_LIMIT_MCP),
  }
  const status = new ServiceStatus({
    log: { bounds: async () => (await log.get()).bounds() },
    documents,
    models: MODELS,
    jobs: () => watch.summary(),
    limits: { public: limits.public.rate, agent: limits.agent.rate, mcp: limits.mcp.rate },
  })
  const shared = (host: string) => ({ logger, trustProxy: config.TRUST_PROXY, observed: { host, metrics, tracer } })
  const mcp = createMcp(config, operations, ask, logger)
  const hosts: [FastifyInstance, string, number][] = [
    [await createApiHost({ ...shared('api'), answers, limits, webUrl: config.WEB_URL, mcp }), config.HOST, config.API_PORT],
    [
      await createWebHost({
        ...shared('web'),
        operations,
        answers,
        limits,
        ask,
        jobs: new AskJobs(asks),
        status,
        site: siteOf(config),
        mcp,
      }),
      config.HOST,
      config.WEB_PORT,
    ],
  ]
  const stop = async () => {
    await Promise.all(hosts.map(([host]) => host.close()))
    versions.close()
    await redis?.close()
  }
  try {
    for (const [host, address, port] of hosts) await host.listen({ host: address, port })
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}

/** Answers ask jobs, of whichever process. */
async function startAskWorker(config: Config, logger: Logger, observatory: Observatory): Promise<Running> {
  const documents = await openDocuments(config)
  const ask = createAsk(config, createOperations(config, documents, observatory), observatory)
  const asks = await openEventStore(config)
  const worker = new AskWorker(asks, (question) => ask.ask(question), logger)
  worker.start()
  return {
    async stop() {
      await worker.stop()
      await asks.close()
      await documents.close()
    },
  }
}

/** Opened when first needed, and again after a failure: readers can do without the log. */
function lazily<T extends { close(): Promise<void> }>(open: () => Promise<T>) {
  let opened: Promise<T> | null = null
  return {
    get(): Promise<T> {
      opened ??= open().catch((error) => {
        opened = null
        throw error
      })
      return opened
    },
    async close(): Promise<void> {
      const thing = await opened?.catch(() => null)
      await thing?.close()
    },
  }
}
