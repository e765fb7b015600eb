import { createClient } from 'redis'
import { withTimeout } from '../lib/backoff-and-timeout.js'
import { countRequest, type RateDecision } from '../lib/sliding-window.js'
import { type Finding, failed, passed } from '../ports/diagnostics.js'
import { LocalRateWindows, type RateWindows } from '../ports/rate-windows.js'

/** Longer than Redis takes, and too short for callers to notice an outage. */
const TIMEOUT_MS = 100

interface WarnLog {
  warn(details: object, message: string): void
}

/**
 * Counts in Redis, so that any number of processes share one limit. While Redis is unreachable each process counts on its
 * own: a limit that is too generous for a while is better than rejecting readers.
 */
export class RedisRateWindows {
  readonly #client
  readonly #log: WarnLog
  readonly #timeoutMs
  #reachable = true

  constructor(url: string, log: WarnLog, timeoutMs = TIMEOUT_MS) {
    // Without the queue a command fails at once while there is no connection.
    this.#client = createClient({
      url,
      disableOfflineQueue: true,
      socket: { reconnectStrategy: (tries) => Math.min(2000, 50 * 2 ** tries) },
    })
    this.#log = log
    this.#timeoutMs = timeoutMs
    this.#client.on('error', (error) => this.#noteReachable(false, error))
    this.#client.on('ready', () => this.#noteReachable(true))
    this.#client.connect().catch(() => {})
  }

  /** The windows of one limit class. */
  forClass(name: string): RateWindows {
    const fallback = new LocalRateWindows()
    return {
      take: async (caller, nowMs, limit, windowMs, cost, retryCost = cost) => {
        try {
          return await withTimeout(this.#timeoutMs, this.#take(keyOf(name, caller), nowMs, limit, windowMs, cost, retryCost))
        } catch (error) {
          this.#noteReachable(false, error)
          return fallback.take(caller, nowMs, limit, windowMs, cost, retryCost)
        }
      },
      refund: (caller, window, cost) => {
        fallback.refund(caller, window, cost)
        this.#refund(`${keyOf(name, caller)}:${window}`, cost).catch((error: unknown) => this.#noteReachable(false, error))
      },
    }
  }

  async close(): Promise<void> {
    this.#client.destroy()
  }

  /** Counts first and takes it back when it was too much: two requests at the same instant cannot both get the last place. */
  async #take(key: string, nowMs: number, limit: number, windowMs: number, cost: number, retryCost: number): Promise<RateDecision> {
    const number = Math.floor(nowMs / windowMs)
    const current = `${key}:${number}`
    const [counted, , previous] = (await this.#client
      .multi()
      .incrBy(current, cost)
      .pExpire(current, 2 * windowMs)
      .get(`${key}:${number - 1}`)
      .exec()) as unknown as [number, number, string | null]
    const window = { number, current: counted - cost, previous: Number(previous ?? 0) }
    const decision = countRequest(window, nowMs, limit, windowMs, cost, retryCost)
    if (!decision.allowed) await this.#client.decrBy(current, cost)
    return decision
  }

  /** Only while the window's key is there: a new one would never expire. */
  async #refund(key: string, cost: number): Promise<void> {
    if ((await this.#client.exists(key)) === 1) await this.#client.decrBy(key, cost)
  }

  #noteReachable(reachable: boolean, error?: unknown): void {
    if (this.#reachable === reachable) return
    this.#reachable = reachable
    if (reachable) this.#log.warn({}, 'rate limits are shared through Redis again')
    else this.#log.warn({ err: error }, 'Redis cannot be asked: rate limits are counted per process until it can')
  }
}

const keyOf = (limit: string, caller: string): string => `vitrine:limit:${limit}:${caller}`

/** Whether the Redis of the shared rate limits answers. */
export async function diagnoseRedis(url: string): Promise<Finding> {
  const client = createClient({ url, socket: { reconnectStrategy: false, connectTimeout: 2000 } })
  client.on('error', () => {})
  try {
    await client.connect()
    const version = /redis_version:(\S+)/.exec(await client.info('server'))?.[1]
    return passed('Redis', version ?? 'answers')
  } catch (error) {
    const reason = error instanceof Error ? error.message || String(error.cause ?? error.name) : String(error)
    return failed('Redis', `cannot be reached (${reason}): every process counts for itself`, 'start it, or correct REDIS_URL')
  } finally {
    if (client.isOpen) client.destroy()
  }
}
