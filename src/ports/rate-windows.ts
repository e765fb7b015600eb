export interface RateDecision {
  allowed: boolean
  /** The quota left now. */
  remaining: number
  /** Seconds of silence after which a request passes; while quota is left, after which the whole limit is there again. */
  resetS: number
}

/** Who is counted (a caller, or its network), and how much it may send in a minute. */
export interface Quota {
  key: string
  limit: number
}

/**
 * Counts requests in sliding windows of a minute: in this process (`rate-limit/local-rate-windows.ts`), in the supervisor of the worker
 * processes (`workers/shared-state.ts`), or in Redis (`rate-limit/redis-rate-windows.ts`).
 */
export interface RateWindows {
  /**
   * Counts a request against all quotas, the caller's first, or against none if one of them has no room for it.
   * `retryCost`: what a refused request will cost when it comes again. Default: `cost`.
   */
  take(quotas: readonly Quota[], nowMs: number, cost: number, retryCost?: number): RateDecision | Promise<RateDecision>
}
