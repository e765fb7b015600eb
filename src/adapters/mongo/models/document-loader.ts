import { type Db, type Document, MongoServerError } from 'mongodb'
import type { StoredDocument } from './document-codec.js'

/** Documents per batch of a cursor. */
export const BATCH = 5000

/** A request for more ids is sent on its own: the joint command would become too long. */
const MAX_BATCHED_IDS = 500

interface PendingLoad {
  collection: string
  ids: readonly string[]
  resolve(found: StoredDocument[]): void
  reject(error: unknown): void
}

/**
 * Finds documents by id for the writers of a store. All requests of one turn of the event loop become one command, across
 * collections: the projections of a process follow the same events, so each needs a few documents of several collections
 * at nearly the same moment.
 */
export class DocumentLoader {
  readonly #db: Db
  #pending: PendingLoad[] = []

  constructor(db: Db) {
    this.#db = db
  }

  /** In no particular order; ids without a document are left out. */
  find(collection: string, ids: readonly string[]): Promise<StoredDocument[]> {
    if (ids.length > MAX_BATCHED_IDS) return this.#findIn(collection, ids)
    return new Promise((resolve, reject) => {
      if (this.#pending.length === 0) setImmediate(() => void this.#flush())
      this.#pending.push({ collection, ids, resolve, reject })
    })
  }

  async #flush(): Promise<void> {
    const requests = this.#pending
    this.#pending = []
    try {
      const found = await this.#loadAll(requests)
      requests.forEach(({ resolve }, i) => {
        resolve(found[i] ?? [])
      })
    } catch (error) {
      // The server may have refused one collection, which must not stop the projections of the others.
      if (error instanceof MongoServerError)
        for (const { collection, ids, resolve, reject } of requests) this.#findIn(collection, ids).then(resolve, reject)
      else for (const { reject } of requests) reject(error)
    }
  }

  async #loadAll(requests: readonly PendingLoad[]): Promise<StoredDocument[][]> {
    const [first, ...others] = requests
    if (first === undefined) return []
    if (others.length === 0) return [await this.#findIn(first.collection, first.ids)]
    const pipeline = [
      ...pipelineFor(first, 0),
      ...others.map((request, i) => ({ $unionWith: { coll: request.collection, pipeline: pipelineFor(request, i + 1) } })),
    ]
    const found: StoredDocument[][] = requests.map(() => [])
    const cursor = this.#db.collection(first.collection).aggregate<{ of: number; doc: StoredDocument }>(pipeline, { batchSize: BATCH })
    for (const { of, doc } of await cursor.toArray()) found[of]?.push(doc)
    return found
  }

  async #findIn(collection: string, ids: readonly string[]): Promise<StoredDocument[]> {
    const filter = ids.length === 1 ? { _id: ids[0] ?? '' } : { _id: { $in: [...ids] } }
    return this.#db.collection<StoredDocument>(collection).find(filter, { batchSize: BATCH }).toArray()
  }
}

const pipelineFor = ({ ids }: PendingLoad, of: number): Document[] => [
  { $match: { _id: { $in: ids } } },
  { $replaceWith: { of: { $literal: of }, doc: '$$ROOT' } },
]
