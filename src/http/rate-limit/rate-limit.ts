import { NETWORK_FACTOR } from '../../contract/caller-limits.js'
import { ServiceError } from '../../contract/errors.js'
import type { RateDecision, RateWindows } from '../../ports/rate-windows.js'
import { LocalRateWindows, WINDOW_MS } from '../../rate-limit/local-rate-windows.js'
import { clientKeyOf, networkOf } from './client-key.js'

export const WINDOW_S = WINDOW_MS / 1000

/** Never set back, and the same in all processes of a machine. Whole, because what came in one millisecond is kept as one. */
const monotonicMs = (): number => Number(process.hrtime.bigint() / 1_000_000n)

export interface RateLimitOptions {
  /** Where callers are counted. Default: in this process. */
  windows?: RateWindows
  now?: () => number
  /** Called for every request over the limit. */
  onRejected?: (name: string) => void
  /** Whether answers name the limit. Default: they do. */
  announced?: boolean
}

/** One limit class: requests per minute and caller. `null` is no limit. */
export class RateLimit {
  readonly #name: string
  readonly #policy: string
  readonly #limit: number | null
  readonly #windows: RateWindows
  readonly #now: () => number
  readonly #onRejected: (name: string) => void
  readonly #announced: boolean

  constructor(
    name: string,
    limit: number | null,
    { windows = new LocalRateWindows(), now = monotonicMs, onRejected = () => {}, announced = true }: RateLimitOptions = {},
  ) {
    this.#name = name
    this.#policy = `"${name}";q=${limit};w=${WINDOW_S}`
    this.#limit = limit
    this.#windows = windows
    this.#now = now
    this.#onRejected = onRejected
    this.#announced = announced
  }

  /** For the status document; `null` without a limit. */
  get rate(): { requests: number; window_s: number } | null {
    return this.#limit === null ? null : { requests: this.#limit, window_s: WINDOW_S }
  }

  /** Counts a request, for the caller and for its network; `null` without a limit. `retryCost`: see {@link RateWindows}. */
  take(address: string, cost = 1, retryCost = cost): RateDecision | Promise<RateDecision> | null {
    if (this.#limit === null) return null
    const caller = { key: clientKeyOf(address), limit: this.#limit }
    const network = networkOf(caller.key)
    const quotas = network === null ? [caller] : [caller, { key: network, limit: this.#limit * NETWORK_FACTOR }]
    return this.#windows.take(quotas, this.#now(), cost, retryCost)
  }

  /** What is counted of a cost: never more than the limit, or the request could never pass. */
  possible(cost: number): number {
    return Math.min(cost, this.#limit ?? cost)
  }

  /** The `RateLimit` headers, in both forms clients know. */
  headers({ remaining, resetS }: RateDecision): Record<string, string | number> {
    if (!this.#announced) return {}
    return {
      'RateLimit-Policy': this.#policy,
      RateLimit: `"${this.#name}";r=${remaining};t=${resetS}`,
      'RateLimit-Limit': this.#limit ?? '',
      'RateLimit-Remaining': remaining,
      'RateLimit-Reset': resetS,
    }
  }

  /** The error for a request that was not allowed. Counts it in the metrics. */
  refusal({ resetS }: RateDecision): ServiceError {
    this.#onRejected(this.#name)
    return new ServiceError('rate_limited', `More than ${this.#limit} requests in ${WINDOW_S} seconds: wait ${resetS} s.`, {
      retryAfterS: resetS,
    })
  }
}

/** The limit classes, shared by both public hosts. */
export interface Limits {
  public: RateLimit
  agent: RateLimit
  mcp: RateLimit
  pages: RateLimit
  /** What pages show: pictures, styles, fonts. */
  pictures: RateLimit
  /** Unknown paths and those of the mobile app. */
  other: RateLimit
}
