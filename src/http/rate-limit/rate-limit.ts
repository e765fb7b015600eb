import { isIPv6 } from 'node:net'
import type { FastifyReply } from 'fastify'
import { ServiceError } from '../../contract/errors.js'
import type { RateDecision } from '../../lib/sliding-window.js'
import { LocalRateWindows, type RateWindows } from '../../ports/rate-windows.js'

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

/** The classes of the public hosts, shared by both. */
export interface Limits {
  public: RateLimit
  agent: RateLimit
  mcp: RateLimit
}

/** Who a request counts for: the address, and of IPv6 the /64, because that is what one household or host gets. */
export function clientKeyOf(address: string): string {
  // Nearly everybody, and looked at for every request.
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
