import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { DocumentStore } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import { type Projection, sharedEvents } from '../definition/projection.js'
import { LogReader } from '../fold/log-reader.js'
import type { EngineLogger } from '../fold/telemetry.js'
import { LeadershipTransfer } from './leadership.js'
import { ProjectionRunner, type RunnerContext } from './projection-runner.js'

export interface ProjectorOptions extends Partial<Pick<RunnerContext, 'buildGeneration' | 'onVersionChange' | 'meter' | 'crash'>> {
  /** Spread the projections evenly over the projectors; otherwise the first one leads all. */
  balanceLeadership?: boolean
}

/** All projections of one process. Each is led, folded and retried separately; they share one log reader. */
export class Projector {
  readonly runners: readonly ProjectionRunner[]
  /** The name in its leases. */
  readonly holder = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`
  readonly #stop = new AbortController()
  #running: Promise<unknown> = Promise.resolve()

  constructor(
    projections: readonly Projection[],
    log: EventLog,
    store: DocumentStore,
    logger: EngineLogger,
    { balanceLeadership = false, ...options }: ProjectorOptions = {},
  ) {
    const reader = new LogReader(log, sharedEvents(projections))
    const { holder } = this
    const transfer = balanceLeadership ? new LeadershipTransfer(store, holder) : null
    const defaults = { onVersionChange: 'keep' as const, meter: { report() {}, committed() {} }, crash: null }
    const shared = { ...defaults, ...options, log, store, reader, logger, holder, transfer }
    this.runners = projections.map((projection) => new ProjectionRunner({ projection, ...shared }))
  }

  start(): void {
    this.#running = Promise.all(this.runners.map((runner) => runner.run(this.#stop.signal)))
  }

  /** Finishes the commits in flight. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }
}
