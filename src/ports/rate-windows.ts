import { type CountedDecision, countRequest, type RateDecision, type Window } from '../lib/sliding-window.js'

/** Counts the requests of callers: in this process, in Redis, or in the supervisor of the workers. */
export interface RateWindows {
  take(caller: string, nowMs: number, limit: number, windowMs: number, cost: number): RateDecision | Promise<RateDecision>
}

/** The number of callers kept. Beyond it, the least recently seen is dropped, which only gives it quota back. */
const MAX_CLIENTS = 100_000

export class LocalRateWindows implements RateWindows {
  readonly #windows = new Map<string, Window>()

  take(caller: string, nowMs: number, limit: number, windowMs: number, cost: number): CountedDecision {
    const decision = countRequest(this.#windows.get(caller), nowMs, limit, windowMs, cost)
    this.#windows.delete(caller)
    this.#windows.set(caller, decision.window)
    this.#evictOldest()
    return decision
  }

  /** Gives back what was counted but not used, if the window is still the current one. */
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
