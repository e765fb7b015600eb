import { take, type Verdict, type Window } from './rate-window.js'

/** Where the windows of callers are kept: in this process, or where several processes share them. */
export interface RateWindows {
  take(caller: string, nowMs: number, limit: number, windowMs: number, cost: number): Verdict | Promise<Verdict>
}

/** Callers remembered; beyond that the longest known is forgotten, which can only be to its advantage. */
const MAX_CALLERS = 100_000

export class OwnRateWindows implements RateWindows {
  readonly #windows = new Map<string, Window>()

  take(caller: string, nowMs: number, limit: number, windowMs: number, cost: number): Verdict {
    const verdict = take(this.#windows.get(caller), nowMs, limit, windowMs, cost)
    this.#windows.delete(caller)
    this.#windows.set(caller, verdict.window)
    this.#forgetOldest()
    return verdict
  }

  #forgetOldest(): void {
    if (this.#windows.size <= MAX_CALLERS) return
    const [oldest] = this.#windows.keys()
    if (oldest !== undefined) this.#windows.delete(oldest)
  }
}
