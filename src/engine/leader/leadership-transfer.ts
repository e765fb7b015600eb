import type { DocumentStore } from '../../ports/document-store.js'

const KIND = 'hand-over'
/** One that leads this many more than another gives one away; for a smaller difference it would only go to and fro. */
const MIN_SURPLUS = 2

/**
 * Spreads the projections over the projectors of a store. One that waits for a projection whose leader leads at least two
 * more than it does leaves a note, and that leader gives the projection up between two batches.
 */
export class LeadershipTransfer {
  readonly #store: DocumentStore
  readonly #holder: string
  /** One at a time: what is on its way is not in the leases yet, and would be asked for once more. */
  #requested: string | null = null

  constructor(store: DocumentStore, holder: string) {
    this.#store = store
    this.#holder = holder
  }

  /** Asks the leader of a projection for it, if that would make the shares more even. Whether it is on its way. */
  requestIfUneven(projection: string): Promise<boolean> {
    return this.#requestOnce(projection, () => this.#wouldEvenOut(projection))
  }

  /** Asks for a projection whatever the shares are. Whether it is on its way. */
  request(projection: string): Promise<boolean> {
    return this.#requestOnce(projection, async () => true)
  }

  /** It has come, or has not in good time. */
  async withdraw(projection: string): Promise<void> {
    if (this.#requested !== projection) return
    this.#requested = null
    await this.#store.deleteControlRecord(KIND, projection)
  }

  /** Whether somebody else has asked for a projection that this one leads. */
  async isRequested(projection: string): Promise<boolean> {
    return (await this.#store.controlRecords(KIND)).some(({ id }) => id === projection)
  }

  /** The note has been read, whatever comes of it. */
  async acknowledge(projection: string): Promise<void> {
    await this.#store.deleteControlRecord(KIND, projection)
  }

  async #requestOnce(projection: string, isDue: () => Promise<boolean>): Promise<boolean> {
    if (this.#requested !== null) return false
    this.#requested = projection
    const withdraw = await isDue()
      .then((due) => due && this.#writeRequest(projection))
      .catch(() => false)
    if (!withdraw) this.#requested = null
    return withdraw
  }

  async #wouldEvenOut(projection: string): Promise<boolean> {
    const leases = await this.#store.leases()
    const leads = (holder: string) => leases.filter((lease) => lease.holder === holder).length
    const leader = leases.find((lease) => lease.projection === projection)?.holder
    return leader !== undefined && leads(leader) - leads(this.#holder) >= MIN_SURPLUS
  }

  async #writeRequest(projection: string): Promise<boolean> {
    return (await this.#store.putControlRecord({ kind: KIND, id: projection, revision: 0, value: { to: this.#holder } })) !== null
  }
}
