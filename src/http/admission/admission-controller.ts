import { ServiceError } from '../../contract/errors.js'
import { Breadth } from './concurrency-limit.js'

/** Why a request was turned away. */
export type Strain = 'late' | 'crowded'

export interface OverloadOptions {
  /** Requests under way at the same time, in one process, those that wait for their turn included. */
  maxInFlight?: number
  /** Tells whoever counts it. */
  shed?: (host: string, why: Strain) => void
}

/** Whoever was let in, until the answer is made, and until it is gone. */
export interface Guest {
  /** Nothing more is wanted of the database. May be called again. */
  served(): void
  left(): void
}

/**
 * What waits for nothing but the database, by what it takes there: a batch is up to ten reads, and a question some searches.
 * Each has its own limit, because each has its own idea of what is usual.
 */
export const KINDS = ['read', 'batch', 'question', 'tool'] as const
export type Kind = (typeof KINDS)[number]

/** Whoever comes: one of the two is called, once, at once or later. Functions instead of promises, because there may be thousands. */
export interface Visitor {
  host: string
  /** `null`: waits for something else, such as an event that is yet to come. */
  kind: Kind | null
  come(guest: Guest): void
  go(): void
}

/** Open streams are under way, too, and a thousand of them are nothing unusual. */
const MAX_IN_FLIGHT = 2000

/** A turn of the event loop that has worked so long leaves the rest to the next ones. */
const TURN_MS = 5
/**
 * A turn accepts one connection, and no more, whatever waits at the door (libuv does so since 1.45). With work in every
 * turn the last of some hundred newcomers would wait for seconds before anybody even sees them. So as long as newcomers
 * come, so many turns in a row do nothing but let them in.
 */
const NEWCOMERS_AT_A_TIME = 32

/**
 * How long a request may wait for its turn: a burst is worked off, however late it comes, as after a process was frozen.
 * But where somebody has been waiting all the time for a while it is no burst, and whoever comes then would only make all the
 * others wait. (Controlled delay, and the last come first served, as in Maurer, "Fail at Scale", ACM Queue 13.8.)
 */
const BURST_MS = 100
const STANDING_AFTER_MS = 50
const STANDING_MS = 30
/** Nor is there room for bursts when somebody has just been turned away. */
const STRAINED_MS = 300
/** So few who wait are no crowd, however long it takes: a process that is starved for a moment owes them an answer. */
const NO_CROWD = 8
const TICK_MS = 20

interface Waiting extends Visitor {
  until: number
}

export const RETRY_AFTER_S = 1

/** Turned away at the door, before any work. Not a failure of ours: it is counted, but not complained about. */
export class OverloadedError extends ServiceError {
  override name = 'OverloadedError'

  constructor() {
    super('upstream_unavailable', 'There is too much to do right now: try again in a moment.', { retryAfterS: RETRY_AFTER_S })
  }
}

/** Decides who is served now, who waits a moment, and who hears no. One for all public hosts of a process: they share the event loop. */
export class Overload {
  readonly #maxInFlight: number
  readonly #shed: (host: string, why: Strain) => void
  readonly #places = new Map(KINDS.map((kind) => [kind, { breadth: new Breadth(), underWay: 0 }]))
  readonly #timer: NodeJS.Timeout
  readonly #waiting: Waiting[] = []
  #lastNoneWaited = performance.now()
  #lastDismissed = Number.NEGATIVE_INFINITY
  #turnBegan: number | null = null
  #isLettingIn = false
  #hasNewcomer = false
  #turnsForNewcomers = 0
  #inFlight = 0

  constructor({ maxInFlight = MAX_IN_FLIGHT, shed = () => {} }: OverloadOptions = {}) {
    this.#maxInFlight = maxInFlight
    this.#shed = shed
    this.#timer = setInterval(() => this.#dismissLate(), TICK_MS).unref()
  }

  enter(visitor: Visitor): void {
    if (!this.lets()) {
      this.#turnAway(visitor, 'crowded')
      return
    }
    const now = performance.now()
    if (this.#turnBegan === null) this.#beginTurn(now)
    if (this.#waiting.length === 0) {
      this.#lastNoneWaited = now
      if (now - (this.#turnBegan ?? now) < TURN_MS && this.#hasRoomFor(visitor)) {
        this.#welcome(visitor)
        return
      }
    }
    this.#inFlight += 1
    const { host, kind } = visitor
    const until = now + (this.#isStanding(now) ? STANDING_MS : BURST_MS)
    this.#waiting.push({ host, kind, until, come: (guest) => visitor.come(guest), go: () => visitor.go() })
  }

  /** For a request that is answered at once: dozens of them pass in a millisecond, which is less than it takes to say no. */
  lets(): boolean {
    return this.#inFlight < this.#maxInFlight
  }

  /** Somebody has connected, and there may be others behind. */
  connected(): void {
    this.#hasNewcomer = true
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #isStanding(now: number): boolean {
    return now - this.#lastNoneWaited > STANDING_AFTER_MS || now - this.#lastDismissed < STRAINED_MS
  }

  #placesFor({ kind }: Visitor) {
    return kind === null ? undefined : this.#places.get(kind)
  }

  #hasRoomFor(visitor: Visitor): boolean {
    const places = this.#placesFor(visitor)
    return places === undefined || places.underWay < places.breadth.limit
  }

  #welcome(visitor: Visitor): void {
    this.#inFlight += 1
    const began = performance.now()
    const places = this.#placesFor(visitor)
    if (places !== undefined) places.underWay += 1
    let isServed = false
    const served = () => {
      if (isServed || places === undefined) return
      isServed = true
      places.breadth.took(performance.now() - began, places.underWay)
      places.underWay -= 1
      if (this.#waiting.length > 0 && this.#turnBegan === null && !this.#isLettingIn) this.#beginTurn(performance.now())
    }
    const left = () => {
      served()
      this.#inFlight -= 1
    }
    visitor.come({ served, left })
  }

  /** Its end comes after everything that had arrived by now has been looked at. */
  #beginTurn(now: number): void {
    this.#turnBegan = now
    setImmediate(() => this.#endTurn())
  }

  /** Those who wait get as much time as it took to look at everybody else, or saying no would be all that is done. */
  #endTurn(): void {
    const now = performance.now()
    const tookMs = now - (this.#turnBegan ?? now)
    this.#turnBegan = null
    this.#dismissLate()
    if (this.#waiting.length === 0) return
    const isForNewcomers = this.#hasNewcomer && this.#turnsForNewcomers < NEWCOMERS_AT_A_TIME
    this.#hasNewcomer = false
    this.#turnsForNewcomers = isForNewcomers ? this.#turnsForNewcomers + 1 : 0
    if (isForNewcomers) this.#beginTurn(now)
    else this.#letIn(now + Math.max(TURN_MS, tookMs), this.#isStanding(now))
  }

  /** One after the other, until the time is up or nobody is left for whom there is room. */
  #letIn(until: number, isStanding: boolean): void {
    const index = this.#next(isStanding)
    this.#isLettingIn = index >= 0
    // Nobody, until somebody has been served.
    if (index < 0) return
    const [next] = this.#waiting.splice(index, 1)
    this.#inFlight -= 1
    if (next !== undefined) this.#welcome(next)
    // After all that can be done for this one without waiting has been done.
    queueMicrotask(() =>
      process.nextTick(() => {
        const now = performance.now()
        if (now < until) {
          this.#letIn(until, isStanding)
          return
        }
        this.#isLettingIn = false
        if (this.#waiting.length > 0 && this.#turnBegan === null) this.#beginTurn(now)
      }),
    )
  }

  /**
   * In order, as long as everybody's turn comes. Where it does not, the last first: most of them will hear no anyway, and whoever
   * is served then has not waited first.
   */
  #next(isStanding: boolean): number {
    const hasRoom = (waiting: Waiting) => this.#hasRoomFor(waiting)
    return isStanding ? this.#waiting.findLastIndex(hasRoom) : this.#waiting.findIndex(hasRoom)
  }

  #dismissLate(): void {
    const now = performance.now()
    while (this.#waiting.length > NO_CROWD && (this.#waiting[0]?.until ?? now) < now) {
      const late = this.#waiting.shift()
      this.#lastDismissed = now
      this.#inFlight -= 1
      if (late !== undefined) this.#turnAway(late, 'late')
    }
    if (this.#waiting.length === 0) this.#lastNoneWaited = now
  }

  #turnAway(visitor: Visitor, why: Strain): void {
    this.#shed(visitor.host, why)
    visitor.go()
  }
}
