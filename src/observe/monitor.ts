import type { JobSummary } from '../ask/jobs/job-projection.js'
import { classifyError } from '../contract/errors.js'
import type { EngineLogger, OwnHealth } from '../engine/fold/telemetry.js'
import { ModelUnavailableError, StorageError, StoreUnavailableError } from '../ports/document-store.js'
import { Durations } from './durations.js'
import { type SampleSources, type StatusSample, takeStatusSample } from './engine-status.js'
import { Metrics } from './metrics.js'
import { isTurning } from './projection-state.js'
import type { ProjectorMetrics } from './projector-metrics.js'
import { NO_TRACER, type Tracer } from './tracing.js'

export interface MonitorOptions extends Omit<SampleSources, 'own'> {
  /** Whether this process projects. */
  projecting: boolean
  /** Whether this process serves reads: then it is ready while `requiredModels` can be read. */
  querying: boolean
  requiredModels: readonly string[]
  /** `null` while ask jobs cannot be followed. */
  jobs?: () => JobSummary | null
  logger: EngineLogger
  tracer?: Tracer
  /** Called after every public read that was not cached. */
  onOperationTimed?: (operation: string, ms: number, failed: boolean) => void
}

/** Of a process that serves reads: whether its models can be read. Of one that only projects: whether its loops turn. */
export interface Readiness {
  status: 'ready' | 'loading' | 'unavailable' | 'stalled' | 'stopping'
  /** Models that cannot be read yet. */
  missing: string[]
  /** Projections of this process whose loops stand still. */
  stalled: string[]
}

export interface LagSample {
  at: number
  lag: number
}

const REFRESH_MS = 2000
const MAX_AGE_MS = 1000
/** Ten minutes of lag, for the graphs. */
const MAX_LAG_SAMPLES = 300

/** Samples log and models every two seconds and collects what this process does, for readiness, metrics and dashboard. */
export class Monitor {
  readonly metrics = new Metrics()
  readonly durations = new Durations()
  readonly tracer: Tracer
  /** What this process knows of its projections. */
  readonly #own = new Map<string, OwnHealth>()
  readonly #options: MonitorOptions
  readonly #history = new Map<string, LagSample[]>()
  readonly #listeners = new Set<() => void>()
  #latest: { sample: StatusSample; takenAt: number } | null = null
  #timer: NodeJS.Timeout | null = null
  #refreshing: Promise<unknown> = Promise.resolve()
  #sampling: Promise<StatusSample> | null = null
  /** Whether reads are served. The supervisor replaces it: its workers serve them. */
  serving: () => boolean = () => true
  #stopping = false
  #unreachable = new Set<string>()
  readonly #startedAt = Date.now()

  constructor(options: MonitorOptions) {
    this.#options = options
    this.tracer = options.tracer ?? NO_TRACER
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
  readonly receive = ({ healths, batches }: ProjectorMetrics): void => {
    for (const [projection, own] of Object.entries(healths)) this.#own.set(projection, own)
    for (const batch of batches) {
      this.metrics.recordBatch(batch)
      this.tracer.recordBatch(batch)
    }
  }

  /** The projector's thread has ended: it leads nothing, also if it said so last. */
  readonly projectorEnded = (): void => {
    for (const own of this.#own.values()) own.isLeading = false
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

  /** A sample that is not older than a second. */
  async sample(): Promise<StatusSample> {
    const latest = this.#latest
    return latest !== null && Date.now() - latest.takenAt < MAX_AGE_MS ? latest.sample : this.refresh()
  }

  lagHistoryOf(projection: string): readonly LagSample[] {
    return this.#history.get(projection) ?? []
  }

  /** Calls back after every sample. Returns how to stop. */
  onRefresh(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls at the same time share one sample. */
  refresh(): Promise<StatusSample> {
    this.#sampling ??= this.#takeSample().finally(() => {
      this.#sampling = null
    })
    return this.#sampling
  }

  async #takeSample(): Promise<StatusSample> {
    const { jobs } = this.#options
    const sample = await takeStatusSample({ ...this.#options, own: this.#own })
    // When it was complete: on a busy machine that is a while after it was begun.
    this.#latest = { sample, takenAt: Date.now() }
    this.#warnOnce('the log', sample.logError)
    this.#warnOnce('the models', sample.storeError)
    this.#recordLag(sample)
    this.metrics.setStatus(sample)
    this.metrics.setAskJobs(jobs?.() ?? null)
    for (const listener of this.#listeners) listener()
    return sample
  }

  #warnOnce(what: string, error: unknown): void {
    if (error === null) this.#unreachable.delete(what)
    else if (!this.#unreachable.has(what) && !this.#stopping) {
      this.#unreachable.add(what)
      this.#options.logger.warn({ err: error }, `${what} cannot be looked at`)
    }
  }

  async readiness(): Promise<Readiness> {
    const { querying, projecting } = this.#options
    const missing = querying ? await this.#missing() : []
    const stalled = projecting && !querying ? this.#stalled() : []
    return { status: this.#statusOf(missing, stalled), missing: missing ?? [], stalled }
  }

  #statusOf(missing: string[] | null, stalled: string[]): Readiness['status'] {
    if (this.#stopping) return 'stopping'
    if (missing === null) return 'unavailable'
    if (missing.length > 0 || !this.serving()) return 'loading'
    return stalled.length > 0 ? 'stalled' : 'ready'
  }

  #stalled(): string[] {
    const now = Date.now()
    const unheard = { health: { progressAt: this.#startedAt, state: 'live' } } as const
    return this.#options.projections.map(({ name }) => name).filter((name) => !isTurning(this.#own.get(name) ?? unheard, now))
  }

  /** `null` when the store does not answer. */
  async #missing(): Promise<string[] | null> {
    const missing: string[] = []
    for (const name of this.#options.requiredModels) {
      try {
        ;(await this.#options.store.snapshot([name])).release()
      } catch (error) {
        if (error instanceof StoreUnavailableError || error instanceof StorageError) return null
        if (!(error instanceof ModelUnavailableError)) throw error
        missing.push(name)
      }
    }
    return missing
  }

  #recordLag({ at, projections }: StatusSample): void {
    for (const { projection, lag } of projections) {
      if (lag === null) continue
      const samples = this.#history.get(projection) ?? []
      samples.push({ at, lag })
      if (samples.length > MAX_LAG_SAMPLES) samples.shift()
      this.#history.set(projection, samples)
    }
  }
}
