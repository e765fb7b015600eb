import { type Db, type Document, MongoServerError } from 'mongodb'
import { BATCH, type Stored } from './reads.js'

/** More ids than this are asked for on their own: the command would become long. */
const FEW = 500

interface Asked {
  /** Of the collection. */
  name: string
  ids: readonly string[]
  resolve(found: Stored[]): void
  reject(error: unknown): void
}

/**
 * Finds documents by their ids, for the writers of a store. What is asked for in one turn goes to the server as one
 * command, whatever collections it is in: the projections of a process follow the same events, so that each of them asks
 * several collections for a few documents at nearly the same moment.
 */
export class Loads {
  readonly #db: Db
  #asked: Asked[] = []

  constructor(db: Db) {
    this.#db = db
  }

  /** In no particular order, without those that there are none of. */
  find(name: string, ids: readonly string[]): Promise<Stored[]> {
    if (ids.length > FEW) return this.#findIn(name, ids)
    return new Promise((resolve, reject) => {
      if (this.#asked.length === 0) setImmediate(() => void this.#ask())
      this.#asked.push({ name, ids, resolve, reject })
    })
  }

  async #ask(): Promise<void> {
    const asked = this.#asked
    this.#asked = []
    try {
      const found = await this.#answers(asked)
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

  async #answers(asked: readonly Asked[]): Promise<Stored[][]> {
    const [first, ...others] = asked
    if (first === undefined) return []
    if (others.length === 0) return [await this.#findIn(first.name, first.ids)]
    const pipeline = [
      ...steps(first, 0),
      ...others.map((question, i) => ({ $unionWith: { coll: question.name, pipeline: steps(question, i + 1) } })),
    ]
    const answers: Stored[][] = asked.map(() => [])
    const cursor = this.#db.collection(first.name).aggregate<{ of: number; doc: Stored }>(pipeline, { batchSize: BATCH })
    for (const { of, doc } of await cursor.toArray()) answers[of]?.push(doc)
    return answers
  }

  async #findIn(name: string, ids: readonly string[]): Promise<Stored[]> {
    const filter = ids.length === 1 ? { _id: ids[0] ?? '' } : { _id: { $in: [...ids] } }
    return this.#db.collection<Stored>(name).find(filter, { batchSize: BATCH }).toArray()
  }
}

const steps = ({ ids }: Asked, of: number): Document[] => [
  { $match: { _id: { $in: ids } } },
  { $replaceWith: { of: { $literal: of }, doc: '$$ROOT' } },
]
