import { type RateDecision, secondsToNextWindow, windowNumber } from '../lib/sliding-window.js'
import type { RateWindows } from '../ports/rate-windows.js'
import type { RpcChannel } from './rpc-channel.js'
import type { LeasedDecision, RefundMessage, TakeMessage } from './shared-state.js'

/** A lease that is unused for so long goes back: another worker may need it. */
const IDLE_MS = 500

/** Requests of a caller that were counted in advance. */
interface QuotaLease {
  window: number
  left: number
  /** What is left of the limit, as far as this worker knows. */
  remaining: number
  used: boolean
}

/**
 * One limit that all workers share, seen from a worker. A call to the supervisor costs about as much as a response, so the
 * worker leases quota for callers far from their limit; near it, it asks for each request.
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

  take(
    caller: string,
    nowMs: number,
    most: number,
    windowMs: number,
    cost: number,
    retryCost = cost,
  ): RateDecision | Promise<RateDecision> {
    const lease = this.#leases.get(caller)
    if (lease === undefined || lease.left < cost || lease.window !== windowNumber(nowMs, windowMs))
      return this.#requestLease([this.#limit, caller, nowMs, most, windowMs, cost, retryCost])
    lease.left -= cost
    lease.remaining -= cost
    lease.used = true
    return { allowed: true, remaining: lease.remaining, resetS: secondsToNextWindow(nowMs, windowMs) }
  }

  refund(caller: string, window: number, cost: number): void {
    this.#channel.notify('giveBack', [this.#limit, caller, window, cost] satisfies RefundMessage)
  }

  async #requestLease(take: TakeMessage): Promise<RateDecision> {
    const { allowed, remaining, resetS, window, ahead } = await this.#channel.call<LeasedDecision>('take', take)
    const [, caller] = take
    const known = this.#leases.get(caller)
    // Several requests may have asked at the same time: their leases add up.
    const left = ahead + (known?.window === window ? known.left : 0)
    if (left > 0) this.#leases.set(caller, { window, left, remaining, used: true })
    return { allowed, remaining, resetS }
  }

  #refundIdle(): void {
    for (const [caller, lease] of this.#leases) {
      if (lease.used && lease.left > 0) {
        lease.used = false
        continue
      }
      this.#leases.delete(caller)
      if (lease.left > 0) this.refund(caller, lease.window, lease.left)
    }
  }
}
