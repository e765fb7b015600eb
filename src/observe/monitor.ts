import type { JobSummary } from '../ask/jobs/job-projection.js'
import { failureOf } from '../contract/failure.js'
import type { Projection } from '../engine/definition/projection.js'
import type { RunnerLog } from '../engine/fold/runner-log.js'
import { type DocumentStore, ModelUnavailableError } from '../ports/document-store.js'
import type { EventLog } from '../ports/event-log.js'
import { Durations } from './durations.js'
import { Pulse } from './heartbeats.js'
import { Metrics } from './metrics.js'
import type { Figures } from './projector-metrics.js'
import { type Reading, takeReading } from './status-sample.js'
import { NO_TRACER, type Tracer } from './tracing.js'
import { isStuck, type LagSample } from './trend.js'

export interface ObservatoryParts {
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
  logger: RunnerLog
  tracer?: Tracer
  /** Hears how long each public read took that had to be made. */
  timed?: (operation: string, ms: number, failed: boolean) => void
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

const LOOK_MS = 2000
/** Ten minutes of lag, for the graphs. */
const SAMPLES = 300

/** Looks at log and models every few seconds, collects what this process does, and says how both stand. */
export class Observatory {
  readonly metrics = new Metrics()
  readonly durations = new Durations()
  readonly tracer: Tracer
  readonly pulse: Pulse
  readonly #parts: ObservatoryParts
  readonly #history = new Map<string, LagSample[]>()
  readonly #listeners = new Set<() => void>()
  #latest: Reading | null = null
  #timer: NodeJS.Timeout | null = null
  #looking: Promise<void> = Promise.resolve()
  /** Whether somebody answers readers for this process; it does so itself unless told. */
  serving: () => boolean = () => true
  #stopping = false
  #troubled = false

  constructor(parts: ObservatoryParts) {
    this.#parts = parts
    this.tracer = parts.tracer ?? NO_TRACER
    this.pulse = new Pulse(parts.projecting ? parts.projections.map(({ name }) => name) : [])
  }

  start(): void {
    this.#looking = this.look().finally(() => {
      if (!this.#stopping) this.#timer = setTimeout(() => this.start(), LOOK_MS)
    })
  }

  /** Not ready any more, from now on; whoever routes requests should notice before the hosts close. */
  retire(): void {
    this.#stopping = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  async stop(): Promise<void> {
    this.retire()
    await this.#looking
  }

  /** What the projector's thread tells. */
  take({ beats, batches }: Figures): void {
    this.pulse.take(beats)
    for (const batch of batches) {
      this.metrics.folded(batch)
      this.tracer.batch(batch)
    }
  }

  /** Times and traces a public read, on whichever surface. */
  readonly around = async <T>(operation: string, run: () => Promise<T>): Promise<T> => {
    const began = performance.now()
    let outcome = 'ok'
    try {
      return await this.tracer.step(operation, {}, run)
    } catch (error) {
      outcome = failureOf(error).error
      throw error
    } finally {
      const ms = performance.now() - began
      this.metrics.executed(operation, outcome, ms)
      this.durations.add(operation, ms, outcome !== 'ok')
      this.#parts.timed?.(operation, ms, outcome !== 'ok')
    }
  }

  /** `null` before the first look, and while the stores cannot be reached. */
  get latest(): Reading | null {
    return this.#latest
  }

  historyOf(projection: string): readonly LagSample[] {
    return this.#history.get(projection) ?? []
  }

  /** Calls back after every look. Returns how to stop. */
  onLook(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async look(): Promise<void> {
    const { log, store, projections, jobs, logger } = this.#parts
    try {
      this.#latest = await takeReading(await log(), store, projections)
      this.#troubled = false
      this.#remember(this.#latest)
    } catch (error) {
      this.#latest = null
      if (!this.#troubled && !this.#stopping) logger.warn({ err: error }, 'log or models cannot be looked at')
      this.#troubled = true
    }
    this.metrics.surveyed(this.#latest)
    this.metrics.jobs(jobs?.() ?? null)
    for (const listener of this.#listeners) listener()
  }

  async readiness(): Promise<Readiness> {
    const missing = this.#parts.querying ? await this.#missing() : []
    const stalled = this.pulse.silent()
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
      .filter(([projection, samples]) => this.pulse.stateOf(projection) === 'live' && isStuck(samples, now))
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

  #remember({ at, survey }: Reading): void {
    for (const { projection, lag } of survey.projections) {
      const samples = this.#history.get(projection) ?? []
      samples.push({ at, lag })
      if (samples.length > SAMPLES) samples.shift()
      this.#history.set(projection, samples)
    }
  }
}
