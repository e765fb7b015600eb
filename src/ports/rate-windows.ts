import { type CountedDecision, countRequest, type RateDecision, type Window } from '../lib/sliding-window.js'

/** Where the windows of callers are kept: in this process, or where several processes share them. */
export interface RateWindows {
  take(caller: string, nowMs: number, limit: number, windowMs: number, cost: number): RateDecision | Promise<RateDecision>
}

/** Callers remembered; beyond that the longest known is forgotten, which can only be to its advantage. */
const MAX_CLIENTS = 100_000

export class LocalRateWindows implements RateWindows {
  readonly #windows = new Map<string, Window>()

  take(caller: string, nowMs: number, limit: number, windowMs: number, cost: number): CountedDecision {
    const verdict = countRequest(this.#windows.get(caller), nowMs, limit, windowMs, cost)
    this.#windows.delete(caller)
    this.#windows.set(caller, verdict.window)
    this.#evictOldest()
    return verdict
  }

  /** What was counted in a window and not used. Of one that is over nobody wants it back. */
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
