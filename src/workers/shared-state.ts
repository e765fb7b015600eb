/** What the workers of one machine share, and how a worker reaches the shared replies. `rate-windows.ts` has its side of the limits. */

import type { RateDecision } from '../lib/sliding-window.js'
import { LocalRateWindows } from '../ports/rate-windows.js'
import type { BeginResult, IdempotentRequest, LocalReplyStore, ReplyStore, StoredReply } from '../ports/reply-store.js'
import type { Handler, RpcChannel } from './rpc-channel.js'

export type TakeMessage = [limit: string, caller: string, nowMs: number, most: number, windowMs: number, cost: number, retryCost: number]
/** What a worker has not used of its lease in one window. */
export type RefundMessage = [limit: string, caller: string, window: number, cost: number]

/** `ahead`: further requests of this caller that are counted already, so the worker may allow them without asking. */
export interface LeasedDecision extends RateDecision {
  window: number
  ahead: number
}

/** Lease a worker 1/16 of the remaining quota, at most 64; none of the last 64, so that no worker rejects what another holds. */
const LEASE_SHARE = 1 / 16
const MAX_LEASE = 64
const UNLEASED_REMAINDER = 64

/**
 * What the workers of one machine share: one limit per caller, one reply per idempotency key. Kept in the supervisor, so
 * that a caller is treated alike by every worker.
 */
export class SharedState {
  readonly #windows = new Map<string, LocalRateWindows>()
  readonly #replies: LocalReplyStore
  /** By worker: keys whose first request it is answering. */
  readonly #running = new Map<number, Set<string>>()

  constructor(replies: LocalReplyStore) {
    this.#replies = replies
  }

  handlersFor(worker: number): Record<string, Handler> {
    const running = new Set<string>()
    this.#running.set(worker, running)
    return {
      take: (take: TakeMessage): LeasedDecision => this.#take(take),
      giveBack: ([name, caller, window, cost]: RefundMessage) => this.#windowsOf(name).refund(caller, window, cost),
      begin: (request: IdempotentRequest) => {
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

  #take([name, caller, nowMs, most, windowMs, cost, retryCost]: TakeMessage): LeasedDecision {
    const windows = this.#windowsOf(name)
    const { allowed, remaining, resetS, window } = windows.take(caller, nowMs, most, windowMs, cost, retryCost)
    const ahead = allowed && remaining > UNLEASED_REMAINDER ? Math.min(MAX_LEASE, Math.floor(remaining * LEASE_SHARE)) : 0
    if (ahead > 0) windows.take(caller, nowMs, most, windowMs, ahead)
    return { allowed, remaining, resetS, window: window.number, ahead }
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
