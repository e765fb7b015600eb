import { z } from 'zod'
import { DisposalStack } from '../lib/resources.js'
import { type DashboardSnapshot, takeDashboardSnapshot } from '../observe/dashboard-snapshot.js'
import { type Config, originOf } from './config.js'
import { createLogger } from './logger.js'
import type { ModelSet } from './models/model-set.js'
import { createMonitor, openProcessStores } from './process-stores.js'

/** How long to wait for a process that may not run. */
const TIMEOUT_MS = 1000

/** Known only to a process that serves or projects. */
const ProcessFigures = z.object({
  operations: z.array(
    z.object({ operation: z.string(), count: z.number(), failed: z.number(), median: z.number(), p95: z.number(), slowest: z.number() }),
  ),
})

const NO_FIGURES: z.infer<typeof ProcessFigures> = { operations: [] }

/**
 * The dashboard's data, read from the stores, so that it works while no process serves. Only a serving process knows how
 * long reads take, so it is asked for that.
 */
export class DashboardReader {
  /** The address of that process. */
  readonly adminUrl: string
  readonly #config: Config
  readonly #models: ModelSet
  readonly #resources = new DisposalStack()
  #readStores: (() => Promise<DashboardSnapshot>) | null = null

  constructor(config: Config, models: ModelSet) {
    this.#config = config
    this.#models = models
    this.adminUrl = originOf(config.ADMIN_HOST, config.ADMIN_PORT)
  }

  async read(): Promise<DashboardSnapshot> {
    this.#readStores ??= await this.#resources.disposeOnError(() => this.#open())
    const snapshot = await this.#readStores()
    return { ...snapshot, ...(await this.#askProcess()) }
  }

  close(): Promise<void> {
    return this.#resources.dispose()
  }

  async #open(): Promise<() => Promise<DashboardSnapshot>> {
    const logger = createLogger({ ...this.#config, LOG_LEVEL: 'silent' })
    const stores = await openProcessStores(this.#config, logger, this.#resources)
    const monitor = createMonitor(stores, this.#models, { projecting: false, querying: true, logger })
    return async () => {
      return takeDashboardSnapshot(monitor, stores.documents, stores.jobStats.summary())
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
