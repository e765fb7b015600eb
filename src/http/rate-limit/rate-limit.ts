import { isIPv6 } from 'node:net'
import type { FastifyReply } from 'fastify'
import { ServiceError } from '../../contract/errors.js'
import type { RateDecision } from '../../lib/sliding-window.js'
import { LocalRateWindows, type RateWindows } from '../../ports/rate-windows.js'

export const WINDOW_S = 60

export interface RateLimitOptions {
  /** Where callers are counted. Default: in this process. */
  windows?: RateWindows
  now?: () => number
  /** Called for every request over the limit. */
  onRejected?: (name: string) => void
}

/** One limit class: requests per minute and caller. `null` is no limit. */
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

  /** For the status document; `null` without a limit. */
  get rate(): { requests: number; window_s: number } | null {
    return this.#limit === null ? null : { requests: this.#limit, window_s: WINDOW_S }
  }

  /** Counts a request; `null` without a limit. */
  take(address: string, cost = 1): RateDecision | Promise<RateDecision> | null {
    if (this.#limit === null) return null
    return this.#windows.take(clientKeyOf(address), this.#now(), this.#limit, WINDOW_S * 1000, cost)
  }

  /** The `RateLimit` headers, in both forms clients know. */
  headers({ remaining, resetS }: RateDecision): Record<string, string | number> {
    return {
      'RateLimit-Policy': this.#policy,
      RateLimit: `"${this.#name}";r=${remaining};t=${resetS}`,
      'RateLimit-Limit': this.#limit ?? '',
      'RateLimit-Remaining': remaining,
      'RateLimit-Reset': resetS,
    }
  }

  /** Counts a request, unless `counted` has done it, and adds the headers. Throws over the limit. */
  async enforce(address: string, reply: FastifyReply, cost = 1, counted: RateDecision | null = null): Promise<void> {
    const decision = counted ?? (await this.take(address, cost))
    if (decision === null) return
    reply.headers(this.headers(decision))
    if (!decision.allowed) {
      this.#onRejected(this.#name)
      throw new ServiceError('rate_limited', `More than ${this.#limit} requests in ${WINDOW_S} seconds: wait ${decision.resetS} s.`, {
        retryAfterS: decision.resetS,
      })
    }
  }
}

/** The limit classes, shared by both public hosts. */
export interface Limits {
  public: RateLimit
  agent: RateLimit
  mcp: RateLimit
}

/** The caller a request counts for: the address, or the /64 for IPv6, because one household or host gets that. */
export function clientKeyOf(address: string): string {
  // The common case, checked for every request.
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1] !== undefined) return mapped[1]
  if (!isIPv6(address)) return address
  return `${ipv6Groups(address).slice(0, 4).join(':')}::/64`
}

function ipv6Groups(address: string): string[] {
  const [plain = ''] = address.split('%')
  const [head = '', tail] = plain.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  return [...left, ...(tail === undefined ? [] : zeros), ...right].map((group) => Number.parseInt(group, 16).toString(16))
}
