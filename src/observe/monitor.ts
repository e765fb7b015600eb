import type { JobSummary } from '../ask/jobs/job-projection.js'
import { classifyError } from '../contract/errors.js'
import type { Projection } from '../engine/definition/projection.js'
import type { EngineLogger } from '../engine/fold/telemetry.js'
import { type DocumentStore, ModelUnavailableError } from '../ports/document-store.js'
import type { EventLog } from '../ports/event-log.js'
import { Durations } from './durations.js'
import { type ReadIntegrityReport, type StatusSample, takeStatusSample } from './engine-status.js'
import { Metrics } from './metrics.js'
import type { ProjectorMetrics } from './projector-metrics.js'
import { Heartbeats, isLagStuck, type LagSample } from './stalled-projections.js'
import { NO_TRACER, type Tracer } from './tracing.js'

export interface MonitorOptions {
  /** Opened when first needed: it may be unreachable while this process starts. */
  log: () => Promise<EventLog>
  store: DocumentStore
  projections: readonly Projection[]
  readIntegrity: ReadIntegrityReport
  /** Whether this process projects: then readiness includes its projections. */
  projecting: boolean
  /** Whether this process serves reads: then readiness needs `requiredModels`. */
  querying: boolean
  requiredModels: readonly string[]
  /** `null` while ask jobs cannot be followed. */
  jobs?: () => JobSummary | null
  logger: EngineLogger
  tracer?: Tracer
  /** Called after every public read that was not cached. */
  onOperationTimed?: (operation: string, ms: number, failed: boolean) => void
}

export interface Readiness {
  status: 'ready' | 'loading' | 'stalled' | 'behind' | 'stopping'
  /** Models that cannot be read yet. */
  missing: string[]
  /** Projections of this process that have stopped asking for events. */
  stalled: string[]
  /** Projections of this process that are far behind and do not catch up. */
  behind: string[]
}

const REFRESH_MS = 2000
/** Ten minutes of lag, for the graphs. */
const MAX_LAG_SAMPLES = 300

/** Samples log and models every two seconds and collects what this process does, for readiness, metrics and dashboard. */
export class Monitor {
  readonly metrics = new Metrics()
  readonly durations = new Durations()
  readonly tracer: Tracer
  readonly heartbeats: Heartbeats
  readonly #options: MonitorOptions
  readonly #history = new Map<string, LagSample[]>()
  readonly #listeners = new Set<() => void>()
  #latest: StatusSample | null = null
  #timer: NodeJS.Timeout | null = null
  #refreshing: Promise<void> = Promise.resolve()
  /** Whether reads are served. The supervisor replaces it: its workers serve them. */
  serving: () => boolean = () => true
  #stopping = false
  #unreachable = false

  constructor(options: MonitorOptions) {
    this.#options = options
    this.tracer = options.tracer ?? NO_TRACER
    this.heartbeats = new Heartbeats(options.projecting ? options.projections.map(({ name }) => name) : [])
  }

  start(): void {
    this.#refreshing = this.refresh().finally(() => {
      if (!this.#stopping) this.#timer = setTimeout(() => this.start(), REFRESH_MS)
    })
  }

  /** Not ready from now on; load balancers should notice before the hosts close. */
  markStopping(): void {
    this.#stopping = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  async stop(): Promise<void> {
    this.markStopping()
    await this.#refreshing
  }

  /** Takes the metrics of the projector's thread. */
  receive({ heartbeats, batches }: ProjectorMetrics): void {
    this.heartbeats.receive(heartbeats)
    for (const batch of batches) {
      this.metrics.recordBatch(batch)
      this.tracer.recordBatch(batch)
    }
  }

  /** Times and traces a public read. */
  readonly instrument = async <T>(operation: string, run: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now()
    let outcome = 'ok'
    try {
      return await this.tracer.span(operation, {}, run)
    } catch (error) {
      outcome = classifyError(error).error
      throw error
    } finally {
      const ms = performance.now() - startedAt
      this.metrics.recordOperation(operation, outcome, ms)
      this.durations.add(operation, ms, outcome !== 'ok')
      this.#options.onOperationTimed?.(operation, ms, outcome !== 'ok')
    }
  }

  /** `null` before the first sample, and while the stores are unreachable. */
  get latest(): StatusSample | null {
    return this.#latest
  }

  lagHistoryOf(projection: string): readonly LagSample[] {
    return this.#history.get(projection) ?? []
  }

  /** Calls back after every sample. Returns how to stop. */
  onRefresh(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async refresh(): Promise<void> {
    const { log, store, projections, readIntegrity, jobs, logger } = this.#options
    try {
      this.#latest = await takeStatusSample(await log(), store, projections, readIntegrity)
      this.#unreachable = false
      this.#recordLag(this.#latest)
    } catch (error) {
      this.#latest = null
      if (!this.#unreachable && !this.#stopping) logger.warn({ err: error }, 'log or models cannot be looked at')
      this.#unreachable = true
    }
    this.metrics.setStatus(this.#latest)
    this.metrics.setAskJobs(jobs?.() ?? null)
    for (const listener of this.#listeners) listener()
  }

  async readiness(): Promise<Readiness> {
    const missing = this.#options.querying ? await this.#missing() : []
    const stalled = this.heartbeats.stalled()
    const behind = this.#behind()
    return { status: this.#statusOf(missing, stalled, behind), missing, stalled, behind }
  }

  #statusOf(missing: string[], stalled: string[], behind: string[]): Readiness['status'] {
    if (this.#stopping) return 'stopping'
    if (missing.length > 0 || !this.serving()) return 'loading'
    if (stalled.length > 0) return 'stalled'
    return behind.length > 0 ? 'behind' : 'ready'
  }

  /** Only projections that this process leads: another process reports the others. */
  #behind(): string[] {
    const now = Date.now()
    return [...this.#history]
      .filter(([projection, samples]) => this.heartbeats.stateOf(projection) === 'live' && isLagStuck(samples, now))
      .map(([projection]) => projection)
  }

  async #missing(): Promise<string[]> {
    const missing: string[] = []
    for (const name of this.#options.requiredModels) {
      try {
        ;(await this.#options.store.snapshot([name])).release()
      } catch (error) {
        if (!(error instanceof ModelUnavailableError)) throw error
        missing.push(name)
      }
    }
    return missing
  }

  #recordLag({ at, engine }: StatusSample): void {
    for (const { projection, lag } of engine.projections) {
      const samples = this.#history.get(projection) ?? []
      samples.push({ at, lag })
      if (samples.length > MAX_LAG_SAMPLES) samples.shift()
      this.#history.set(projection, samples)
    }
  }
}
