import type { Request, Requests } from '../engine/requests/request-store.js'
import { isExpected } from './command-line.js'

/** Longer than a store is away for an election, or to be started again. */
const PATIENCE_MS = 60_000

/** Asks again and again what has become of requests, also where the store does not answer for a while. */
export class Enquiry {
  readonly #requests: Pick<Requests, 'all'>
  readonly #patienceMs: number
  #known: readonly Request[]
  #answeredAt = performance.now()

  constructor(requests: Pick<Requests, 'all'>, placed: readonly Request[], patienceMs = PATIENCE_MS) {
    this.#requests = requests
    this.#known = placed
    this.#patienceMs = patienceMs
  }

  /** The requests as they were last seen. Throws what has kept the store from answering once it has taken too long. */
  async look(): Promise<readonly Request[]> {
    try {
      const all = await this.#requests.all()
      this.#known = this.#known.flatMap(({ id }) => all.find((request) => request.id === id) ?? [])
      this.#answeredAt = performance.now()
    } catch (error) {
      if (!isExpected(error) || performance.now() - this.#answeredAt >= this.#patienceMs) throw error
    }
    return this.#known
  }
}
