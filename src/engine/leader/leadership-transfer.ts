import { heldLeases } from '../../ports/coordination.js'
import type { DocumentStore } from '../../ports/document-store.js'

const KIND = 'hand-over'
/** Hand over only at this difference: with a smaller one, projections would go back and forth. */
const MIN_SURPLUS = 2

/**
 * Spreads the projections over the projectors of a store. A projector that leads at least two fewer than the leader of a
 * projection stores a control record, and that leader hands the projection over between two batches.
 */
export class LeadershipTransfer {
  readonly #store: DocumentStore
  readonly #holder: string
  /** One at a time: a hand-over under way is not in the leases yet. */
  #requested: string | null = null

  constructor(store: DocumentStore, holder: string) {
    this.#store = store
    this.#holder = holder
  }

  /** Asks for a projection if that evens leadership out. Whether it was requested. */
  requestIfUneven(projection: string): Promise<boolean> {
    return this.#requestOnce(projection, () => this.#wouldEvenOut(projection))
  }

  /** Asks for a projection in any case. Whether it was requested. */
  request(projection: string): Promise<boolean> {
    return this.#requestOnce(projection, async () => true)
  }

  /** The hand-over is done, or took too long. */
  async withdraw(projection: string): Promise<void> {
    if (this.#requested !== projection) return
    this.#requested = null
    await this.#store.deleteControlRecord(KIND, projection)
  }

  /**
   * Whether another projector has asked for a projection that this one leads. A request counts once, granted or not: the
   * other projector may have stopped.
   */
  async takeRequest(projection: string): Promise<boolean> {
    const requested = (await this.#store.controlRecords(KIND)).some(({ id }) => id === projection)
    if (requested) await this.#store.deleteControlRecord(KIND, projection)
    return requested
  }

  async #requestOnce(projection: string, isDue: () => Promise<boolean>): Promise<boolean> {
    if (this.#requested !== null) return false
    this.#requested = projection
    const request = { kind: KIND, id: projection, revision: 0, value: { to: this.#holder } }
    const requested = await isDue()
      .then(async (due) => due && (await this.#store.putControlRecord(request)) !== null)
      .catch(() => false)
    if (!requested) this.#requested = null
    return requested
  }

  async #wouldEvenOut(projection: string): Promise<boolean> {
    const leases = await heldLeases(this.#store)
    const leads = (holder: string) => leases.filter((lease) => lease.holder === holder).length
    const leader = leases.find((lease) => lease.projection === projection)?.holder
    return leader !== undefined && leads(leader) - leads(this.#holder) >= MIN_SURPLUS
  }
}
