import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../operations/errors.js'
import { Breadth } from './breadth.js'

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
  /** Nothing more is to be done for it but to send. May be called again. */
  served(): void
  left(): void
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
 * others wait. (Controlled delay, as in Maurer, "Fail at Scale", ACM Queue 13.8.)
 */
const BURST_MS = 100
const STANDING_AFTER_MS = 50
const STANDING_MS = 30
/** Nor is there room for bursts when somebody has just been turned away. */
const STRAINED_MS = 300
/** So few who wait are no crowd, however long it takes: a process that is starved for a moment owes them an answer. */
const NO_CROWD = 8
const TICK_MS = 20

interface Waiting {
  host: string
  isRead: boolean
  until: number
  come(guest: Guest): void
  go(error: OverloadedError): void
}

/** Turned away at the door, before any work. Not a failure of ours: it is counted, but not complained about. */
export class OverloadedError extends ServiceError {
  override name = 'OverloadedError'

  constructor() {
    super('upstream_unavailable', 'Too many requests at the same time: try again in a moment.', { retryAfterS: 1 })
  }
}

/** Decides who is served now, who waits a moment, and who hears no. One for all public hosts of a process: they share the event loop. */
export class Overload {
  readonly #maxInFlight: number
  readonly #shed: (host: string, why: Strain) => void
  readonly #breadth = new Breadth()
  readonly #timer: NodeJS.Timeout
  readonly #waiting: Waiting[] = []
  #lastNoneWaited = performance.now()
  #lastDismissed = Number.NEGATIVE_INFINITY
  #turnBegan: number | null = null
  #hasNewcomer = false
  #turnsForNewcomers = 0
  #inFlight = 0
  #readsUnderWay = 0

  constructor({ maxInFlight = MAX_IN_FLIGHT, shed = () => {} }: OverloadOptions = {}) {
    this.#maxInFlight = maxInFlight
    this.#shed = shed
    this.#timer = setInterval(() => this.#dismissLate(), TICK_MS).unref()
  }

  /**
   * A guest at once, or one to wait for, or throws when there is too much to do. A read is what waits for nothing but the
   * database: not for a language model, nor for an event that is yet to come.
   */
  enter(host: string, isRead: boolean): Guest | Promise<Guest> {
    if (!this.lets()) throw this.#turnedAway(host, 'crowded')
    const now = performance.now()
    if (this.#turnBegan === null) this.#beginTurn(now)
    if (this.#waiting.length === 0) {
      this.#lastNoneWaited = now
      if (now - (this.#turnBegan ?? now) < TURN_MS && this.#hasRoomFor(isRead)) return this.#welcome(isRead)
    }
    const isStanding = now - this.#lastNoneWaited > STANDING_AFTER_MS || now - this.#lastDismissed < STRAINED_MS
    this.#inFlight += 1
    return new Promise((come, go) => {
      this.#waiting.push({ host, isRead, until: now + (isStanding ? STANDING_MS : BURST_MS), come, go })
    })
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

  #hasRoomFor(isRead: boolean): boolean {
    return !isRead || this.#readsUnderWay < this.#breadth.limit
  }

  #welcome(isRead: boolean): Guest {
    this.#inFlight += 1
    const began = performance.now()
    if (isRead) this.#readsUnderWay += 1
    let isServed = !isRead
    const served = () => {
      if (isServed) return
      isServed = true
      this.#breadth.took(performance.now() - began, this.#readsUnderWay)
      this.#readsUnderWay -= 1
      if (this.#waiting.length > 0 && this.#turnBegan === null) this.#beginTurn(performance.now())
    }
    const left = () => {
      served()
      this.#inFlight -= 1
    }
    return { served, left }
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
    else this.#letIn(now + Math.max(TURN_MS, tookMs))
  }

  #letIn(until: number): void {
    const index = this.#waiting.findIndex(({ isRead }) => this.#hasRoomFor(isRead))
    // Nobody, until somebody has been served.
    if (index < 0) return
    const [next] = this.#waiting.splice(index, 1)
    this.#inFlight -= 1
    next?.come(this.#welcome(next.isRead))
    // After all that can be done for this one without waiting has been done.
    queueMicrotask(() =>
      process.nextTick(() => {
        if (this.#turnBegan !== null) return
        const now = performance.now()
        if (now < until) this.#letIn(until)
        else if (this.#waiting.length > 0) this.#beginTurn(now)
      }),
    )
  }

  #dismissLate(): void {
    const now = performance.now()
    while (this.#waiting.length > NO_CROWD && (this.#waiting[0]?.until ?? now) < now) {
      const late = this.#waiting.shift()
      this.#lastDismissed = now
      this.#inFlight -= 1
      late?.go(this.#turnedAway(late.host, 'late'))
    }
    if (this.#waiting.length === 0) this.#lastNoneWaited = now
  }

  #turnedAway(host: string, why: Strain): OverloadedError {
    this.#shed(host, why)
    return new OverloadedError()
  }
}

/** Turns requests away while there is too much to do: a quick no is worth more than an answer nobody waits for any more. */
export function shedOverload(app: FastifyInstance, host: string, overload: Overload): void {
  const guests = new WeakMap<FastifyRequest, Guest>()
  app.server.on('connection', () => overload.connected())
  app.addHook('onRequest', async (request, reply) => {
    const guest = await overload.enter(host, isRead(request))
    if (reply.raw.destroyed) return guest.left()
    guests.set(request, guest)
    // Answered or given up: either way it closes, once.
    reply.raw.once('close', () => guest.left())
  })
  // Not only when it has closed: whoever reads the answer slowly must not keep others from the database.
  app.addHook('onSend', async (request) => guests.get(request)?.served())
}

const isRead = ({ method, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && headers['service-min-position'] === undefined
