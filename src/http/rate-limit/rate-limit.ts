import type { FastifyReply } from 'fastify'
import { ServiceError } from '../../contract/errors.js'
import type { RateDecision } from '../../lib/sliding-window.js'
import { LocalRateWindows, type RateWindows } from '../../ports/rate-windows.js'
import { clientKeyOf } from './caller.js'

export const WINDOW_S = 60

export interface RateLimitOptions {
  /** Where callers are counted: in this process unless told otherwise. */
  windows?: RateWindows
  now?: () => number
  /** Called for every request that is one too many. */
  onRejected?: (name: string) => void
}

/** One limit class: so many requests a minute for each caller. `null` is no limit. */
export class RateLimit {
  readonly #name: string
  readonly #policy: string
  readonly #limit: number | null
  readonly #windows: RateWindows
  readonly #now: () => number
  readonly #onRejected: (name: string) => void

  constructor(
    name: string,
    limit: number | null,
    { windows = new LocalRateWindows(), now = Date.now, onRejected = () => {} }: RateLimitOptions = {},
  ) {
    this.#name = name
    this.#policy = `"${name}";q=${limit};w=${WINDOW_S}`
    this.#limit = limit
    this.#windows = windows
    this.#now = now
    this.#onRejected = onRejected
  }

  /** What callers may know of it; `null` when there is no limit. */
  get rate(): { requests: number; window_s: number } | null {
    return this.#limit === null ? null : { requests: this.#limit, window_s: WINDOW_S }
  }

  /** Counts a request; `null` where there is nothing to count. */
  take(address: string, cost = 1): RateDecision | Promise<RateDecision> | null {
    if (this.#limit === null) return null
    return this.#windows.take(clientKeyOf(address), this.#now(), this.#limit, WINDOW_S * 1000, cost)
  }

  /** What callers are told of it, in old headers and new. */
  headers({ remaining, resetS }: RateDecision): Record<string, string | number> {
    return {
      'RateLimit-Policy': this.#policy,
      RateLimit: `"${this.#name}";r=${remaining};t=${resetS}`,
      'RateLimit-Limit': this.#limit ?? '',
      'RateLimit-Remaining': remaining,
      'RateLimit-Reset': resetS,
    }
  }

  /** Counts a request, unless that has been done, and says so in its headers. Throws when it is one too many. */
  async enforce(address: string, reply: FastifyReply, cost = 1, counted?: RateDecision): Promise<void> {
    const verdict = counted ?? (await this.take(address, cost))
    if (verdict === null) return
    reply.headers(this.headers(verdict))
    if (!verdict.allowed) {
      this.#onRejected(this.#name)
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
