import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { DocumentStore } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import type { Projection } from '../definition/projection.js'
import { LogReader } from '../fold/log-reader.js'
import { type EngineLogger, NO_METER } from '../fold/telemetry.js'
import { LeadershipTransfer } from './leadership-transfer.js'
import { ProjectionRunner, type RunnerContext } from './projection-runner.js'

export interface ProjectorOptions extends Partial<Pick<RunnerContext, 'buildGeneration' | 'onVersionChange' | 'meter'>> {
  /** Shares the projections with other projectors, so that each leads about as many; otherwise whoever is first leads. */
  balanceLeadership?: boolean
}

/** All projections of one process, each led, folded and retried on its own, reading the log together. */
export class Projector {
  readonly runners: readonly ProjectionRunner[]
  /** By what name it leads. */
  readonly holder = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`
  readonly #stop = new AbortController()
  #running: Promise<unknown> = Promise.resolve()

  constructor(
    projections: readonly Projection[],
    log: EventLog,
    store: DocumentStore,
    logger: EngineLogger,
    { buildGeneration, onVersionChange = 'keep', meter = NO_METER, balanceLeadership = false }: ProjectorOptions = {},
  ) {
    const reader = new LogReader(log)
    const { holder } = this
    const transfer = balanceLeadership ? new LeadershipTransfer(store, holder) : null
    const shared = { log, store, reader, logger, holder, onVersionChange, meter, transfer, ...(buildGeneration && { buildGeneration }) }
    this.runners = projections.map((projection) => new ProjectionRunner({ projection, ...shared }))
  }

  start(): void {
    this.#running = Promise.all(this.runners.map((runner) => runner.run(this.#stop.signal)))
  }

  /** Finishes the commits under way. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }
}
