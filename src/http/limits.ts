import type { FastifyReply } from 'fastify'
import { ServiceError } from '../operations/errors.js'
import { callerOf } from './caller.js'
import { OwnRateWindows, type RateWindows } from './rate-windows.js'

export const WINDOW_S = 60

export interface RateLimitOptions {
  /** Where callers are counted: in this process unless told otherwise. */
  windows?: RateWindows
  now?: () => number
  /** Called for every request that is one too many. */
  refused?: (name: string) => void
}

/** One limit class: so many requests a minute for each caller. `null` is no limit. */
export class RateLimit {
  readonly #name: string
  readonly #limit: number | null
  readonly #windows: RateWindows
  readonly #now: () => number
  readonly #refused: (name: string) => void

  constructor(
    name: string,
    limit: number | null,
    { windows = new OwnRateWindows(), now = Date.now, refused = () => {} }: RateLimitOptions = {},
  ) {
    this.#name = name
    this.#limit = limit
    this.#windows = windows
    this.#now = now
    this.#refused = refused
  }

  /** What callers may know of it; `null` when there is no limit. */
  get rate(): { requests: number; window_s: number } | null {
    return this.#limit === null ? null : { requests: this.#limit, window_s: WINDOW_S }
  }

  /** Counts a request and says so in its headers, old and new. Throws when it is one too many. */
  async spend(address: string, reply: FastifyReply, cost = 1): Promise<void> {
    if (this.#limit === null) return
    const caller = callerOf(address)
    const verdict = await this.#windows.take(caller, this.#now(), this.#limit, WINDOW_S * 1000, cost)
    reply.headers({
      'RateLimit-Policy': `"${this.#name}";q=${this.#limit};w=${WINDOW_S}`,
      RateLimit: `"${this.#name}";r=${verdict.remaining};t=${verdict.resetS}`,
      'RateLimit-Limit': this.#limit,
      'RateLimit-Remaining': verdict.remaining,
      'RateLimit-Reset': verdict.resetS,
    })
    if (!verdict.allowed) {
      this.#refused(this.#name)
      throw new ServiceError('rate_limited', `More than ${this.#limit} requests in ${WINDOW_S} seconds: wait ${verdict.resetS} s.`, {
        retryAfterS: verdict.resetS,
      })
    }
  }
}

/** The classes of the public hosts, shared by both. */
export interface Limits {
  public: RateLimit
  agent: RateLimit
  mcp: RateLimit
}
