import { setImmediate as turn } from 'node:timers/promises'
import { type Collection, type ModelReader, ModelUnavailableError, type Snapshot } from '../ports/document-store.js'

/** A collection with one document for each creator or creation, which a removal replaces by a tombstone. */
export interface StateLocation {
  model: string
  collection: Collection
  /** Whether it is a custom model, not a built-in one. */
  own: boolean
}

/** Small enough that one look-up does not hold up readers. */
const IDS_PER_READ = 500

/** Which creators and creations have been removed. Tombstones stay in the models for good, so this holds after any restart. */
export class Tombstones {
  readonly #store: Pick<ModelReader, 'snapshot'>
  readonly #states: readonly StateLocation[]
  readonly #models: readonly string[]

  constructor(store: Pick<ModelReader, 'snapshot'>, states: readonly StateLocation[]) {
    this.#store = store
    this.#states = states
    this.#models = [...new Set(states.map(({ model }) => model))]
  }

  /**
   * Those of the ids that any live model knows to be removed. Throws while a model cannot be read, except custom ones that are being
   * loaded. Takes a few ids at a time and lets others have their turn in between: there may be hundreds of thousands.
   */
  async among(ids: Iterable<string>): Promise<Set<string>> {
    const removed = new Set<string>()
    let wanted: string[] = []
    for (const id of ids) {
      wanted.push(id)
      if (wanted.length < IDS_PER_READ) continue
      await this.#find(wanted, removed)
      wanted = []
      // An embedded store answers without yielding to the event loop.
      await turn()
    }
    if (wanted.length > 0) await this.#find(wanted, removed)
    return removed
  }

  async #find(ids: readonly string[], removed: Set<string>): Promise<void> {
    const { snapshot, models } = await this.#snapshot(this.#models)
    try {
      for (const { model, collection } of this.#states) {
        if (!models.includes(model)) continue
        for (const id of await snapshot.model(model).removedAmong(collection, ids)) removed.add(id)
      }
    } finally {
      snapshot.release()
    }
  }

  /** Without custom models that are not loaded yet. Creators and creations are ours, so our models know of every removal by themselves. */
  async #snapshot(models: readonly string[]): Promise<{ snapshot: Snapshot; models: readonly string[] }> {
    try {
      return { snapshot: await this.#store.snapshot(models), models }
    } catch (error) {
      if (!(error instanceof ModelUnavailableError) || !this.#isOwn(error.projection)) throw error
      return this.#snapshot(models.filter((model) => model !== error.projection))
    }
  }

  #isOwn(name: string): boolean {
    return this.#states.some(({ model, own }) => own && model === name)
  }
}
