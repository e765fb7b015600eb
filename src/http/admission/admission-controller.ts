import { ConcurrencyLimit } from './concurrency-limit.js'

/** Why a request was turned away. */
export type ShedReason = 'late' | 'crowded'

export interface AdmissionControllerOptions {
  /** Requests under way at the same time, in one process, those that wait for their turn included. */
  maxInFlight?: number
  /** Tells whoever counts it. */
  onShed?: (host: string, why: ShedReason) => void
}

/** Whoever was let in, until the answer is made, and until it is gone. */
export interface Ticket {
  /** Nothing more is wanted of the database. May be called again. */
  releaseSlot(): void
  close(): void
}

/**
 * What waits for nothing but the database, by what it takes there: a batch is up to ten reads, and a question some searches.
 * Each has its own limit, because each has its own idea of what is usual.
 */
export const WORK_KINDS = ['read', 'batch', 'question', 'tool'] as const
export type WorkKind = (typeof WORK_KINDS)[number]

/** Whoever comes: one of the two is called, once, at once or later. Functions instead of promises, because there may be thousands. */
export interface Waiter {
  host: string
  /** `null`: waits for something else, such as an event that is yet to come. */
  kind: WorkKind | null
  admit(ticket: Ticket): void
  reject(): void
}

/** Open streams are under way, too, and a thousand of them are nothing unusual. */
const MAX_IN_FLIGHT = 2000

/** A turn of the event loop that has worked so long leaves the rest to the next ones. */
const TICK_BUDGET_MS = 5
/**
 * A turn accepts one connection, and no more, whatever waits at the door (libuv does so since 1.45). With work in every
 * turn the last of some hundred newcomers would wait for seconds before anybody even sees them. So as long as newcomers
 * come, so many turns in a row do nothing but let them in.
 */
const MAX_ACCEPT_ONLY_TICKS = 32

/**
 * How long a request may wait for its turn: a burst is worked off, however late it comes, as after a process was frozen.
 * But where somebody has been waiting all the time for a while it is no burst, and whoever comes then would only make all the
 * others wait. (Controlled delay, and the last come first served, as in Maurer, "Fail at Scale", ACM Queue 13.8.)
 */
const BURST_WAIT_MS = 100
const STANDING_AFTER_MS = 50
const STANDING_WAIT_MS = 30
/** Nor is there room for bursts when somebody has just been turned away. */
const RECENT_REJECTION_MS = 300
/** So few who wait are no crowd, however long it takes: a process that is starved for a moment owes them an answer. */
const MIN_QUEUE = 8
const EXPIRY_CHECK_MS = 20

interface QueuedWaiter extends Waiter {
  deadline: number
}

/** Decides who is served now, who waits a moment, and who hears no. One for all public hosts of a process: they share the event loop. */
export class AdmissionController {
  readonly #maxInFlight: number
  readonly #shed: (host: string, why: ShedReason) => void
  readonly #slots = new Map(WORK_KINDS.map((kind) => [kind, { breadth: new ConcurrencyLimit(), underWay: 0 }]))
  readonly #timer: NodeJS.Timeout
  readonly #queue: QueuedWaiter[] = []
  #lastEmptyAt = performance.now()
  #lastExpiredAt = Number.NEGATIVE_INFINITY
  #tickStartedAt: number | null = null
  #isDraining = false
  #hasNewConnection = false
  #acceptOnlyTicks = 0
  #inFlight = 0

  constructor({ maxInFlight = MAX_IN_FLIGHT, onShed = () => {} }: AdmissionControllerOptions = {}) {
    this.#maxInFlight = maxInFlight
    this.#shed = onShed
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
    this.#inFlight += 1
    const { host, kind } = waiter
    const deadline = now + (this.#hasStandingQueue(now) ? STANDING_WAIT_MS : BURST_WAIT_MS)
    this.#queue.push({ host, kind, deadline, admit: (ticket) => waiter.admit(ticket), reject: () => waiter.reject() })
  }

  /** For a request that is answered at once: dozens of them pass in a millisecond, which is less than it takes to say no. */
  hasCapacity(): boolean {
    return this.#inFlight < this.#maxInFlight
  }

  /** Somebody has connected, and there may be others behind. */
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
    const places = this.#slotsFor(waiter)
    return places === undefined || places.underWay < places.breadth.limit
  }

  #issueTicket(waiter: Waiter): void {
    this.#inFlight += 1
    const began = performance.now()
    const places = this.#slotsFor(waiter)
    if (places !== undefined) places.underWay += 1
    let isServed = false
    const releaseSlot = () => {
      if (isServed || places === undefined) return
      isServed = true
      places.breadth.record(performance.now() - began, places.underWay)
      places.underWay -= 1
      if (this.#queue.length > 0 && this.#tickStartedAt === null && !this.#isDraining) this.#startTick(performance.now())
    }
    const close = () => {
      releaseSlot()
      this.#inFlight -= 1
    }
    waiter.admit({ releaseSlot, close })
  }

  /** Its end comes after everything that had arrived by now has been looked at. */
  #startTick(now: number): void {
    this.#tickStartedAt = now
    setImmediate(() => this.#endTick())
  }

  /** Those who wait get as much time as it took to look at everybody else, or saying no would be all that is done. */
  #endTick(): void {
    const now = performance.now()
    const tookMs = now - (this.#tickStartedAt ?? now)
    this.#tickStartedAt = null
    this.#rejectExpired()
    if (this.#queue.length === 0) return
    const isForNewcomers = this.#hasNewConnection && this.#acceptOnlyTicks < MAX_ACCEPT_ONLY_TICKS
    this.#hasNewConnection = false
    this.#acceptOnlyTicks = isForNewcomers ? this.#acceptOnlyTicks + 1 : 0
    if (isForNewcomers) this.#startTick(now)
    else this.#drainQueue(now + Math.max(TICK_BUDGET_MS, tookMs), this.#hasStandingQueue(now))
  }

  /** One after the other, until the time is up or nobody is left for whom there is room. */
  #drainQueue(until: number, isStanding: boolean): void {
    const index = this.#nextIndex(isStanding)
    this.#isDraining = index >= 0
    // Nobody, until somebody has been served.
    if (index < 0) return
    const [next] = this.#queue.splice(index, 1)
    this.#inFlight -= 1
    if (next !== undefined) this.#issueTicket(next)
    // After all that can be done for this one without waiting has been done.
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
   * In order, as long as everybody's turn comes. Where it does not, the last first: most of them will hear no anyway, and whoever
   * is served then has not waited first.
   */
  #nextIndex(isStanding: boolean): number {
    const hasRoom = (waiting: QueuedWaiter) => this.#hasFreeSlot(waiting)
    return isStanding ? this.#queue.findLastIndex(hasRoom) : this.#queue.findIndex(hasRoom)
  }

  #rejectExpired(): void {
    const now = performance.now()
    while (this.#queue.length > MIN_QUEUE && (this.#queue[0]?.deadline ?? now) < now) {
      const late = this.#queue.shift()
      this.#lastExpiredAt = now
      this.#inFlight -= 1
      if (late !== undefined) this.#reject(late, 'late')
    }
    if (this.#queue.length === 0) this.#lastEmptyAt = now
  }

  #reject(waiter: Waiter, why: ShedReason): void {
    this.#shed(waiter.host, why)
    waiter.reject()
  }
}
