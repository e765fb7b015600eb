import { type CountedDecision, countRequest, type RateDecision, type Window } from '../lib/sliding-window.js'

/**
 * Counts requests per client in sliding windows: in this process (below), in the supervisor of the worker processes
 * (`workers/rate-windows.ts`), or in Redis (`adapters/redis-rate-windows.ts`).
 */
export interface RateWindows {
  /** `retryCost`: what a refused request will cost when it comes again. Default: `cost`. */
  take(
    caller: string,
    nowMs: number,
    limit: number,
    windowMs: number,
    cost: number,
    retryCost?: number,
  ): RateDecision | Promise<RateDecision>
  /** Takes back what was counted in a window and not used, unless the window is over. */
  refund(caller: string, window: number, cost: number): void
}

/** Beyond that the client that was counted longest ago is forgotten, which can only help it. */
const MAX_CLIENTS = 100_000

/** In this process. The default, and what Redis falls back to; it lies here because http, workers and adapters all use it. */
export class LocalRateWindows implements RateWindows {
  readonly #windows = new Map<string, Window>()

  take(caller: string, nowMs: number, limit: number, windowMs: number, cost: number, retryCost = cost): CountedDecision {
    const decision = countRequest(this.#windows.get(caller), nowMs, limit, windowMs, cost, retryCost)
    this.#windows.delete(caller)
    this.#windows.set(caller, decision.window)
    this.#evictOldest()
    return decision
  }

  refund(caller: string, number: number, cost: number): void {
    const window = this.#windows.get(caller)
    if (window?.number === number) this.#windows.set(caller, { ...window, current: Math.max(0, window.current - cost) })
  }

  #evictOldest(): void {
    if (this.#windows.size <= MAX_CLIENTS) return
    const [oldest] = this.#windows.keys()
    if (oldest !== undefined) this.#windows.delete(oldest)
  }
}
