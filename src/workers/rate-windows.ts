import { turnsOverIn, type Verdict, windowAt } from '../lib/sliding-window.js'
import type { RateWindows } from '../ports/rate-windows.js'
import type { Line } from './rpc-channel.js'
import type { GiveBack, Take, Taken } from './shared-state.js'

/** What a caller has not used for so long, another worker may need. */
const IDLE_MS = 500

/** A caller's requests that have been counted before they came. */
interface Ahead {
  window: number
  left: number
  /** What is left of the limit as far as this worker knows. */
  remaining: number
  used: boolean
}

/**
 * A worker's side of one limit that all workers share. Each question to the process that counts costs about as much as an
 * answer, so a caller who is far from the limit gets some requests ahead, and near it each one is asked for.
 */
export class SharedWindows implements RateWindows {
  readonly #line: Line
  readonly #limit: string
  readonly #ahead = new Map<string, Ahead>()

  constructor(line: Line, limit: string) {
    this.#line = line
    this.#limit = limit
    setInterval(() => this.#giveBackIdle(), IDLE_MS).unref()
  }

  take(caller: string, nowMs: number, most: number, windowMs: number, cost: number): Verdict | Promise<Verdict> {
    const ahead = this.#ahead.get(caller)
    if (ahead === undefined || ahead.left < cost || ahead.window !== windowAt(nowMs, windowMs))
      return this.#ask([this.#limit, caller, nowMs, most, windowMs, cost])
    ahead.left -= cost
    ahead.remaining -= cost
    ahead.used = true
    return { allowed: true, remaining: ahead.remaining, resetS: turnsOverIn(nowMs, windowMs) }
  }

  async #ask(take: Take): Promise<Verdict> {
    const { allowed, remaining, resetS, window, ahead } = await this.#line.ask<Taken>('take', take)
    const [, caller] = take
    const known = this.#ahead.get(caller)
    // Several may have asked at the same time: what each of them brought counts.
    const left = ahead + (known?.window === window ? known.left : 0)
    if (left > 0) this.#ahead.set(caller, { window, left, remaining, used: true })
    return { allowed, remaining, resetS }
  }

  #giveBackIdle(): void {
    for (const [caller, ahead] of this.#ahead) {
      if (ahead.used && ahead.left > 0) {
        ahead.used = false
        continue
      }
      this.#ahead.delete(caller)
      if (ahead.left > 0) this.#line.tell('giveBack', [this.#limit, caller, ahead.window, ahead.left] satisfies GiveBack)
    }
  }
}
