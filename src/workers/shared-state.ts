import type { IdempotentRequest } from '../http/idempotency/idempotency-key.js'
import { KeptAnswers } from '../http/idempotency/reply-store.js'
import type { Verdict } from '../lib/sliding-window.js'
import { OwnRateWindows } from '../ports/rate-windows.js'
import { type PackedAnswer, pack, unpack } from './packed-answer.js'
import type { Handler } from './rpc-channel.js'

export type Take = [limit: string, caller: string, nowMs: number, most: number, windowMs: number, cost: number]
/** What a worker has not used of what it was given ahead, in the window of that number. */
export type GiveBack = [limit: string, caller: string, window: number, cost: number]

/** `ahead`: so much more has been counted, which the worker may give the same caller without asking. */
export interface Taken extends Verdict {
  window: number
  ahead: number
}

/** Of what a caller has left, a worker gets so much ahead; of the last of it nothing, so that it goes to whoever is asked. */
const AHEAD_SHARE = 1 / 16
const MAX_AHEAD = 64
const LAST = 64

/**
 * What the workers of one machine have in common: one limit for each caller, one answer for each idempotency key. Kept by
 * the process that started them, so that whoever asks whichever worker is treated alike.
 */
export class Ledger {
  readonly #windows = new Map<string, OwnRateWindows>()
  readonly #answers = new KeptAnswers()
  /** Keys whose first request is being answered, by the worker that answers it. */
  readonly #running = new Map<number, Set<string>>()

  handlersFor(worker: number): Record<string, Handler> {
    const running = new Set<string>()
    this.#running.set(worker, running)
    return {
      take: (take: Take): Taken => this.#take(take),
      giveBack: ([name, caller, window, cost]: GiveBack) => this.#windowsOf(name).giveBack(caller, window, cost),
      begin: (request: IdempotentRequest) => {
        const begun = this.#answers.begin(request)
        if (begun === 'first') running.add(request.scope)
        return typeof begun === 'string' ? begun : pack(begun)
      },
      keep: ([scope, answer]: [string, PackedAnswer]) => {
        running.delete(scope)
        this.#answers.keep(scope, unpack(answer))
      },
      forget: (scope: string) => {
        running.delete(scope)
        this.#answers.forget(scope)
      },
    }
  }

  /** What it was answering will never be answered: the keys are free for another try. */
  lost(worker: number): void {
    for (const scope of this.#running.get(worker) ?? []) this.#answers.forget(scope)
    this.#running.delete(worker)
  }

  #take([name, caller, nowMs, most, windowMs, cost]: Take): Taken {
    const windows = this.#windowsOf(name)
    const { allowed, remaining, resetS, window } = windows.take(caller, nowMs, most, windowMs, cost)
    const ahead = allowed && remaining > LAST ? Math.min(MAX_AHEAD, Math.floor(remaining * AHEAD_SHARE)) : 0
    if (ahead > 0) windows.take(caller, nowMs, most, windowMs, ahead)
    return { allowed, remaining, resetS, window: window.number, ahead }
  }

  #windowsOf(name: string): OwnRateWindows {
    let windows = this.#windows.get(name)
    if (windows === undefined) {
      windows = new OwnRateWindows()
      this.#windows.set(name, windows)
    }
    return windows
  }
}
