import type { JobSummary } from '../ask/jobs/job-projection.js'
import { classifyError } from '../contract/errors.js'
import type { Projection } from '../engine/definition/projection.js'
import type { EngineLogger } from '../engine/fold/telemetry.js'
import { type DocumentStore, ModelUnavailableError } from '../ports/document-store.js'
import type { EventLog } from '../ports/event-log.js'
import { Durations } from './durations.js'
import { Heartbeats } from './heartbeats.js'
import { Metrics } from './metrics.js'
import type { ProjectorMetrics } from './projector-metrics.js'
import { isLagStuck, type LagSample, type StatusSample, takeStatusSample } from './status-sample.js'
import { NO_TRACER, type Tracer } from './tracing.js'

export interface MonitorOptions {
  /** Opened when first needed: it may be away while this process starts. */
  log: () => Promise<EventLog>
  store: DocumentStore
  projections: readonly Projection[]
  /** Whether this process projects: then it answers for its projections. */
  projecting: boolean
  /** Whether this process answers readers: then it needs every model. */
  querying: boolean
  /** `null` while ask jobs cannot be followed, or are none of this process's business. */
  jobs?: () => JobSummary | null
  logger: EngineLogger
  tracer?: Tracer
  /** Hears how long each public read took that had to be made. */
  onOperationTimed?: (operation: string, ms: number, failed: boolean) => void
}

export interface Readiness {
  status: 'ready' | 'loading' | 'stalled' | 'behind' | 'stopping'
  /** Models readers cannot have yet. */
  missing: string[]
  /** Projections of this process that have stopped asking for events. */
  stalled: string[]
  /** Projections of this process that are far behind and come no nearer. */
  behind: string[]
}

const REFRESH_MS = 2000
/** Ten minutes of lag, for the graphs. */
const MAX_LAG_SAMPLES = 300

/** Looks at log and models every few seconds, collects what this process does, and says how both stand. */
export class Monitor {
  readonly metrics = new Metrics()
  readonly durations = new Durations()
  readonly tracer: Tracer
  readonly heartbeats: Heartbeats
  readonly #parts: MonitorOptions
  readonly #history = new Map<string, LagSample[]>()
  readonly #listeners = new Set<() => void>()
  #latest: StatusSample | null = null
  #timer: NodeJS.Timeout | null = null
  #refreshing: Promise<void> = Promise.resolve()
  /** Whether somebody answers readers for this process; it does so itself unless told. */
  serving: () => boolean = () => true
  #stopping = false
  #unreachable = false

  constructor(parts: MonitorOptions) {
    this.#parts = parts
    this.tracer = parts.tracer ?? NO_TRACER
    this.heartbeats = new Heartbeats(parts.projecting ? parts.projections.map(({ name }) => name) : [])
  }

  start(): void {
    this.#refreshing = this.refresh().finally(() => {
      if (!this.#stopping) this.#timer = setTimeout(() => this.start(), REFRESH_MS)
    })
  }

  /** Not ready any more, from now on; whoever routes requests should notice before the hosts close. */
  markStopping(): void {
    this.#stopping = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  async stop(): Promise<void> {
    this.markStopping()
    await this.#refreshing
  }

  /** What the projector's thread tells. */
  receive({ beats, batches }: ProjectorMetrics): void {
    this.heartbeats.receive(beats)
    for (const batch of batches) {
      this.metrics.recordBatch(batch)
      this.tracer.recordBatch(batch)
    }
  }

  /** Times and traces a public read, on whichever surface. */
  readonly instrument = async <T>(operation: string, run: () => Promise<T>): Promise<T> => {
    const began = performance.now()
    let outcome = 'ok'
    try {
      return await this.tracer.span(operation, {}, run)
    } catch (error) {
      outcome = classifyError(error).error
      throw error
    } finally {
      const ms = performance.now() - began
      this.metrics.recordOperation(operation, outcome, ms)
      this.durations.add(operation, ms, outcome !== 'ok')
      this.#parts.onOperationTimed?.(operation, ms, outcome !== 'ok')
    }
  }

  /** `null` before the first look, and while the stores cannot be reached. */
  get latest(): StatusSample | null {
    return this.#latest
  }

  lagHistoryOf(projection: string): readonly LagSample[] {
    return this.#history.get(projection) ?? []
  }

  /** Calls back after every look. Returns how to stop. */
  onRefresh(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async refresh(): Promise<void> {
    const { log, store, projections, jobs, logger } = this.#parts
    try {
      this.#latest = await takeStatusSample(await log(), store, projections)
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
    const missing = this.#parts.querying ? await this.#missing() : []
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

  /** Only those this process leads: of the others, another process has to answer for the backlog. */
  #behind(): string[] {
    const now = Date.now()
    return [...this.#history]
      .filter(([projection, samples]) => this.heartbeats.stateOf(projection) === 'live' && isLagStuck(samples, now))
      .map(([projection]) => projection)
  }

  async #missing(): Promise<string[]> {
    const missing: string[] = []
    for (const { name } of this.#parts.projections) {
      try {
        ;(await this.#parts.store.snapshot([name])).release()
      } catch (error) {
        if (!(error instanceof ModelUnavailableError)) throw error
        missing.push(name)
      }
    }
    return missing
  }

  #recordLag({ at, survey }: StatusSample): void {
    for (const { projection, lag } of survey.projections) {
      const samples = this.#history.get(projection) ?? []
      samples.push({ at, lag })
      if (samples.length > MAX_LAG_SAMPLES) samples.shift()
      this.#history.set(projection, samples)
    }
  }
}
