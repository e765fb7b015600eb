/** What the workers of one machine share, and how a worker reaches the shared replies. `rate-windows.ts` has its side of the limits. */

import type { LocalReplyStore } from '../operations/kept-replies.js'
import type { Quota, RateDecision } from '../ports/rate-windows.js'
import type { BeginResult, IdempotentRequest, ReplyStore, StoredReply } from '../ports/reply-store.js'
import { LocalRateWindows } from '../rate-limit/local-rate-windows.js'
import type { Handler, RpcChannel } from './rpc-channel.js'

export type TakeMessage = [limit: string, quotas: readonly Quota[], nowMs: number, cost: number, retryCost: number]
/** What a worker has used of a lease, and when it did so last. */
export type SettleMessage = [limit: string, quotas: readonly Quota[], until: number, ahead: number, usedAt: number, used: number]

/** `ahead`: further requests of this caller that are counted already, so the worker may allow them without asking, `until` then. */
export interface LeasedDecision extends RateDecision {
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
