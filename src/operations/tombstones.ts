import type { Collection, Doc, ModelReader } from '../ports/document-store.js'

/** A collection with one document for each creator or creation, which a removal replaces by a tombstone. */
export interface StateLocation {
  model: string
  collection: Collection
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

  /** Those of the ids that any live model knows to be removed. Throws while a model cannot be read. */
  async among(ids: Iterable<string>): Promise<Set<string>> {
    const wanted = [...ids]
    const removed = new Set<string>()
    for (let from = 0; from < wanted.length; from += IDS_PER_READ) await this.#find(wanted.slice(from, from + IDS_PER_READ), removed)
    return removed
  }

  async includeAny(ids: Iterable<string>): Promise<boolean> {
    return (await this.among(ids)).size > 0
  }

  async #find(ids: readonly string[], removed: Set<string>): Promise<void> {
    const snapshot = await this.#store.snapshot(this.#models)
    try {
      for (const { model, collection } of this.#states) {
        for (const doc of await snapshot.model(model).get(collection, ids)) if (isTombstone(doc)) removed.add(doc._id)
      }
    } finally {
      snapshot.release()
    }
  }
}

const isTombstone = (doc: Doc | undefined): doc is Doc => doc !== undefined && 'removed' in doc && doc.removed === true
