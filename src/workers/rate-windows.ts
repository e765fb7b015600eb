import { type RateDecision, secondsToNextWindow, windowNumber } from '../lib/sliding-window.js'
import type { RateWindows } from '../ports/rate-windows.js'
import type { RpcChannel } from './rpc-channel.js'
import type { LeasedDecision, RefundMessage, TakeMessage } from './shared-state.js'

/** What a caller has not used for so long, another worker may need. */
const IDLE_MS = 500

/** A caller's requests that have been counted before they came. */
interface QuotaLease {
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
export class WorkerRateWindows implements RateWindows {
  readonly #channel: RpcChannel
  readonly #limit: string
  readonly #leases = new Map<string, QuotaLease>()

  constructor(channel: RpcChannel, limit: string) {
    this.#channel = channel
    this.#limit = limit
    setInterval(() => this.#refundIdle(), IDLE_MS).unref()
  }

  take(caller: string, nowMs: number, most: number, windowMs: number, cost: number): RateDecision | Promise<RateDecision> {
    const ahead = this.#leases.get(caller)
    if (ahead === undefined || ahead.left < cost || ahead.window !== windowNumber(nowMs, windowMs))
      return this.#requestLease([this.#limit, caller, nowMs, most, windowMs, cost])
    ahead.left -= cost
    ahead.remaining -= cost
    ahead.used = true
    return { allowed: true, remaining: ahead.remaining, resetS: secondsToNextWindow(nowMs, windowMs) }
  }

  async #requestLease(take: TakeMessage): Promise<RateDecision> {
    const { allowed, remaining, resetS, window, ahead } = await this.#channel.call<LeasedDecision>('take', take)
    const [, caller] = take
    const known = this.#leases.get(caller)
    // Several may have asked at the same time: what each of them brought counts.
    const left = ahead + (known?.window === window ? known.left : 0)
    if (left > 0) this.#leases.set(caller, { window, left, remaining, used: true })
    return { allowed, remaining, resetS }
  }

  #refundIdle(): void {
    for (const [caller, ahead] of this.#leases) {
      if (ahead.used && ahead.left > 0) {
        ahead.used = false
        continue
      }
      this.#leases.delete(caller)
      if (ahead.left > 0) this.#channel.notify('giveBack', [this.#limit, caller, ahead.window, ahead.left] satisfies RefundMessage)
    }
  }
}
