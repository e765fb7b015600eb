import type { Quota, RateDecision, RateWindows } from '../ports/rate-windows.js'
import { SlidingWindow, toDecision, WINDOW_MS } from './sliding-window.js'

/** Of a generation. Beyond that those that were counted longest ago are forgotten, which can only help them. */
const MAX_CLIENTS = 50_000
/** A second more than a window: workers count ahead by that much. */
const GENERATION_MS = WINDOW_MS + 1000

/** In this process. The default, and what Redis falls back to. */
export class LocalRateWindows implements RateWindows {
  /** Who was counted since `#since`, and who was counted last in the generation before: forgotten as a whole, at no cost per caller. */
  #current = new Map<string, SlidingWindow>()
  #previous = new Map<string, SlidingWindow>()
  #since = Number.NEGATIVE_INFINITY

  get size(): number {
    return this.#current.size + this.#previous.size
  }

  take(quotas: readonly Quota[], nowMs: number, cost: number, retryCost = cost): RateDecision {
    this.#forgetSilent(nowMs)
    let allowed = true
    for (const { key, limit } of quotas) if (this.#refreshed(key, nowMs).used + cost > limit) allowed = false
    if (allowed) this.count(quotas, nowMs, cost)
    let remaining = Number.POSITIVE_INFINITY
    let waitMs = 0
    for (const { key, limit } of quotas) {
      const window = this.#windowOf(key)
      remaining = Math.min(remaining, limit - window.used)
      waitMs = Math.max(waitMs, window.msUntil(limit - (allowed ? 1 : retryCost), nowMs))
    }
    return toDecision(allowed, remaining, waitMs)
  }

  /** Counts without asking whether there is room. */
  count(quotas: readonly Quota[], atMs: number, cost: number): void {
    for (const { key } of quotas) this.#windowOf(key).add(atMs, cost)
  }

  /** Counts `used` at `usedAtMs` instead of what was counted ahead. */
  settle(quotas: readonly Quota[], aheadAtMs: number, ahead: number, usedAtMs: number, used: number): void {
    for (const { key } of quotas) {
      const window = this.#current.get(key) ?? this.#previous.get(key)
      if (window?.remove(aheadAtMs, ahead) && used > 0) window.add(usedAtMs, used)
    }
  }

  #refreshed(key: string, nowMs: number): SlidingWindow {
    const window = this.#windowOf(key)
    window.dropPast(nowMs)
    return window
  }

  #windowOf(key: string): SlidingWindow {
    let window = this.#current.get(key)
    if (window === undefined) {
      window = this.#previous.get(key) ?? new SlidingWindow()
      this.#previous.delete(key)
      this.#current.set(key, window)
    }
    return window
  }

  #forgetSilent(nowMs: number): void {
    if (Math.abs(nowMs - this.#since) < GENERATION_MS && this.#current.size < MAX_CLIENTS) return
    this.#previous = this.#current
    this.#current = new Map()
    this.#since = nowMs
  }
}
