import type { Logger } from 'pino'
import { z } from 'zod'
import { JobStats } from '../ask/jobs/job-stats.js'
import { type DashboardSnapshot, takeDashboardSnapshot } from '../observe/dashboard-snapshot.js'
import { Monitor } from '../observe/monitor.js'
import { type Config, originOf } from './config.js'
import { projections } from './models.js'
import { createLogger, openDocuments, openEventStore, openLog } from './stores.js'

/** How long to wait for a process that may not be there. */
const TIMEOUT_MS = 1000

/** What only a process that serves or projects knows. */
const ProcessFigures = z.object({
  projections: z.array(z.object({ name: z.string(), heartbeat: z.number().nullable() })),
  operations: z.array(
    z.object({ operation: z.string(), count: z.number(), failed: z.number(), median: z.number(), p95: z.number(), slowest: z.number() }),
  ),
})

const NO_FIGURES: z.infer<typeof ProcessFigures> = { projections: [], operations: [] }

/**
 * The dashboard's board without the dashboard: from the stores, so that it can be had when no process serves. How long
 * reads take, and when a projection last asked for events, only the process knows that does it, and it is asked.
 */
export class DashboardReader {
  /** Where the process is asked. */
  readonly adminUrl: string
  readonly #config: Config
  readonly #logger: Logger
  readonly #closers: (() => Promise<void>)[] = []
  #readStores: (() => Promise<DashboardSnapshot>) | null = null

  constructor(config: Config) {
    this.#config = config
    this.#logger = createLogger({ ...config, LOG_LEVEL: 'silent' })
    this.adminUrl = originOf(config.ADMIN_HOST, config.ADMIN_PORT)
  }

  async read(): Promise<DashboardSnapshot> {
    this.#readStores ??= await this.#open()
    const snapshot = await this.#readStores()
    const { operations, projections: told } = await this.#askProcess()
    const heartbeats = new Map(told.map(({ name, heartbeat }) => [name, heartbeat]))
    const cards = snapshot.projections.map((card) => ({ ...card, heartbeat: heartbeats.get(card.name) ?? null }))
    return { ...snapshot, projections: cards, operations }
  }

  async close(): Promise<void> {
    for (const end of this.#closers.reverse()) await end()
  }

  async #open(): Promise<() => Promise<DashboardSnapshot>> {
    const log = await openLog(this.#config)
    this.#closers.push(() => log.close())
    const store = await openDocuments(this.#config)
    this.#closers.push(() => store.close())
    const asks = await openEventStore(this.#config)
    this.#closers.push(() => asks.close())
    const watch = new JobStats(asks, this.#logger)
    this.#closers.push(() => watch.stop())
    const parts = { log: async () => log, store, projections, projecting: false, querying: true, logger: this.#logger }
    const monitor = new Monitor(parts)
    return async () => {
      await monitor.refresh()
      return takeDashboardSnapshot(monitor, store, watch.summary())
    }
  }

  async #askProcess(): Promise<z.infer<typeof ProcessFigures>> {
    const { ADMIN_TOKEN } = this.#config
    try {
      const answer = await fetch(`${this.adminUrl}/board`, {
        headers: ADMIN_TOKEN === undefined ? {} : { authorization: `Bearer ${ADMIN_TOKEN}` },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      return answer.ok ? ProcessFigures.parse(await answer.json()) : NO_FIGURES
    } catch {
      return NO_FIGURES
    }
  }
}
