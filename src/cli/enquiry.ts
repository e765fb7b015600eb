import type { Request, RequestStore } from '../engine/requests/request-store.js'
import { isUserError } from './command-line.js'

/** Longer than a store is away for an election, or to be started again. */
const OUTAGE_LIMIT_MS = 60_000

/** Asks again and again what has become of requests, also where the store does not answer for a while. */
export class RequestPoller {
  readonly #requests: Pick<RequestStore, 'all'>
  readonly #outageLimitMs: number
  #known: readonly Request[]
  #answeredAt = performance.now()

  constructor(requests: Pick<RequestStore, 'all'>, placed: readonly Request[], patienceMs = OUTAGE_LIMIT_MS) {
    this.#requests = requests
    this.#known = placed
    this.#outageLimitMs = patienceMs
  }

  /** The requests as they were last seen. Throws what has kept the store from answering once it has taken too long. */
  async poll(): Promise<readonly Request[]> {
    try {
      const all = await this.#requests.all()
      this.#known = this.#known.flatMap(({ id }) => all.find((request) => request.id === id) ?? [])
      this.#answeredAt = performance.now()
    } catch (error) {
      if (!isUserError(error) || performance.now() - this.#answeredAt >= this.#outageLimitMs) throw error
    }
    return this.#known
  }
}
