/** The whole service in this process: embedded stores in its own folder, a projector, and the three hosts, ready for `inject`. */
import { join } from 'node:path'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { pino } from 'pino'
import type { Test } from 'tap'
import { openSqliteStore } from '../../src/adapters/sqlite/document-store.js'
import { SqliteEventLog } from '../../src/adapters/sqlite/event-log.js'
import { SqliteEventStore } from '../../src/adapters/sqlite/event-store.js'
import { Ask } from '../../src/ask/ask.js'
import { AskJobs } from '../../src/ask/jobs/ask-jobs.js'
import { JobErasure } from '../../src/ask/jobs/job-erasure.js'
import { MAX_AGES } from '../../src/ask/jobs/job-events.js'
import { JobFollower } from '../../src/ask/jobs/job-follower.js'
import type { JobQuota } from '../../src/ask/jobs/job-quota.js'
import { AskWorker } from '../../src/ask/jobs/worker.js'
import type { LanguageModel } from '../../src/ask/language-model.js'
import type { Installation } from '../../src/ask/retrieve/facts.js'
import { drawPicture } from '../../src/compose/hosts.js'
import { readIntegrityReport } from '../../src/compose/live-models.js'
import { PublicUrls, type Site } from '../../src/contract/public-urls.js'
import { Projector } from '../../src/engine/leader/projector.js'
import type { Position } from '../../src/events/index.js'
import { type AdminHostOptions, createAdminHost } from '../../src/http/admin/host.js'
import { AdmissionController, type AdmissionControllerOptions } from '../../src/http/admission/admission-controller.js'
import { BodyGate } from '../../src/http/admission/body-gate.js'
import type { ConnectionLimits } from '../../src/http/admission/connection-limits.js'
import { createApiHost } from '../../src/http/api/host.js'
import { RateLimit } from '../../src/http/rate-limit/rate-limit.js'
import { createWebHost } from '../../src/http/web/host.js'
import { takeDashboardSnapshot } from '../../src/observe/dashboard-snapshot.js'
import { Monitor } from '../../src/observe/monitor.js'
import { ProjectorMetricsBuffer } from '../../src/observe/projector-metrics.js'
import { AnswerCache } from '../../src/operations/cache/answer-cache.js'
import { ModelVersions } from '../../src/operations/cache/model-versions.js'
import { ErasureWatch } from '../../src/operations/erasure-watch.js'
import { LocalReplyStore } from '../../src/operations/kept-replies.js'
import { ReadExecutor } from '../../src/operations/read-executor.js'
import { Tombstones } from '../../src/operations/tombstones.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import type { EventLog, NewRecord } from '../../src/ports/event-log.js'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import type { Told } from '../spec/events.js'
import { Script } from '../spec/script.js'
import { MODEL_NAMES, projections, publicReads, READ_MODELS, STATE_LOCATIONS } from '../support/built-in-models.js'
import { caughtUp } from './caught-up.js'
import { BASE_URL, mcpSurface, WEB_URL } from './mcp.js'

export { BASE_URL, WEB_URL }

const SITE: Site = { baseUrl: 'https://api.example', webUrl: WEB_URL, publicDomain: 'vitrine.example' }

export const INSTALLATION: Installation = {
  baseUrl: BASE_URL,
  webUrl: WEB_URL,
  operations: publicReads.map(({ name }) => name),
  limits: { public: 120, agent: 60, mcp: 60, windowS: 60 },
}

export interface ServiceOptions {
  events?: readonly Told[]
  /** Instead of an embedded store. Closed at the end. */
  documents?: DocumentStore
  /** Instead of `events`: records as they are. */
  records?: Iterable<NewRecord>
  /** Public reads per minute and caller. Off by default. */
  limit?: number | null
  /** The same for the agent surfaces, and for MCP. */
  agentLimit?: number | null
  mcpLimit?: number | null
  /** The same for pages, and for pictures. */
  pageLimit?: number | null
  pictureLimit?: number | null
  /** The same for unknown paths and those of the app. */
  otherLimit?: number | null
  /** The clock of the rate limits. */
  now?: () => number
  /** How long a reader waits for `Service-Min-Position`. */
  waitMs?: number
  trustProxy?: boolean
  /** When to shed requests. Default: never. */
  admission?: AdmissionControllerOptions
  /** Where bodies arrive on the public hosts. */
  bodies?: BodyGate
  /** How many connections those may have. Default: any number. */
  connections?: ConnectionLimits
  /** Rephrases answers, and proposes words to search for. */
  model?: LanguageModel
  /** Without a projector there are no models. */
  projecting?: boolean
  /** Without a worker ask jobs stay queued. */
  answering?: boolean
  /** How many ask jobs are kept. */
  quota?: JobQuota
  /** Opens the admin pages; without one they are open to this machine. */
  adminToken?: string
  /** Its public URL; matters only to browsers. */
  site?: Site
  /** Called with every log line. By default nothing is logged. */
  logged?: (line: string) => void
}

export type Headers = Record<string, string>

export class Service {
  readonly api: FastifyInstance
  readonly web: FastifyInstance
  readonly admin: FastifyInstance
  /** For an admin host of another configuration. */
  readonly adminOptions: AdminHostOptions
  readonly #script = new Script()

  /** Starts it, waits until all events are in the models, and stops it after the test. */
  static async start(t: Pick<Test, 'teardown'>, options: ServiceOptions = {}): Promise<Service> {
    const folder = await temporaryFolder()
    const log = new SqliteEventLog(join(folder, 'log', 'events.db'))
    const documents = options.documents ?? (await openSqliteStore(join(folder, 'models')))
    const { logged } = options
    const logger = logged === undefined ? pino({ level: 'silent' }) : pino({ level: 'info' }, { write: logged })
    const monitor = new Monitor({
      log: async () => log,
      store: documents,
      projections,
      readIntegrity: readIntegrityReport,
      projecting: options.projecting !== false,
      querying: true,
      requiredModels: MODEL_NAMES,
      jobs: () => jobs.summary(),
      logger,
    })
    const figures = new ProjectorMetricsBuffer((told) => monitor.receive(told))
    const projector = new Projector(projections, log, documents, logger, { meter: figures })
    const site = options.site ?? SITE
    const versions = new ModelVersions(documents, READ_MODELS)
    const operations = new ReadExecutor(documents, new PublicUrls(site.publicDomain, site), {
      ...options,
      instrument: monitor.instrument,
      versions,
    })
    const answers = new AnswerCache(operations, versions)
    const { metrics, tracer } = monitor
    metrics.follow(() => answers.stats)
    const limiting = {
      ...(options.now === undefined ? {} : { now: options.now }),
      onRejected: (kind: string) => metrics.recordRateLimited(kind),
    }
    const limits = {
      public: new RateLimit('public', options.limit ?? null, limiting),
      agent: new RateLimit('agent', options.agentLimit ?? null, limiting),
      mcp: new RateLimit('mcp', options.mcpLimit ?? null, limiting),
      pages: new RateLimit('pages', options.pageLimit ?? null, { ...limiting, announced: false }),
      pictures: new RateLimit('pictures', options.pictureLimit ?? null, { ...limiting, announced: false }),
      other: new RateLimit('other', options.otherLimit ?? null, { ...limiting, announced: false }),
    }
    const asks = new SqliteEventStore(join(folder, 'asks', 'events.db'), { maxAges: MAX_AGES })
    const ask = new Ask({
      operations,
      installation: INSTALLATION,
      model: options.model,
      onAnswered: (outcome) => metrics.recordAskAnswer(outcome),
      onNamesLoaded: () => erasures.look(),
    })
    const jobs = new JobFollower(asks, logger, options.quota)
    const worker = new AskWorker(jobs, (question, wordsRead) => ask.ask(question, { wordsRead }), logger)
    const replies = new LocalReplyStore()
    const tombstones = new Tombstones(documents, STATE_LOCATIONS)
    const erasures = new ErasureWatch(tombstones, logger)
    const erasing = new JobErasure(asks, tombstones, () => erasures.look())
    jobs.onEvent((event) => erasing.apply(event))
    for (const keeper of [erasing, ask.names]) erasures.add(keeper)
    versions.onRemoval(() => {
      replies.clear()
      void answers.dropVoid()
      ask.forgetWords()
    })
    const status = {
      sample: () => monitor.refresh(),
      jobs: () => jobs.summary(),
      limits: { public: limits.public.rate, agent: limits.agent.rate, mcp: limits.mcp.rate },
    }
    const shared = (host: string) => ({ logger, trustProxy: options.trustProxy ?? false, telemetry: { host, metrics, tracer } })
    const controller =
      options.admission && new AdmissionController({ ...options.admission, onShed: (host, why) => metrics.recordShed(host, why) })
    const { connections, bodies = new BodyGate() } = options
    const open = (host: string) => ({
      ...shared(host),
      bodies,
      admission: controller && {
        host,
        controller,
        reachedPosition: () => versions.reachedPosition(),
        ...(connections === undefined ? {} : { connections }),
      },
    })
    const dashboard = {
      token: options.adminToken,
      snapshot: () => takeDashboardSnapshot(monitor, documents, jobs.summary()),
      actions: { store: documents, projections, logger },
    }
    const adminOptions = { ...shared('admin'), monitor, dashboard }
    const mcp = mcpSurface(operations, ask)
    const service = new Service(log, documents, operations, answers, ask, jobs, controller, {
      api: await createApiHost({ ...open('api'), reads: publicReads, answers, limits, webUrl: WEB_URL, mcp }),
      web: await createWebHost({
        ...open('web'),
        drawPicture,
        reads: publicReads,
        operations,
        answers,
        limits,
        ask,
        jobs: new AskJobs(asks, tombstones, { quota: jobs.quota, onFailure: () => jobs.recordFailure() }),
        replies,
        versions,
        status,
        site,
        mcp,
      }),
      admin: await createAdminHost(adminOptions),
      adminOptions,
    })
    t.teardown(async () => {
      for (const host of [service.api, service.web, service.admin]) await host.close()
      controller?.stop()
      connections?.stop()
      await projector.stop()
      figures.stop()
      await monitor.stop()
      await worker.stop()
      await jobs.stop()
      await erasing.stop()
      await erasures.stop()
      await asks.close()
      versions.close()
      await documents.close()
      await log.close()
      await removeFolder(folder)
    })
    jobs.start()
    if (options.answering !== false) worker.start()
    erasures.start(versions)
    monitor.start()
    await service.append([...(options.records ?? service.write(...(options.events ?? [])))])
    if (options.projecting === false) return service
    projector.start()
    await service.caughtUp()
    return service
  }

  private constructor(
    private readonly log: EventLog,
    private readonly documents: DocumentStore,
    readonly operations: ReadExecutor,
    readonly answers: AnswerCache,
    readonly ask: Ask,
    readonly jobs: JobFollower,
    /** With the option of that name. */
    readonly admission: AdmissionController | undefined,
    { api, web, admin, adminOptions }: Record<'api' | 'web' | 'admin', FastifyInstance> & { adminOptions: AdminHostOptions },
  ) {
    this.api = api
    this.web = web
    this.admin = admin
    this.adminOptions = adminOptions
  }

  /** A GET to the api host. */
  get(url: string, headers: Headers = {}): Promise<LightMyRequestResponse> {
    return this.api.inject({ method: 'GET', url, headers })
  }

  /** Makes a host listen on a real port, and resolves with the port. */
  async listen(host: FastifyInstance, port = 0): Promise<number> {
    return Number(new URL(await host.listen({ host: '127.0.0.1', port })).port)
  }

  /** Events as records that continue the log. */
  write(...told: readonly Told[]): NewRecord[] {
    return this.#script.write(...told)
  }

  async append(records: readonly NewRecord[]): Promise<number> {
    return (await this.log.append(records)).last
  }

  /** Appends events and waits until readers see them. */
  async tell(...told: readonly Told[]): Promise<void> {
    await this.append(this.write(...told))
    await this.caughtUp()
  }

  /** Changes a stored event, which has the same effect as a release that can decode it. */
  async mend(position: number, change: (event: Record<string, unknown>) => object): Promise<void> {
    const [record] = await this.log.read((position - 1) as Position, 1)
    await this.log.redact([{ position: position as Position, payload: JSON.stringify(change(JSON.parse(record?.payload ?? ''))) }])
  }

  async caughtUp(): Promise<void> {
    await caughtUp(this.documents, (await this.log.bounds()).last)
  }
}
