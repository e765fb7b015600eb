import type { Waiter } from './admission-controller.js'
import { Counts, DecayingCounts } from './caller-counts.js'
import { type KindLimit, limitOfKind, unitsOf, type WorkKind } from './work-kinds.js'

/**
 * How long a request may be queued. A burst gets time to drain. A queue that has not been empty for a while is no burst but
 * a standing queue: its deadline is shorter and the newest request runs first. (Controlled delay and adaptive LIFO, as in
 * Maurer, "Fail at Scale", ACM Queue 13.8.)
 */
const BURST_WAIT_MS = 100
const STANDING_AFTER_MS = 50
/** However long the process stood still. */
const LONGEST_WAIT_MS = 600
const STANDING_WAIT_MS = 30
/** The queue also counts as standing for this long after a request was shed. */
const RECENT_REJECTION_MS = 300
/**
 * A queue this short is never shed, however long it takes: the process may only be starved for a moment. Of pictures it is longer, because
 * each is done at once and a browser does not ask again.
 */
const MIN_QUEUE_UNITS = 320
/** Of the slots, for one caller while there are others: what one asks for may take a hundred times as long as what others do. */
const SHARE_OF_ONE = 1 / 4

export interface QueuedWaiter extends Waiter {
  queuedAt: number
  deadline: number
}

/** The requests of one kind: those that run hold slots, the others are queued. What holds up one kind is no reason to shed another. */
export class Lane {
  readonly #limit: KindLimit | null
  readonly #hasPlace: (caller: string) => boolean
  readonly #minQueue: number
  readonly #running = new Counts()
  readonly #queued = new Counts()
  readonly #served = new DecayingCounts()
  #queue: QueuedWaiter[] = []
  #lastEmptyAt = performance.now()
  #lastExpiredAt = Number.NEGATIVE_INFINITY

  /** `null`: as many as come may run. `hasPlace`: whether a caller may have another request running, of any kind. */
  constructor(kind: WorkKind | null, hasPlace: (caller: string) => boolean) {
    this.#hasPlace = hasPlace
    this.#limit = kind === null ? null : limitOfKind(kind)
    this.#minQueue = MIN_QUEUE_UNITS / unitsOf(kind)
  }

  get isEmpty(): boolean {
    return this.#queue.length === 0
  }

  get queued(): readonly QueuedWaiter[] {
    return this.#queue
  }

  /** Whether a request of this caller may run now. */
  hasSlotFor(caller: string): boolean {
    if (this.#limit === null) return true
    const { limit } = this.#limit
    if (this.#running.all >= limit || !this.#hasPlace(caller)) return false
    const isAlone = !this.#served.hasOthersThan(caller)
    return isAlone || this.#running.of(caller) < Math.max(1, Math.floor(limit * SHARE_OF_ONE))
  }

  /** Whether a queued request may run now. */
  get hasRunnable(): boolean {
    for (const caller of this.#queued.callers()) if (this.hasSlotFor(caller)) return true
    return false
  }

  /** Whether this caller has as many of this kind as one may have. */
  isFullFor({ caller }: Waiter): boolean {
    const { maxPerCaller = Number.POSITIVE_INFINITY } = this.#limit ?? {}
    return this.#running.of(caller) + this.#queued.of(caller) >= maxPerCaller
  }

  /** Takes a slot, and returns how to give it back. */
  takeSlot({ caller }: Waiter): () => void {
    const startedAt = performance.now()
    this.#running.add(caller, 1)
    this.#served.add(caller, startedAt)
    return () => {
      this.#limit?.record(performance.now() - startedAt, this.#running.all)
      this.#running.add(caller, -1)
    }
  }

  push(waiter: Waiter, now: number): void {
    if (this.isEmpty) this.#lastEmptyAt = now
    const deadline = now + (this.#isStanding(now) ? STANDING_WAIT_MS : BURST_WAIT_MS)
    this.#queue.push({ ...waiter, queuedAt: now, deadline })
    this.#queued.add(waiter.caller, 1)
  }

  remove(removed: ReadonlySet<QueuedWaiter>): void {
    this.#queue = this.#queue.filter((queued) => !removed.has(queued))
    for (const { caller } of removed) this.#queued.add(caller, -1)
  }

  /**
   * Of the caller with the smallest share the oldest; in a standing queue the newest: most of the older requests
   * will be shed anyway, and the newest has not waited yet.
   */
  next(now: number): QueuedWaiter | undefined {
    const isStanding = this.#isStanding(now)
    const weight = this.#served.weightAt(now)
    let next: QueuedWaiter | undefined
    let least = Number.POSITIVE_INFINITY
    for (const queued of this.#queue) {
      const share = this.#weigh(queued, weight)
      if (share > least || (share === least && !isStanding) || !this.hasSlotFor(queued.caller)) continue
      next = queued
      least = share
    }
    return next
  }

  /** The process was busy with one thing for so long. What was queued meanwhile is not late for that, within bounds. */
  stoodStill(ms: number, now: number): void {
    for (const queued of this.#queue) {
      const { deadline, queuedAt } = queued
      queued.deadline = Math.max(deadline, Math.min(deadline + Math.min(ms, now - queuedAt), queuedAt + LONGEST_WAIT_MS))
    }
  }

  /** For each request that has waited too long one is shed: the oldest of the caller with the greatest share, who made it long. */
  takeExpired(now: number): ReadonlySet<QueuedWaiter> {
    const excess = this.#queue.length - this.#minQueue
    const expired = excess > 0 ? this.#queue.filter(({ deadline }) => deadline < now).length : 0
    const weight = this.#served.weightAt(now)
    const byCaller = expired > 0 ? this.#queue.toSorted((a, b) => this.#weigh(b, weight) - this.#weigh(a, weight)) : []
    const late = new Set(byCaller.slice(0, Math.min(expired, excess)))
    if (late.size > 0) {
      this.#lastExpiredAt = now
      this.remove(late)
    }
    if (this.isEmpty) this.#lastEmptyAt = now
    return late
  }

  /** What its caller wants and has had lately, in requests. One who comes back at once is not a newcomer. */
  shareOf(waiter: Waiter, now: number): number {
    const weight = this.#served.weightAt(now)
    return this.#weigh(waiter, weight) / weight
  }

  #weigh({ caller }: Waiter, weight: number): number {
    return this.#queued.of(caller) * weight + this.#served.of(caller)
  }

  #isStanding(now: number): boolean {
    return now - this.#lastEmptyAt > STANDING_AFTER_MS || now - this.#lastExpiredAt < RECENT_REJECTION_MS
  }
}
