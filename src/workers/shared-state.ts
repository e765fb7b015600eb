import type { IdempotentRequest } from '../http/idempotency/idempotency.js'
import { LocalReplyStore } from '../http/idempotency/reply-store.js'
import type { RateDecision } from '../lib/sliding-window.js'
import { LocalRateWindows } from '../ports/rate-windows.js'
import { decodeReply, type EncodedReply, encodeReply } from './idempotent-replies.js'
import type { Handler } from './rpc-channel.js'

export type TakeMessage = [limit: string, caller: string, nowMs: number, most: number, windowMs: number, cost: number]
/** What a worker has not used of what it was given ahead, in the window of that number. */
export type RefundMessage = [limit: string, caller: string, window: number, cost: number]

/** `ahead`: so much more has been counted, which the worker may give the same caller without asking. */
export interface LeasedDecision extends RateDecision {
  window: number
  ahead: number
}

/** Of what a caller has left, a worker gets so much ahead; of the last of it nothing, so that it goes to whoever is asked. */
const LEASE_SHARE = 1 / 16
const MAX_LEASE = 64
const UNLEASED_REMAINDER = 64

/**
 * What the workers of one machine have in common: one limit for each caller, one answer for each idempotency key. Kept by
 * the process that started them, so that whoever asks whichever worker is treated alike.
 */
export class SharedState {
  readonly #windows = new Map<string, LocalRateWindows>()
  readonly #replies = new LocalReplyStore()
  /** Keys whose first request is being answered, by the worker that answers it. */
  readonly #running = new Map<number, Set<string>>()

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
      forget: (scope: string) => {
        running.delete(scope)
        this.#replies.forget(scope)
      },
    }
  }

  /** What it was answering will never be answered: the keys are free for another try. */
  releaseWorker(worker: number): void {
    for (const scope of this.#running.get(worker) ?? []) this.#replies.forget(scope)
    this.#running.delete(worker)
  }

  #take([name, caller, nowMs, most, windowMs, cost]: TakeMessage): LeasedDecision {
    const windows = this.#windowsOf(name)
    const { allowed, remaining, resetS, window } = windows.take(caller, nowMs, most, windowMs, cost)
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
