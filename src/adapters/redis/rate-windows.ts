import { createClient } from 'redis'
import { countRequest, type RateDecision } from '../../lib/sliding-window.js'
import { LocalRateWindows, type RateWindows } from '../../ports/rate-windows.js'

/** Longer than Redis ever takes, and short enough for nobody to notice that it is gone. */
const TIMEOUT_MS = 100

interface WarnLog {
  warn(details: object, message: string): void
}

/**
 * Counts in Redis, so that any number of processes share one limit. While Redis cannot be asked every process counts for
 * itself: a limit that is too generous for a while is better than readers who are turned away.
 */
export class RedisRateWindows {
  readonly #client
  readonly #log: WarnLog
  #reachable = true

  constructor(url: string, log: WarnLog) {
    // Without its queue a command fails at once when there is no connection.
    this.#client = createClient({
      url,
      disableOfflineQueue: true,
      socket: { reconnectStrategy: (tries) => Math.min(2000, 50 * 2 ** tries) },
    })
    this.#log = log
    this.#client.on('error', (error) => this.#noteReachable(false, error))
    this.#client.on('ready', () => this.#noteReachable(true))
    this.#client.connect().catch(() => {})
  }

  /** The windows of one limit class. */
  forClass(name: string): RateWindows {
    const own = new LocalRateWindows()
    return {
      take: async (caller, nowMs, limit, windowMs, cost) => {
        try {
          return await withTimeout(this.#take(`vitrine:limit:${name}:${caller}`, nowMs, limit, windowMs, cost))
        } catch (error) {
          this.#noteReachable(false, error)
          return own.take(caller, nowMs, limit, windowMs, cost)
        }
      },
    }
  }

  async close(): Promise<void> {
    this.#client.destroy()
  }

  /** Counts first and takes it back when it was too much: two callers at the same instant cannot both have the last place. */
  async #take(key: string, nowMs: number, limit: number, windowMs: number, cost: number): Promise<RateDecision> {
    const number = Math.floor(nowMs / windowMs)
    const current = `${key}:${number}`
    const [counted, , before] = (await this.#client
      .multi()
      .incrBy(current, cost)
      .pExpire(current, 2 * windowMs)
      .get(`${key}:${number - 1}`)
      .exec()) as unknown as [number, number, string | null]
    const verdict = countRequest({ number, current: counted - cost, previous: Number(before ?? 0) }, nowMs, limit, windowMs, cost)
    if (!verdict.allowed) await this.#client.decrBy(current, cost)
    return verdict
  }

  #noteReachable(reachable: boolean, error?: unknown): void {
    if (this.#reachable === reachable) return
    this.#reachable = reachable
    if (reachable) this.#log.warn({}, 'rate limits are shared through Redis again')
    else this.#log.warn({ err: error }, 'Redis cannot be asked: rate limits are counted per process until it can')
  }
}

function withTimeout<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
