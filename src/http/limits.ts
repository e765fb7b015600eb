import type { FastifyReply } from 'fastify'
import { ServiceError } from '../operations/errors.js'
import { callerOf } from './caller.js'
import { take, type Window } from './rate-window.js'

export const WINDOW_S = 60
/** Callers remembered; beyond that the longest known is forgotten, which can only be to its advantage. */
const MAX_CALLERS = 100_000

/** One limit class: so many requests a minute for each caller. `null` is no limit. */
export class RateLimit {
  readonly #name: string
  readonly #limit: number | null
  readonly #windows = new Map<string, Window>()
  readonly #now: () => number

  constructor(name: string, limit: number | null, now: () => number = Date.now) {
    this.#name = name
    this.#limit = limit
    this.#now = now
  }

  /** Counts a request and says so in its headers, old and new. Throws when it is one too many. */
  async spend(address: string, reply: FastifyReply, cost = 1): Promise<void> {
    if (this.#limit === null) return
    const caller = callerOf(address)
    const verdict = take(this.#windows.get(caller), this.#now(), this.#limit, WINDOW_S * 1000, cost)
    this.#windows.delete(caller)
    this.#windows.set(caller, verdict.window)
    this.#forgetOldest()
    reply.headers({
      'RateLimit-Policy': `"${this.#name}";q=${this.#limit};w=${WINDOW_S}`,
      RateLimit: `"${this.#name}";r=${verdict.remaining};t=${verdict.resetS}`,
      'RateLimit-Limit': this.#limit,
      'RateLimit-Remaining': verdict.remaining,
      'RateLimit-Reset': verdict.resetS,
    })
    if (!verdict.allowed) {
      throw new ServiceError('rate_limited', `More than ${this.#limit} requests in ${WINDOW_S} seconds: wait ${verdict.resetS} s.`, {
        retryAfterS: verdict.resetS,
      })
    }
  }

  #forgetOldest(): void {
    if (this.#windows.size <= MAX_CALLERS) return
    const [oldest] = this.#windows.keys()
    if (oldest !== undefined) this.#windows.delete(oldest)
  }
}

/** The classes of the public hosts, shared by both. */
export interface Limits {
  public: RateLimit
  agent: RateLimit
  mcp: RateLimit
}
