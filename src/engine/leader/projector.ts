import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { DocumentStore } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import type { Projection } from '../definition/projection.js'
import { Source } from '../fold/log-reader.js'
import type { RunnerLog } from '../fold/runner-log.js'
import { NO_METER } from '../fold/telemetry.js'
import { Shares } from './leadership-transfer.js'
import { ProjectionRunner, type RunnerParts } from './projection-runner.js'

export interface ProjectorOptions extends Partial<Pick<RunnerParts, 'bringUp' | 'onVersionChange' | 'meter'>> {
  /** Shares the projections with other projectors, so that each leads about as many; otherwise whoever is first leads. */
  share?: boolean
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
    logger: RunnerLog,
    { bringUp, onVersionChange = 'keep', meter = NO_METER, share = false }: ProjectorOptions = {},
  ) {
    const source = new Source(log)
    const { holder } = this
    const shares = share ? new Shares(store, holder) : null
    const shared = { log, store, source, logger, holder, onVersionChange, meter, shares, ...(bringUp === undefined ? {} : { bringUp }) }
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
