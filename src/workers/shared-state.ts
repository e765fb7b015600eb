/** What the workers of one machine share, and how a worker reaches it. */
import type { LocalReplyStore } from '../operations/kept-replies.js'
import type { Quota, RateDecision, RateWindows } from '../ports/rate-windows.js'
import type { BeginResult, IdempotentRequest, ReplyStore, StoredReply } from '../ports/reply-store.js'
import { LocalRateWindows, toDecision } from '../rate-limit/local-rate-windows.js'
import type { Handler, RpcChannel } from './rpc-channel.js'

type TakeMessage = [limit: string, quotas: readonly Quota[], nowMs: number, cost: number, retryCost: number]
/** What a worker has used of a lease, and when it did so last. */
type SettleMessage = [limit: string, quotas: readonly Quota[], until: number, ahead: number, usedAt: number, used: number]

/** `ahead`: further requests of this caller that are counted already, so the worker may allow them without asking, `until` then. */
interface LeasedDecision extends RateDecision {
  ahead: number
  until: number
}

/** Lease a worker 1/16 of the remaining quota, at most 64; none of the last 64, so that no worker rejects what another holds. */
const LEASE_SHARE = 1 / 16
const MAX_LEASE = 64
const UNLEASED_REMAINDER = 64
/** They count as if they came at the end of the lease, so that never more than the limit passes in a minute. */
const LEASE_MS = 1000

/**
 * What the workers of one machine share: one limit per caller, one reply per idempotency key. Kept in the supervisor, so
 * that a caller is treated alike by every worker.
 */
export class SharedState {
  readonly #windows = new Map<string, LocalRateWindows>()
  readonly #replies: LocalReplyStore
  readonly #hearRemovals: () => Promise<unknown>
  /** By worker: keys whose first request it is answering. */
  readonly #running = new Map<number, Set<string>>()

  constructor(replies: LocalReplyStore, hearRemovals: () => Promise<unknown> = async () => {}) {
    this.#replies = replies
    this.#hearRemovals = hearRemovals
  }

  handlersFor(worker: number): Record<string, Handler> {
    const running = new Set<string>()
    this.#running.set(worker, running)
    return {
      take: (take: TakeMessage): LeasedDecision => this.#take(take),
      settle: ([name, ...lease]: SettleMessage) => this.#windowsOf(name).settle(...lease),
      begin: async (request: IdempotentRequest) => {
        // A removal that is heard of later would clear the reply to this request.
        await this.#hearRemovals().catch(() => {})
        const begun = this.#replies.begin(request)
        if (begun === 'first') running.add(request.scope)
        return typeof begun === 'string' ? begun : encodeReply(begun)
      },
      keep: ([scope, answer]: [string, EncodedReply]) => {
        running.delete(scope)
        this.#replies.keep(scope, decodeReply(answer))
      },
      drop: (scope: string) => this.#replies.drop(scope),
      forget: (scope: string) => {
        running.delete(scope)
        this.#replies.forget(scope)
      },
    }
  }

  /** A worker has exited: the keys of its unanswered requests are free for another try. */
  releaseWorker(worker: number): void {
    for (const scope of this.#running.get(worker) ?? []) this.#replies.forget(scope)
    this.#running.delete(worker)
  }

  #take([name, quotas, nowMs, cost, retryCost]: TakeMessage): LeasedDecision {
    const windows = this.#windowsOf(name)
    const decision = windows.take(quotas, nowMs, cost, retryCost)
    const { allowed, remaining } = decision
    const ahead = allowed && remaining > UNLEASED_REMAINDER ? Math.min(MAX_LEASE, Math.floor(remaining * LEASE_SHARE)) : 0
    const until = nowMs + LEASE_MS
    if (ahead > 0) windows.count(quotas, until, ahead)
    return { ...decision, ahead, until }
  }

  #windowsOf(name: string): LocalRateWindows {
    let windows = this.#windows.get(name)
    if (windows === undefined) {
      windows = new LocalRateWindows()
      this.#windows.set(name, windows)
    }
    return windows
  }
}

/** The reply store of a worker: the replies are in the supervisor, so that all workers share them. */
export const workerReplyStore = (channel: RpcChannel): ReplyStore => ({
  async begin(request): Promise<BeginResult> {
    const begun = await channel.call<Exclude<BeginResult, object> | EncodedReply>('begin', request)
    return typeof begun === 'string' ? begun : decodeReply(begun)
  },
  keep: (scope, answer) => channel.notify('keep', [scope, encodeReply(answer)]),
  forget: (scope) => channel.notify('forget', scope),
  drop: (scope) => channel.notify('drop', scope),
})

/** Messages between processes are JSON, so the body is base64. */
interface EncodedReply extends Omit<StoredReply, 'body'> {
  body: string
}

const encodeReply = ({ body, ...rest }: StoredReply): EncodedReply => ({ ...rest, body: body.toString('base64') })

const decodeReply = ({ body, ...rest }: EncodedReply): StoredReply => ({ ...rest, body: Buffer.from(body, 'base64') })

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
