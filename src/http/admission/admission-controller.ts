import { Counts, DecayingCounts } from './caller-counts.js'
import { Lane, type QueuedWaiter } from './lane.js'
import { isWork, unitsOf, WORK_KINDS, type WorkKind } from './work-kinds.js'

/** Why a request was shed: it waited too long, or too many were in flight. */
export type ShedReason = 'late' | 'crowded'

export interface AdmissionControllerOptions {
  /** Requests in flight in this process, the queued ones included. */
  maxInFlight?: number
  onShed?: (host: string, reason: ShedReason) => void
  /** Whether to admit nothing queued in the next turn of the event loop. */
  leavesTurn?: () => boolean
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
  /** Who sent it. A caller who wants much, or has had much lately, waits for the others. */
  caller: string
  /** `null`: not limited by kind. */
  kind: WorkKind | null
  admit(ticket: Ticket): void
  reject(): void
}

/** So many requests of one caller run at once while there are others: each may take a hundred times as long as what others ask for. */
const MAX_OF_ONE = 4
/** Open streams count too, and a thousand of them are not unusual. */
const MAX_IN_FLIGHT = 2000

/** A turn of the event loop admits no more after this time; the rest is queued. */
const TICK_BUDGET_MS = 5
const EXPIRY_CHECK_MS = 20

/** Decides which requests run now, wait or are shed. One for all public hosts of a process: they share the event loop. */
export class AdmissionController {
  readonly #maxInFlight: number
  readonly #onShed: (host: string, reason: ShedReason) => void
  readonly #leavesTurn: () => boolean
  readonly #lanes = new Map([null, ...WORK_KINDS].map((kind) => [kind, new Lane(kind, this.#placesFor(kind))]))
  /** Of work of all kinds. */
  readonly #running = new Counts()
  readonly #served = new DecayingCounts()
  readonly #timer: NodeJS.Timeout
  #tickStartedAt: number | null = null
  #isDraining = false
  /** For requests that have waited too long. */
  #checkedAt = performance.now()
  readonly #inFlight = new Counts()

  constructor({ maxInFlight = MAX_IN_FLIGHT, onShed = () => {}, leavesTurn = () => false }: AdmissionControllerOptions = {}) {
    this.#maxInFlight = maxInFlight
    this.#onShed = onShed
    this.#leavesTurn = leavesTurn
    this.#timer = setInterval(() => this.#rejectExpired(), EXPIRY_CHECK_MS).unref()
  }

  admit(waiter: Waiter): void {
    const lane = this.#laneOf(waiter)
    if (lane.isFullFor(waiter) || !(this.#inFlight.all < this.#maxInFlight || this.#makeRoomFor(waiter))) {
      this.#reject(waiter, 'crowded')
      return
    }
    const now = performance.now()
    if (this.#tickStartedAt === null) this.#startTick(now)
    const hasTime = now - (this.#tickStartedAt ?? now) < TICK_BUDGET_MS
    if (hasTime && lane.hasSlotFor(waiter.caller) && !this.#hasRunnable()) {
      this.#issueTicket(waiter)
      return
    }
    lane.push(waiter, now)
    this.#inFlight.add(waiter.caller, 1)
  }

  get inFlight(): number {
    return this.#inFlight.all
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #placesFor(kind: WorkKind | null): (caller: string) => boolean {
    if (!isWork(kind)) return () => true
    return (caller) => this.#running.of(caller) < MAX_OF_ONE || !this.#served.hasOthersThan(caller)
  }

  #laneOf({ kind }: Waiter): Lane {
    const lane = this.#lanes.get(kind)
    if (lane === undefined) throw new Error(`there is no kind ${kind}`)
    return lane
  }

  /** Of the caller that has most in flight, a queued request is shed, if that caller has more than the newcomer. */
  #makeRoomFor({ caller }: Waiter): boolean {
    let most = this.#inFlight.of(caller) + 1
    let greediest: QueuedWaiter | undefined
    for (const lane of this.#lanes.values())
      for (const queued of lane.queued) {
        const count = this.#inFlight.of(queued.caller)
        if (count <= most) continue
        most = count
        greediest = queued
      }
    if (greediest === undefined) return false
    this.#laneOf(greediest).remove(new Set([greediest]))
    this.#inFlight.add(greediest.caller, -1)
    this.#reject(greediest, 'crowded')
    return true
  }

  /** Whether a queued request could run now. */
  #hasRunnable(): boolean {
    for (const lane of this.#lanes.values()) if (lane.hasRunnable) return true
    return false
  }

  #issueTicket(waiter: Waiter): void {
    this.#inFlight.add(waiter.caller, 1)
    const giveBack = this.#laneOf(waiter).takeSlot(waiter)
    const { caller } = waiter
    const isCounted = isWork(waiter.kind)
    if (isCounted) {
      this.#running.add(caller, 1)
      this.#served.add(caller, performance.now())
    }
    let isReleased = false
    const releaseSlot = () => {
      if (isReleased) return
      isReleased = true
      giveBack()
      if (isCounted) this.#running.add(caller, -1)
      if (this.#hasRunnable() && this.#tickStartedAt === null && !this.#isDraining) this.#startTick(performance.now())
    }
    let isClosed = false
    const close = () => {
      releaseSlot()
      if (!isClosed) this.#inFlight.add(waiter.caller, -1)
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
    if (!this.#hasRunnable()) return
    if (this.#leavesTurn()) this.#startTick(now)
    else this.#drain(now + Math.max(TICK_BUDGET_MS, tookMs))
  }

  /** Admits queued requests one by one until time is up or no slot is free. */
  #drain(until: number): void {
    const next = this.#next(performance.now())
    this.#isDraining = next !== undefined
    if (next === undefined) return
    this.#laneOf(next).remove(new Set([next]))
    this.#inFlight.add(next.caller, -1)
    this.#issueTicket(next)
    // Continue after this request's synchronous work and its promise callbacks.
    queueMicrotask(() =>
      process.nextTick(() => {
        const now = performance.now()
        if (now < until) {
          this.#drain(until)
          return
        }
        this.#isDraining = false
        if (this.#hasRunnable() && this.#tickStartedAt === null) this.#startTick(now)
      }),
    )
  }

  /** Of each lane's next the one whose caller has the smallest share of it, by what its requests count. */
  #next(now: number): QueuedWaiter | undefined {
    let next: QueuedWaiter | undefined
    let least = Number.POSITIVE_INFINITY
    for (const [kind, lane] of this.#lanes) {
      const first = lane.next(now)
      const share = first === undefined ? Number.POSITIVE_INFINITY : lane.shareOf(first, now) * unitsOf(kind)
      if (first === undefined || share > least || (share === least && first.queuedAt >= (next?.queuedAt ?? 0))) continue
      next = first
      least = share
    }
    return next
  }

  #rejectExpired(): void {
    const now = performance.now()
    const heldMs = now - this.#checkedAt - EXPIRY_CHECK_MS
    this.#checkedAt = now
    for (const lane of this.#lanes.values()) {
      if (heldMs > 0) lane.stoodStill(heldMs, now)
      for (const late of lane.takeExpired(now)) {
        this.#inFlight.add(late.caller, -1)
        this.#reject(late, 'late')
      }
    }
  }

  #reject(waiter: Waiter, reason: ShedReason): void {
    this.#onShed(waiter.host, reason)
    waiter.reject()
  }
}
