import type { Quota, RateDecision, RateWindows } from '../ports/rate-windows.js'

export const WINDOW_MS = 60_000
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

/** `waitMs`: until the next request passes, if there is no quota left for it. */
export const toDecision = (allowed: boolean, remaining: number, waitMs: number): RateDecision => ({
  allowed,
  remaining: Math.max(0, remaining),
  resetS: Math.max(1, Math.ceil((allowed && remaining > 0 ? WINDOW_MS : waitMs) / 1000)),
})

/** What was counted in the last minute, to the millisecond. Takes as much memory as there was traffic. */
class SlidingWindow {
  /** Moment, cost, moment, cost …, the oldest first: numbers in one array take a third of the memory of objects. */
  readonly #entries: number[] = []
  #used = 0

  get used(): number {
    return this.#used
  }

  dropPast(nowMs: number): void {
    let end = 0
    for (; end < this.#entries.length && isPast(this.#at(end), nowMs); end += 2) this.#used -= this.#at(end + 1)
    if (end > 0) this.#entries.splice(0, end)
  }

  add(atMs: number, cost: number): void {
    let end = this.#entries.length
    while (end > 0 && this.#at(end - 2) > atMs) end -= 2
    if (end > 0 && this.#at(end - 2) === atMs) this.#entries[end - 1] = this.#at(end - 1) + cost
    else if (end === this.#entries.length) this.#entries.push(atMs, cost)
    else this.#entries.splice(end, 0, atMs, cost)
    this.#used += cost
  }

  /** Takes back what was counted at that moment; `false` if it is past or forgotten. */
  remove(atMs: number, cost: number): boolean {
    let i = this.#entries.length - 2
    while (i >= 0 && this.#at(i) > atMs) i -= 2
    if (i < 0 || this.#at(i) !== atMs) return false
    this.#entries[i + 1] = this.#at(i + 1) - cost
    this.#used -= cost
    return true
  }

  /** The time until no more than `most` counts, if nothing is added meanwhile. */
  msUntil(most: number, nowMs: number): number {
    if (most < 0) return WINDOW_MS
    let used = this.#used
    let waitMs = 0
    for (let i = 0; used > most && i < this.#entries.length; i += 2) {
      used -= this.#at(i + 1)
      waitMs = this.#at(i) + WINDOW_MS - nowMs
    }
    return waitMs
  }

  #at(index: number): number {
    return this.#entries[index] ?? 0
  }
}

/** Also if it lies a minute ahead: the clock was set back, and must not lock anyone out. */
const isPast = (atMs: number, nowMs: number): boolean => Math.abs(nowMs - atMs) >= WINDOW_MS
