import { type Db, type Document, MongoServerError } from 'mongodb'
import { BATCH, type StoredDocument } from './reads.js'

/** More ids than this are asked for on their own: the command would become long. */
const MAX_BATCHED_IDS = 500

interface PendingLoad {
  /** Of the collection. */
  name: string
  ids: readonly string[]
  resolve(found: StoredDocument[]): void
  reject(error: unknown): void
}

/**
 * Finds documents by their ids, for the writers of a store. What is asked for in one turn goes to the server as one
 * command, whatever collections it is in: the projections of a process follow the same events, so that each of them asks
 * several collections for a few documents at nearly the same moment.
 */
export class DocumentLoader {
  readonly #db: Db
  #pending: PendingLoad[] = []

  constructor(db: Db) {
    this.#db = db
  }

  /** In no particular order, without those that there are none of. */
  find(name: string, ids: readonly string[]): Promise<StoredDocument[]> {
    if (ids.length > MAX_BATCHED_IDS) return this.#findIn(name, ids)
    return new Promise((resolve, reject) => {
      if (this.#pending.length === 0) setImmediate(() => void this.#flush())
      this.#pending.push({ name, ids, resolve, reject })
    })
  }

  async #flush(): Promise<void> {
    const asked = this.#pending
    this.#pending = []
    try {
      const found = await this.#loadAll(asked)
      asked.forEach(({ resolve }, i) => {
        resolve(found[i] ?? [])
      })
    } catch (error) {
      // What the server refuses may be one collection's affair, and must not stop the projections of the others.
      if (error instanceof MongoServerError)
        for (const { name, ids, resolve, reject } of asked) this.#findIn(name, ids).then(resolve, reject)
      else for (const { reject } of asked) reject(error)
    }
  }

  async #loadAll(asked: readonly PendingLoad[]): Promise<StoredDocument[][]> {
    const [first, ...others] = asked
    if (first === undefined) return []
    if (others.length === 0) return [await this.#findIn(first.name, first.ids)]
    const pipeline = [
      ...pipelineFor(first, 0),
      ...others.map((question, i) => ({ $unionWith: { coll: question.name, pipeline: pipelineFor(question, i + 1) } })),
    ]
    const answers: StoredDocument[][] = asked.map(() => [])
    const cursor = this.#db.collection(first.name).aggregate<{ of: number; doc: StoredDocument }>(pipeline, { batchSize: BATCH })
    for (const { of, doc } of await cursor.toArray()) answers[of]?.push(doc)
    return answers
  }

  async #findIn(name: string, ids: readonly string[]): Promise<StoredDocument[]> {
    const filter = ids.length === 1 ? { _id: ids[0] ?? '' } : { _id: { $in: [...ids] } }
    return this.#db.collection<StoredDocument>(name).find(filter, { batchSize: BATCH }).toArray()
  }
}

const pipelineFor = ({ ids }: PendingLoad, of: number): Document[] => [
  { $match: { _id: { $in: ids } } },
  { $replaceWith: { of: { $literal: of }, doc: '$$ROOT' } },
]
