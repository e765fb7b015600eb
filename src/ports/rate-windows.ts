import { type RateDecision, SlidingWindow, toDecision } from '../lib/sliding-window.js'

/** Who is counted (a caller, or its network), and how much it may send in a minute. */
export interface Quota {
  key: string
  limit: number
}

/**
 * Counts requests in sliding windows of a minute: in this process (below), in the supervisor of the worker processes
 * (`workers/rate-windows.ts`), or in Redis (`adapters/redis-rate-windows.ts`).
 */
export interface RateWindows {
  /**
   * Counts a request against all quotas, the caller's first, or against none if one of them has no room for it.
   * `retryCost`: what a refused request will cost when it comes again. Default: `cost`.
   */
  take(quotas: readonly Quota[], nowMs: number, cost: number, retryCost?: number): RateDecision | Promise<RateDecision>
}

/** Beyond that the client that was counted longest ago is forgotten, which can only help it. */
const MAX_CLIENTS = 100_000

/** In this process. The default, and what Redis falls back to; it lies here because http, workers and adapters all use it. */
export class LocalRateWindows implements RateWindows {
  /** The one asked for longest ago first. */
  readonly #windows = new Map<string, SlidingWindow>()

  get size(): number {
    return this.#windows.size
  }

  take(quotas: readonly Quota[], nowMs: number, cost: number, retryCost = cost): RateDecision {
    let allowed = true
    for (const { key, limit } of quotas) if (this.#refresh(key, nowMs).used + cost > limit) allowed = false
    if (allowed) this.count(quotas, nowMs, cost)
    let remaining = Number.POSITIVE_INFINITY
    let waitMs = 0
    for (const { key, limit } of quotas) {
      const window = this.#windowOf(key)
      remaining = Math.min(remaining, limit - window.used)
      waitMs = Math.max(waitMs, window.msUntil(limit - (allowed ? 1 : retryCost), nowMs))
    }
    this.#forgetSilent(nowMs)
    return toDecision(allowed, remaining, waitMs)
  }

  /** Counts without asking whether there is room. */
  count(quotas: readonly Quota[], atMs: number, cost: number): void {
    for (const { key } of quotas) this.#windowOf(key).add(atMs, cost)
  }

  /** Counts `used` at `usedAtMs` instead of what was counted ahead. */
  settle(quotas: readonly Quota[], aheadAtMs: number, ahead: number, usedAtMs: number, used: number): void {
    for (const { key } of quotas) {
      const window = this.#windows.get(key)
      if (window?.remove(aheadAtMs, ahead) && used > 0) window.add(usedAtMs, used)
    }
  }

  #refresh(key: string, nowMs: number): SlidingWindow {
    const window = this.#windowOf(key)
    this.#windows.delete(key)
    this.#windows.set(key, window)
    window.dropPast(nowMs)
    return window
  }

  #windowOf(key: string): SlidingWindow {
    let window = this.#windows.get(key)
    if (window === undefined) {
      window = new SlidingWindow()
      this.#windows.set(key, window)
    }
    return window
  }

  #forgetSilent(nowMs: number): void {
    for (const [key, window] of this.#windows) {
      if (this.#windows.size <= MAX_CLIENTS && !window.isOver(nowMs)) return
      this.#windows.delete(key)
    }
  }
}
