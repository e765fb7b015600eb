import { randomUUID } from 'node:crypto'
import { type CommandParser, createClient, defineScript } from 'redis'
import { withTimeout } from '../lib/backoff-and-timeout.js'
import { type Finding, failed, passed } from '../ports/diagnostics.js'
import type { Quota, RateDecision, RateWindows } from '../ports/rate-windows.js'
import { LocalRateWindows, toDecision, WINDOW_MS } from './local-rate-windows.js'

/** Longer than Redis takes, and too short for callers to notice an outage. */
const TIMEOUT_MS = 100

/**
 * Counts a request against all keys or against none, as `LocalRateWindows` does. A key holds a member for each unit of cost,
 * with its moment as score. A script runs alone, so two requests at the same instant cannot both get the last place.
 * The moment is Redis's own: the clocks of machines differ.
 */
const TAKE = `
local now, window, cost, retry = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local allowed = 1
for i, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window)
  redis.call('ZREMRANGEBYSCORE', key, now + window, '+inf')
  if redis.call('ZCARD', key) + cost > tonumber(ARGV[5 + i]) then allowed = 0 end
end
local remaining, wait = math.huge, 0
for i, key in ipairs(KEYS) do
  local limit = tonumber(ARGV[5 + i])
  if allowed == 1 then
    for n = 1, cost do redis.call('ZADD', key, now, ARGV[5] .. n) end
    redis.call('PEXPIRE', key, window)
  end
  local used = redis.call('ZCARD', key)
  remaining = math.min(remaining, limit - used)
  local excess = used + (allowed == 1 and 1 or retry) - limit
  if excess > 0 then
    local last = redis.call('ZRANGE', key, excess - 1, excess - 1, 'WITHSCORES')[2]
    wait = math.max(wait, (last and tonumber(last) or now) + window - now)
  end
end
return {allowed, remaining, wait}`

const take = defineScript({
  SCRIPT: TAKE,
  parseCommand(parser: CommandParser, keys: string[], values: (string | number)[]) {
    parser.pushKeysLength(keys)
    parser.push(...values.map(String))
  },
  transformReply: ([allowed = 0, remaining = 0, waitMs = 0]: number[]): RateDecision => toDecision(allowed === 1, remaining, waitMs),
})

interface WarnLog {
  warn(details: object, message: string): void
}

export interface RedisRateWindowsOptions {
  timeoutMs?: number
  /** For tests that let a minute pass at once. */
  trustsCallersClock?: boolean
}

/**
 * Counts in Redis, so that any number of processes share one limit. While Redis is unreachable each process counts on its
 * own: a limit that is too generous for a while is better than rejecting readers.
 */
export class RedisRateWindows {
  readonly #client
  readonly #log: WarnLog
  readonly #timeoutMs
  readonly #trustsCallersClock
  readonly #processId = randomUUID()
  /** Once the first attempt to connect has succeeded or failed. */
  readonly #tried: Promise<unknown>
  #lastId = 0
  #reachable = true

  constructor(url: string, log: WarnLog, { timeoutMs = TIMEOUT_MS, trustsCallersClock = false }: RedisRateWindowsOptions = {}) {
    // Without the queue a command fails at once while there is no connection.
    this.#client = createClient({
      url,
      disableOfflineQueue: true,
      scripts: { take },
      socket: { reconnectStrategy: (tries) => Math.min(2000, 50 * 2 ** tries) },
    })
    this.#log = log
    this.#timeoutMs = timeoutMs
    this.#trustsCallersClock = trustsCallersClock
    this.#client.on('error', (error) => this.#noteReachable(false, error))
    this.#client.on('ready', () => this.#noteReachable(true))
    this.#tried = new Promise((resolve) => this.#client.once('ready', resolve).once('error', resolve))
    this.#client.connect().catch(() => {})
  }

  /** The windows of one limit class. */
  forClass(name: string): RateWindows {
    const fallback = new LocalRateWindows()
    return {
      take: async (quotas, nowMs, cost, retryCost = cost) => {
        try {
          return await withTimeout(this.#timeoutMs, this.#take(name, quotas, nowMs, cost, retryCost))
        } catch (error) {
          this.#noteReachable(false, error)
          return fallback.take(quotas, nowMs, cost, retryCost)
        }
      },
    }
  }

  async close(): Promise<void> {
    this.#client.destroy()
  }

  async #take(name: string, quotas: readonly Quota[], nowMs: number, cost: number, retryCost: number): Promise<RateDecision> {
    await this.#tried
    const keys = quotas.map(({ key }) => `vitrine:requests:${name}:${key}`)
    const request = `${this.#processId}:${++this.#lastId}:`
    const limits = quotas.map(({ limit }) => limit)
    return await this.#client.take(keys, [this.#trustsCallersClock ? nowMs : '', WINDOW_MS, cost, retryCost, request, ...limits])
  }

  #noteReachable(reachable: boolean, error?: unknown): void {
    if (this.#reachable === reachable) return
    this.#reachable = reachable
    if (reachable) this.#log.warn({}, 'rate limits are shared through Redis again')
    else this.#log.warn({ err: error }, 'Redis cannot be asked: rate limits are counted per process until it can')
  }
}

/** Whether the Redis of the shared rate limits answers. */
export async function diagnoseRedis(url: string): Promise<Finding> {
  let client: ReturnType<typeof createClient> | undefined
  try {
    client = createClient({ url, socket: { reconnectStrategy: false, connectTimeout: 2000 } })
    client.on('error', () => {})
    await client.connect()
    const version = /redis_version:(\S+)/.exec(await client.info('server'))?.[1]
    return passed('Redis', version ?? 'answers')
  } catch (error) {
    const reason = error instanceof Error ? error.message || String(error.cause ?? error.name) : String(error)
    return failed('Redis', `cannot be reached (${reason}): every process counts for itself`, 'start it, or correct REDIS_URL')
  } finally {
    if (client?.isOpen) client.destroy()
  }
}
