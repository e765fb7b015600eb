import type { FastifyReply } from 'fastify'
import { ServiceError } from '../../contract/errors.js'
import type { Verdict } from '../../lib/sliding-window.js'
import { OwnRateWindows, type RateWindows } from '../../ports/rate-windows.js'
import { callerOf } from './caller.js'

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
  readonly #policy: string
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
    this.#policy = `"${name}";q=${limit};w=${WINDOW_S}`
    this.#limit = limit
    this.#windows = windows
    this.#now = now
    this.#refused = refused
  }

  /** What callers may know of it; `null` when there is no limit. */
  get rate(): { requests: number; window_s: number } | null {
    return this.#limit === null ? null : { requests: this.#limit, window_s: WINDOW_S }
  }

  /** Counts a request; `null` where there is nothing to count. */
  take(address: string, cost = 1): Verdict | Promise<Verdict> | null {
    if (this.#limit === null) return null
    return this.#windows.take(callerOf(address), this.#now(), this.#limit, WINDOW_S * 1000, cost)
  }

  /** What callers are told of it, in old headers and new. */
  headers({ remaining, resetS }: Verdict): Record<string, string | number> {
    return {
      'RateLimit-Policy': this.#policy,
      RateLimit: `"${this.#name}";r=${remaining};t=${resetS}`,
      'RateLimit-Limit': this.#limit ?? '',
      'RateLimit-Remaining': remaining,
      'RateLimit-Reset': resetS,
    }
  }

  /** Counts a request, unless that has been done, and says so in its headers. Throws when it is one too many. */
  async spend(address: string, reply: FastifyReply, cost = 1, counted?: Verdict): Promise<void> {
    const verdict = counted ?? (await this.take(address, cost))
    if (verdict === null) return
    reply.headers(this.headers(verdict))
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
