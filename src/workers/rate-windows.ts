import type { Quota, RateDecision, RateWindows } from '../ports/rate-windows.js'
import { toDecision } from '../rate-limit/sliding-window.js'
import type { RpcChannel } from './rpc-channel.js'
import type { LeasedDecision, SettleMessage, TakeMessage } from './shared-state.js'

/** How often leases end: what is left of them may be needed by another worker. Shorter than a lease may last. */
const SETTLE_MS = 500

/** Requests of a caller that were counted in advance, as if they came at `until`. */
interface QuotaLease {
  quotas: readonly Quota[]
  until: number
  ahead: number
  used: number
  usedAt: number
  /** What was left of the limit when it was leased, as far as this worker knows. */
  remaining: number
}

/**
 * One limit that all workers share, seen from a worker. A call to the supervisor costs about as much as a response, so the
 * worker leases quota for callers far from their limit; near it, it asks for each request.
 */
export class WorkerRateWindows implements RateWindows {
  readonly #channel: RpcChannel
  readonly #limit: string
  readonly #leases = new Map<string, QuotaLease>()

  constructor(channel: RpcChannel, limit: string, settleMs = SETTLE_MS) {
    this.#channel = channel
    this.#limit = limit
    setInterval(() => {
      for (const caller of this.#leases.keys()) this.#settle(caller)
    }, settleMs).unref()
  }

  take(quotas: readonly Quota[], nowMs: number, cost: number, retryCost = cost): RateDecision | Promise<RateDecision> {
    const caller = callerIn(quotas)
    const lease = this.#leases.get(caller)
    if (lease === undefined || lease.used + cost > lease.ahead || nowMs > lease.until) {
      this.#settle(caller)
      return this.#requestLease([this.#limit, quotas, nowMs, cost, retryCost])
    }
    lease.used += cost
    lease.usedAt = nowMs
    return toDecision(true, lease.remaining - lease.used, 0)
  }

  async #requestLease(take: TakeMessage): Promise<RateDecision> {
    const { ahead, until, ...decision } = await this.#channel.call<LeasedDecision>('take', take)
    const [, quotas, nowMs] = take
    if (ahead > 0) {
      // Another request may have asked at the same time.
      this.#settle(callerIn(quotas))
      this.#leases.set(callerIn(quotas), { quotas, until, ahead, used: 0, usedAt: nowMs, remaining: decision.remaining })
    }
    return decision
  }

  /** Ends a lease: what was used of it counts from its last use, and the rest not at all. */
  #settle(caller: string): void {
    const lease = this.#leases.get(caller)
    if (lease === undefined) return
    this.#leases.delete(caller)
    const { quotas, until, ahead, usedAt, used } = lease
    this.#channel.notify('settle', [this.#limit, quotas, until, ahead, usedAt, used] satisfies SettleMessage)
  }
}

const callerIn = ([caller]: readonly Quota[]): string => caller?.key ?? ''
