import { limitOfKind, WORK_KINDS, type WorkKind } from './work-kinds.js'

/** Why a request was shed: it waited too long, or too many were in flight. */
export type ShedReason = 'late' | 'crowded'

export interface AdmissionControllerOptions {
  /** Requests in flight in this process, the queued ones included. */
  maxInFlight?: number
  onShed?: (host: string, reason: ShedReason) => void
}

/** Held by an admitted request. */
export interface Ticket {
  /** The request needs no more of the database. May be called again. */
  releaseSlot(): void
  /** The answer is complete, or the caller hung up. May be called again. */
  close(): void
}

/** An arriving request: `admit` or `reject` is called once, now or later. Callbacks, not promises: there may be thousands. */
export interface Waiter {
  host: string
  /** Who sent it. A caller with much in the queue waits for those with little. */
  caller: string
  /** `null`: not limited by kind. */
  kind: WorkKind | null
  admit(ticket: Ticket): void
  reject(): void
}

/** Open streams count too, and a thousand of them are not unusual. */
const MAX_IN_FLIGHT = 2000

/** A turn of the event loop admits no more after this time; the rest is queued. */
const TICK_BUDGET_MS = 5
/**
 * Since 1.45, libuv accepts one connection per turn. With work in every turn, the last of some hundred new connections would
 * wait for seconds before its request is even read. So while connections arrive, up to this many turns in a row only accept.
 */
const MAX_ACCEPT_ONLY_TICKS = 32

/**
 * How long a request may be queued. A burst gets time to drain. A queue that has not been empty for a while is no burst but
 * a standing queue: its deadline is shorter and the newest request runs first. (Controlled delay and adaptive LIFO, as in
 * Maurer, "Fail at Scale", ACM Queue 13.8.)
 */
const BURST_WAIT_MS = 100
const STANDING_AFTER_MS = 50
const STANDING_WAIT_MS = 30
/** The queue also counts as standing for this long after a request was shed. */
const RECENT_REJECTION_MS = 300
/** A queue this short is never shed, however long it takes: the process may only be starved for a moment. */
const MIN_QUEUE = 8
const EXPIRY_CHECK_MS = 20

interface QueuedWaiter extends Waiter {
  deadline: number
}

/** Decides which requests run now, wait or are shed. One for all public hosts of a process: they share the event loop. */
export class AdmissionController {
  readonly #maxInFlight: number
  readonly #onShed: (host: string, reason: ShedReason) => void
  readonly #slots = new Map(WORK_KINDS.map((kind) => [kind, { concurrency: limitOfKind(kind), inUse: 0 }]))
  readonly #timer: NodeJS.Timeout
  #queue: QueuedWaiter[] = []
  readonly #queuedBy = new Map<string, number>()
  #lastEmptyAt = performance.now()
  #lastExpiredAt = Number.NEGATIVE_INFINITY
  #tickStartedAt: number | null = null
  #isDraining = false
  #hasNewConnection = false
  #acceptOnlyTicks = 0
  #inFlight = 0

  constructor({ maxInFlight = MAX_IN_FLIGHT, onShed = () => {} }: AdmissionControllerOptions = {}) {
    this.#maxInFlight = maxInFlight
    this.#onShed = onShed
    this.#timer = setInterval(() => this.#rejectExpired(), EXPIRY_CHECK_MS).unref()
  }

  admit(waiter: Waiter): void {
    if (!this.hasCapacity()) {
      this.#reject(waiter, 'crowded')
      return
    }
    const now = performance.now()
    if (this.#tickStartedAt === null) this.#startTick(now)
    if (this.#queue.length === 0) {
      this.#lastEmptyAt = now
      if (now - (this.#tickStartedAt ?? now) < TICK_BUDGET_MS && this.#hasFreeSlot(waiter)) {
        this.#issueTicket(waiter)
        return
      }
    }
    const deadline = now + (this.#hasStandingQueue(now) ? STANDING_WAIT_MS : BURST_WAIT_MS)
    this.#queue.push({ ...waiter, deadline })
    this.#countQueued(waiter, 1)
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** The only check for a cached read: sending it costs less than queueing or rejecting it. */
  hasCapacity(): boolean {
    return this.#inFlight < this.#maxInFlight
  }

  /** A connection was accepted, and more may be pending. */
  noteConnection(): void {
    this.#hasNewConnection = true
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #hasStandingQueue(now: number): boolean {
    return now - this.#lastEmptyAt > STANDING_AFTER_MS || now - this.#lastExpiredAt < RECENT_REJECTION_MS
  }

  #slotsFor({ kind }: Waiter) {
    return kind === null ? undefined : this.#slots.get(kind)
  }

  #hasFreeSlot(waiter: Waiter): boolean {
    const slots = this.#slotsFor(waiter)
    return slots === undefined || slots.inUse < slots.concurrency.limit
  }

  #issueTicket(waiter: Waiter): void {
    this.#inFlight += 1
    const startedAt = performance.now()
    const slots = this.#slotsFor(waiter)
    if (slots !== undefined) slots.inUse += 1
    let isReleased = false
    const releaseSlot = () => {
      if (isReleased || slots === undefined) return
      isReleased = true
      slots.concurrency.record(performance.now() - startedAt, slots.inUse)
      slots.inUse -= 1
      if (this.#queue.length > 0 && this.#tickStartedAt === null && !this.#isDraining) this.#startTick(performance.now())
    }
    let isClosed = false
    const close = () => {
      releaseSlot()
      if (!isClosed) this.#inFlight -= 1
      isClosed = true
    }
    waiter.admit({ releaseSlot, close })
  }

  /** The tick ends after all requests that have arrived by now were handled. */
  #startTick(now: number): void {
    this.#tickStartedAt = now
    setImmediate(() => this.#endTick())
  }

  /** Queued requests get at least as much time as the arriving ones took, or shedding would be all the work done. */
  #endTick(): void {
    const now = performance.now()
    const tookMs = now - (this.#tickStartedAt ?? now)
    this.#tickStartedAt = null
    this.#rejectExpired()
    if (this.#queue.length === 0) return
    const isAcceptOnly = this.#hasNewConnection && this.#acceptOnlyTicks < MAX_ACCEPT_ONLY_TICKS
    this.#hasNewConnection = false
    this.#acceptOnlyTicks = isAcceptOnly ? this.#acceptOnlyTicks + 1 : 0
    if (isAcceptOnly) this.#startTick(now)
    else this.#drainQueue(now + Math.max(TICK_BUDGET_MS, tookMs), this.#hasStandingQueue(now))
  }

  /** Admits queued requests one by one until time is up or no slot is free. */
  #drainQueue(until: number, isStanding: boolean): void {
    const index = this.#nextIndex(isStanding)
    this.#isDraining = index >= 0
    if (index < 0) return
    const [next] = this.#queue.splice(index, 1)
    if (next !== undefined) {
      this.#countQueued(next, -1)
      this.#issueTicket(next)
    }
    // Continue after this request's synchronous work and its promise callbacks.
    queueMicrotask(() =>
      process.nextTick(() => {
        const now = performance.now()
        if (now < until) {
          this.#drainQueue(until, isStanding)
          return
        }
        this.#isDraining = false
        if (this.#queue.length > 0 && this.#tickStartedAt === null) this.#startTick(now)
      }),
    )
  }

  /**
   * Of the caller with least in the queue the oldest; in a standing queue the newest: most of the older requests will be shed
   * anyway, and the newest has not waited yet.
   */
  #nextIndex(isStanding: boolean): number {
    let next = -1
    let least = Number.POSITIVE_INFINITY
    this.#queue.forEach((queued, index) => {
      const count = this.#queuedWith(queued)
      if (count > least || (count === least && !isStanding) || !this.#hasFreeSlot(queued)) return
      next = index
      least = count
    })
    return next
  }

  /** For each request that has waited too long one is shed: the oldest of the caller with most in the queue, who made it long. */
  #rejectExpired(): void {
    const now = performance.now()
    const excess = this.#queue.length - MIN_QUEUE
    const expired = excess > 0 ? this.#queue.filter(({ deadline }) => deadline < now).length : 0
    if (expired > 0) {
      const byCaller = this.#queue.toSorted((a, b) => this.#queuedWith(b) - this.#queuedWith(a))
      const late = new Set(byCaller.slice(0, Math.min(expired, excess)))
      this.#queue = this.#queue.filter((queued) => !late.has(queued))
      this.#lastExpiredAt = now
      for (const queued of late) {
        this.#countQueued(queued, -1)
        this.#reject(queued, 'late')
      }
    }
    if (this.#queue.length === 0) this.#lastEmptyAt = now
  }

  #queuedWith({ caller }: Waiter): number {
    return this.#queuedBy.get(caller) ?? 0
  }

  #countQueued({ caller }: Waiter, change: 1 | -1): void {
    this.#inFlight += change
    const count = (this.#queuedBy.get(caller) ?? 0) + change
    if (count === 0) this.#queuedBy.delete(caller)
    else this.#queuedBy.set(caller, count)
  }

  #reject(waiter: Waiter, reason: ShedReason): void {
    this.#onShed(waiter.host, reason)
    waiter.reject()
  }
}
