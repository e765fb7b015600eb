import DataLoader from 'dataloader'
import { type Db, type Document, MongoServerError } from 'mongodb'
import { answered } from '../errors.js'

/** Documents per batch of a cursor. */
export const BATCH = 5000

/** A request for more ids is sent on its own: the joint command would become too long. */
const MAX_BATCHED_IDS = 500

interface Load {
  collection: string
  ids: readonly string[]
}

/**
 * Finds documents by id for the writers of a store. All requests of one turn of the event loop become one command, across
 * collections: the projections of a process follow the same events, so each needs a few documents of several collections
 * at nearly the same moment.
 */
export class DocumentLoader {
  readonly #db: Db
  readonly #loads: DataLoader<Load, StoredDocument[]>

  constructor(db: Db) {
    this.#db = db
    this.#loads = new DataLoader((loads) => this.#loadAll(loads), { cache: false, batchScheduleFn: setImmediate })
  }

  /** In no particular order; ids without a document are left out. */
  find(collection: string, ids: readonly string[]): Promise<StoredDocument[]> {
    return ids.length > MAX_BATCHED_IDS ? this.#findIn({ collection, ids }) : this.#loads.load({ collection, ids })
  }

  async #loadAll(loads: readonly Load[]): Promise<(StoredDocument[] | Error)[]> {
    try {
      return await this.#loadTogether(loads)
    } catch (error) {
      if (!(error instanceof MongoServerError)) throw error
      // The server may have refused one collection, which must not stop the projections of the others.
      return Promise.all(loads.map((load) => this.#findIn(load).catch((reason) => reason)))
    }
  }

  async #loadTogether(loads: readonly Load[]): Promise<StoredDocument[][]> {
    const [first, ...others] = loads
    if (first === undefined) return []
    if (others.length === 0) return [await this.#findIn(first)]
    const pipeline = [
      ...pipelineFor(first, 0),
      ...others.map((load, i) => ({ $unionWith: { coll: load.collection, pipeline: pipelineFor(load, i + 1) } })),
    ]
    const found: StoredDocument[][] = loads.map(() => [])
    const cursor = this.#db.collection(first.collection).aggregate<{ of: number; doc: StoredDocument }>(pipeline, { batchSize: BATCH })
    for (const { of, doc } of await answered(cursor.toArray())) found[of]?.push(doc)
    return found
  }

  #findIn({ collection, ids }: Load): Promise<StoredDocument[]> {
    const filter = ids.length === 1 ? { _id: ids[0] ?? '' } : { _id: { $in: [...ids] } }
    return answered(this.#db.collection<StoredDocument>(collection).find(filter, { batchSize: BATCH }).toArray())
  }
}

const pipelineFor = ({ ids }: Load, of: number): Document[] => [
  { $match: { _id: { $in: ids } } },
  { $replaceWith: { of: { $literal: of }, doc: '$$ROOT' } },
]

export interface StoredDocument extends Document {
  _id: string
}
