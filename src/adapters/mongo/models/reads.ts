import type { ClientSession, Db, Document, Collection as MongoCollection } from 'mongodb'
import type { Beside, Collection, Doc, IndexQuery, Odds, RangeQuery, Reads, WordQuery, WordReads } from '../../../ports/document-store.js'
import { type Codec, codecOf } from './document-codec.js'
import type { Loads } from './document-loader.js'
import { type Plan, planOf, wordsPlanOf } from './query-plan.js'
import { walk } from './walk.js'

export interface Stored extends Document {
  _id: string
}

export interface Reading {
  session?: ClientSession
  signal?: AbortSignal
}

/** Documents to an answer of the server; more take several. */
export const BATCH = 5000

/** Questions to the collections of one generation. */
export class MongoReads implements Reads, WordReads {
  readonly #db: Db
  readonly #prefix: string
  readonly #how: Reading
  readonly #loads: Loads | undefined

  /** `prefix` begins the names of the generation's collections. With `loads`, documents are found by id together with others. */
  constructor(db: Db, prefix: string, how: Reading = {}, loads?: Loads) {
    this.#loads = loads
    this.#db = db
    this.#prefix = prefix
    this.#how = how
  }

  async get<D extends Doc>(collection: Collection<D>, ids: readonly string[]): Promise<(D | undefined)[]> {
    // Half a surrogate pair would be sent as another character, and find that one's document.
    const wanted = [...new Set(ids)].filter((id) => id.isWellFormed())
    if (wanted.length === 0) return ids.map(() => undefined)
    const { decode } = codec(collection)
    const found = new Map<string, D>()
    for (let at = 0; at < wanted.length; at += BATCH) {
      const some = wanted.slice(at, at + BATCH)
      for (const stored of await this.#byId(collection, some)) found.set(stored._id, decode(stored))
    }
    return ids.map((id) => found.get(id))
  }

  #byId(collection: Collection, ids: string[]): Promise<Stored[]> {
    if (this.#loads !== undefined) return this.#loads.find(this.#prefix + collection.name, ids)
    const filter = ids.length === 1 ? { _id: ids[0] ?? '' } : { _id: { $in: ids } }
    return this.#collection(collection)
      .find(filter, { ...this.#how, batchSize: BATCH })
      .toArray()
  }

  async range<D extends Doc>(collection: Collection<D>, query: RangeQuery): Promise<D[]> {
    const plan = planOf(collection, query)
    if (plan.apart !== null) {
      const docs = await this.get(collection, await this.#idsApart(collection, plan, query.limit))
      return docs.filter((doc) => doc !== undefined)
    }
    const { decode } = codec(collection)
    return (await this.#find(collection, plan, query.limit).toArray()).map((stored) => decode<D>(stored))
  }

  async ids(collection: Collection, query: RangeQuery): Promise<string[]> {
    const plan = planOf(collection, query)
    if (plan.apart !== null) return this.#idsApart(collection, plan, query.limit)
    const found = await this.#find(collection, plan, query.limit, { _id: 1 }).toArray()
    return found.map(({ _id }) => _id)
  }

  async count(collection: Collection, query: IndexQuery, atMost?: number): Promise<number> {
    const { filter, apart, hint } = planOf(collection, query)
    const limit = atMost === undefined ? [] : [{ $limit: atMost }]
    const steps = [{ $match: filter }, ...(apart ?? []), ...limit, { $count: 'entries' }]
    const [counted] = await this.#collection(collection)
      .aggregate(steps, { ...this.#how, hint })
      .toArray()
    return counted?.entries ?? 0
  }

  async countWith(collection: Collection, query: WordQuery): Promise<number> {
    const { filter, hint } = wordsPlanOf(collection, query)
    const [counted] = await this.#collection(collection)
      .aggregate([{ $match: filter }, { $count: 'documents' }], { ...this.#how, hint })
      .toArray()
    return counted?.documents ?? 0
  }

  async idsWith(collection: Collection, query: WordQuery, limit: number): Promise<string[]> {
    const { filter, hint } = wordsPlanOf(collection, query)
    const found = this.#collection(collection).find(filter, {
      ...this.#how,
      hint,
      projection: { _id: 1 },
      batchSize: Math.min(limit, BATCH),
      ...(limit < 1e9 ? { limit } : {}),
    })
    return (await found.toArray()).map(({ _id }) => _id)
  }

  async getWith<D extends Doc>(collection: Collection<D>, { collection: words, query }: Beside): Promise<D[]> {
    const docs = await this.get(collection, await this.idsWith(words, query, Number.MAX_SAFE_INTEGER))
    return docs.filter((doc) => doc !== undefined)
  }

  async rangeWith<D extends Doc>(collection: Collection<D>, query: RangeQuery, beside: Beside, odds: Odds): Promise<D[]> {
    const docs = await this.get(collection, await walk(this, collection, query, beside, odds))
    return docs.filter((doc) => doc !== undefined)
  }

  #find(collection: Collection, { filter, sort, hint }: Plan, limit: number, projection?: Document) {
    return this.#collection(collection).find(filter, {
      ...this.#how,
      sort,
      hint,
      batchSize: Math.min(limit, BATCH),
      // A limit that none of our collections reaches is none.
      ...(limit < 1e9 ? { limit } : {}),
      ...(projection === undefined ? {} : { projection }),
    })
  }

  async #idsApart(collection: Collection, { filter, apart, sort, hint }: Plan, limit: number): Promise<string[]> {
    const steps = [{ $match: filter }, ...(apart ?? []), { $sort: sort }, { $limit: limit }, { $project: { _id: 1 } }]
    const found = await this.#collection(collection)
      .aggregate<Stored>(steps, { ...this.#how, hint, batchSize: BATCH })
      .toArray()
    return found.map(({ _id }) => _id)
  }

  #collection({ name }: Collection): MongoCollection<Stored> {
    return this.#db.collection<Stored>(this.#prefix + name)
  }
}

const codecs = new WeakMap<Collection, Codec>()

export function codec(collection: Collection): Codec {
  let found = codecs.get(collection)
  if (found === undefined) {
    found = codecOf(collection)
    codecs.set(collection, found)
  }
  return found
}
