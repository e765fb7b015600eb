import type { Logger } from 'pino'
import { z } from 'zod'
import { AskJobWatch } from '../ask/jobs/job-stats.js'
import { type Board, boardOf } from '../observe/dashboard-snapshot.js'
import { Observatory } from '../observe/monitor.js'
import { type Config, originOf } from './config.js'
import { projections } from './models.js'
import { createLogger, openDocuments, openEventStore, openLog } from './stores.js'

/** How long to wait for a process that may not be there. */
const PATIENCE_MS = 1000

/** What only a process that serves or projects knows. */
const Told = z.object({
  projections: z.array(z.object({ name: z.string(), heartbeat: z.number().nullable() })),
  operations: z.array(
    z.object({ operation: z.string(), count: z.number(), failed: z.number(), median: z.number(), p95: z.number(), slowest: z.number() }),
  ),
})

const NOTHING: z.infer<typeof Told> = { projections: [], operations: [] }

/**
 * The dashboard's board without the dashboard: from the stores, so that it can be had when no process serves. How long
 * reads take, and when a projection last asked for events, only the process knows that does it, and it is asked.
 */
export class WatchedBoard {
  /** Where the process is asked. */
  readonly admin: string
  readonly #config: Config
  readonly #logger: Logger
  readonly #ends: (() => Promise<void>)[] = []
  #look: (() => Promise<Board>) | null = null

  constructor(config: Config) {
    this.#config = config
    this.#logger = createLogger({ ...config, LOG_LEVEL: 'silent' })
    this.admin = originOf(config.ADMIN_HOST, config.ADMIN_PORT)
  }

  async look(): Promise<Board> {
    this.#look ??= await this.#open()
    const board = await this.#look()
    const { operations, projections: told } = await this.#ask()
    const heartbeats = new Map(told.map(({ name, heartbeat }) => [name, heartbeat]))
    const cards = board.projections.map((card) => ({ ...card, heartbeat: heartbeats.get(card.name) ?? null }))
    return { ...board, projections: cards, operations }
  }

  async close(): Promise<void> {
    for (const end of this.#ends.reverse()) await end()
  }

  async #open(): Promise<() => Promise<Board>> {
    const log = await openLog(this.#config)
    this.#ends.push(() => log.close())
    const store = await openDocuments(this.#config)
    this.#ends.push(() => store.close())
    const asks = await openEventStore(this.#config)
    this.#ends.push(() => asks.close())
    const watch = new AskJobWatch(asks, this.#logger)
    this.#ends.push(() => watch.stop())
    const parts = { log: async () => log, store, projections, projecting: false, querying: true, logger: this.#logger }
    const observatory = new Observatory(parts)
    return async () => {
      await observatory.look()
      return boardOf(observatory, store, watch.summary())
    }
  }

  async #ask(): Promise<z.infer<typeof Told>> {
    const { ADMIN_TOKEN } = this.#config
    try {
      const answer = await fetch(`${this.admin}/board`, {
        headers: ADMIN_TOKEN === undefined ? {} : { authorization: `Bearer ${ADMIN_TOKEN}` },
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      return answer.ok ? Told.parse(await answer.json()) : NOTHING
    } catch {
      return NOTHING
    }
  }
}
