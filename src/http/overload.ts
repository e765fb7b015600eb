import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../operations/errors.js'

/** Why a request was turned away. */
export type Strain = 'late' | 'crowded'

export interface OverloadOptions {
  /** Requests under way at the same time, in one process. */
  maxInFlight?: number
  /** How late the event loop may be. */
  maxLateMs?: number
  /** Tells whoever counts it. */
  shed?: (host: string, why: Strain) => void
}

/** Open streams are under way, too, and a thousand of them are nothing unusual. */
const MAX_IN_FLIGHT = 2000
const MAX_LATE_MS = 100
const TICK_MS = 20
/** Lateness alone is no overload: a process that was frozen or starved owes an answer to those who waited, unless they are a crowd. */
const MIN_BURST = 100
/**
 * Requests are worked off turn by turn of the event loop, and whoever comes during one waits until its end. A turn that
 * has taken so long, and so many, takes no more: else a turn grows with the crowd, and all wait for seconds.
 */
const LONG_TURN_MS = 50
const FULL_TURN = 32

/** Turned away at the door, before any work. Not a failure of ours: it is counted, but not complained about. */
export class OverloadedError extends ServiceError {
  override name = 'OverloadedError'

  constructor() {
    super('upstream_unavailable', 'Too many requests at the same time: try again in a moment.', { retryAfterS: 1 })
  }
}

/** Watches how busy this process is. One for all its public hosts: they share the event loop. */
export class Overload {
  readonly #maxInFlight: number
  readonly #maxLateMs: number
  readonly #shed: (host: string, why: Strain) => void
  readonly #timer: NodeJS.Timeout
  #tickedAt = performance.now()
  #begun = 0
  /** When the first of them was begun. */
  #begunAt = 0
  #inFlight = 0

  constructor({ maxInFlight = MAX_IN_FLIGHT, maxLateMs = MAX_LATE_MS, shed = () => {} }: OverloadOptions = {}) {
    this.#maxInFlight = maxInFlight
    this.#maxLateMs = maxLateMs
    this.#shed = shed
    this.#timer = setInterval(() => {
      this.#tickedAt = performance.now()
      this.#begun = 0
    }, TICK_MS).unref()
  }

  /** Throws when there is too much to do already. Otherwise `leave` has to be called once. */
  enter(host: string): void {
    const strain = this.#strain()
    if (strain !== null) {
      this.#shed(host, strain)
      throw new OverloadedError()
    }
    if (this.#begun === 0) this.#begunAt = performance.now()
    this.#begun += 1
    this.#inFlight += 1
  }

  /**
   * For a request that is answered at once: whether there is time for it. It does not make a turn of the event loop any
   * fuller: dozens of them pass in a millisecond, and a process that is starved for a moment would seem to be overrun.
   */
  lets(): boolean {
    return this.#strain() === null
  }

  leave(): void {
    this.#inFlight -= 1
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #strain(): Strain | null {
    if (this.#inFlight >= this.#maxInFlight) return 'crowded'
    const now = performance.now()
    const isFull = this.#begun >= FULL_TURN && now - this.#begunAt > LONG_TURN_MS
    const lateMs = now - this.#tickedAt - TICK_MS
    return isFull || (lateMs > this.#maxLateMs && this.#begun >= MIN_BURST) ? 'late' : null
  }
}

/** Turns requests away while there is too much to do: a quick no is worth more than an answer nobody waits for any more. */
export function shedOverload(app: FastifyInstance, host: string, overload: Overload): void {
  app.addHook('onRequest', async (_request, reply) => {
    overload.enter(host)
    // Answered or given up: either way it closes, once.
    reply.raw.once('close', () => overload.leave())
  })
}
