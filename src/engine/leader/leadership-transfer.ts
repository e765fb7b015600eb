import type { DocumentStore } from '../../ports/document-store.js'

const KIND = 'hand-over'
/** One that leads this many more than another gives one away; for a smaller difference it would only go to and fro. */
const SURPLUS = 2

/**
 * Spreads the projections over the projectors of a store. One that waits for a projection whose leader leads at least two
 * more than it does leaves a note, and that leader gives the projection up between two batches.
 */
export class Shares {
  readonly #store: DocumentStore
  readonly #holder: string
  /** One at a time: what is on its way is not in the leases yet, and would be asked for once more. */
  #asking: string | null = null

  constructor(store: DocumentStore, holder: string) {
    this.#store = store
    this.#holder = holder
  }

  /** Asks the leader of a projection for it, if that would make the shares more even. Whether it is on its way. */
  ask(projection: string): Promise<boolean> {
    return this.#askOnce(projection, () => this.#isDue(projection))
  }

  /** Asks for a projection whatever the shares are. Whether it is on its way. */
  demand(projection: string): Promise<boolean> {
    return this.#askOnce(projection, async () => true)
  }

  /** It has come, or has not in good time. */
  async asked(projection: string): Promise<void> {
    if (this.#asking !== projection) return
    this.#asking = null
    await this.#store.dropNote(KIND, projection)
  }

  /** Whether somebody else has asked for a projection that this one leads. */
  async isWanted(projection: string): Promise<boolean> {
    return (await this.#store.notes(KIND)).some(({ id }) => id === projection)
  }

  /** The note has been read, whatever comes of it. */
  async answered(projection: string): Promise<void> {
    await this.#store.dropNote(KIND, projection)
  }

  async #askOnce(projection: string, isDue: () => Promise<boolean>): Promise<boolean> {
    if (this.#asking !== null) return false
    this.#asking = projection
    const asked = await isDue()
      .then((due) => due && this.#leaveNote(projection))
      .catch(() => false)
    if (!asked) this.#asking = null
    return asked
  }

  async #isDue(projection: string): Promise<boolean> {
    const leases = await this.#store.leases()
    const leads = (holder: string) => leases.filter((lease) => lease.holder === holder).length
    const leader = leases.find((lease) => lease.projection === projection)?.holder
    return leader !== undefined && leads(leader) - leads(this.#holder) >= SURPLUS
  }

  async #leaveNote(projection: string): Promise<boolean> {
    return (await this.#store.putNote({ kind: KIND, id: projection, revision: 0, value: { to: this.#holder } })) !== null
  }
}
