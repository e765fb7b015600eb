import type { ClientSession, Db, Document, Collection as MongoCollection } from 'mongodb'
import { type Collection, type Doc, findIndex, valueAt } from '../../../ports/collection.js'
import type { IndexQuery, RangeQuery, Reads, SearchFilter, SearchQuery, SearchReads, Selectivity } from '../../../ports/models.js'
import { codecFor, type StoredDocument } from './document-codec.js'
import { BATCH, type DocumentLoader } from './document-loader.js'
import { planRange, planSearch, type QueryPlan } from './query-plan.js'

export interface ReadOptions {
  session?: ClientSession
  signal?: AbortSignal
}

/** Larger limits, which no collection reaches, are left out. */
const NO_LIMIT = 1e9

/** Reads the collections of one generation. */
export class MongoReads implements Reads, SearchReads {
  readonly #db: Db
  readonly #prefix: string
  readonly #options: ReadOptions
  readonly #loader: DocumentLoader | undefined

  /** The names of the generation's collections begin with `prefix`. A loader joins reads by id with those of other generations. */
  constructor(db: Db, prefix: string, options: ReadOptions = {}, loader?: DocumentLoader) {
    this.#db = db
    this.#prefix = prefix
    this.#options = options
    this.#loader = loader
  }

  async get<D extends Doc>(collection: Collection<D>, ids: readonly string[]): Promise<(D | undefined)[]> {
    // A lone surrogate would be sent as another character, and find that one's document.
    const wanted = [...new Set(ids)].filter((id) => id.isWellFormed())
    if (wanted.length === 0) return ids.map(() => undefined)
    const { decode } = codecFor(collection)
    const found = new Map<string, D>()
    for (let at = 0; at < wanted.length; at += BATCH) {
      const some = wanted.slice(at, at + BATCH)
      for (const stored of await this.#byId(collection, some)) found.set(stored._id, decode(stored))
    }
    return ids.map((id) => found.get(id))
  }

  #byId(collection: Collection, ids: string[]): Promise<StoredDocument[]> {
    if (this.#loader !== undefined) return this.#loader.find(this.#prefix + collection.name, ids)
    const filter = ids.length === 1 ? { _id: ids[0] ?? '' } : { _id: { $in: ids } }
    return this.#collection(collection)
      .find(filter, { ...this.#options, batchSize: BATCH })
      .toArray()
  }

  async range<D extends Doc>(collection: Collection<D>, query: RangeQuery): Promise<D[]> {
    const plan = planRange(collection, query)
    if (plan.unwind !== null) {
      const docs = await this.get(collection, await this.#unwoundIds(collection, plan, query.limit))
      return docs.filter((doc) => doc !== undefined)
    }
    const { decode } = codecFor(collection)
    return (await this.#find(collection, plan, query.limit).toArray()).map((stored) => decode<D>(stored))
  }

  async ids(collection: Collection, query: RangeQuery): Promise<string[]> {
    const plan = planRange(collection, query)
    if (plan.unwind !== null) return this.#unwoundIds(collection, plan, query.limit)
    const found = await this.#find(collection, plan, query.limit, { _id: 1 }).toArray()
    return found.map(({ _id }) => _id)
  }

  async count(collection: Collection, query: IndexQuery, atMost?: number): Promise<number> {
    const { filter, unwind, hint } = planRange(collection, query)
    const limit = atMost === undefined ? [] : [{ $limit: atMost }]
    const steps = [{ $match: filter }, ...(unwind ?? []), ...limit, { $count: 'entries' }]
    const [counted] = await this.#collection(collection)
      .aggregate(steps, { ...this.#options, hint })
      .toArray()
    return counted?.entries ?? 0
  }

  async countMatching(collection: Collection, query: SearchQuery): Promise<number> {
    const { filter, hint } = planSearch(collection, query)
    const [counted] = await this.#collection(collection)
      .aggregate([{ $match: filter }, { $count: 'documents' }], { ...this.#options, hint })
      .toArray()
    return counted?.documents ?? 0
  }

  async idsMatching(collection: Collection, query: SearchQuery, limit: number): Promise<string[]> {
    const { filter, hint } = planSearch(collection, query)
    const found = this.#collection(collection).find(filter, {
      ...this.#options,
      hint,
      projection: { _id: 1 },
      batchSize: Math.min(limit, BATCH),
      ...(limit < NO_LIMIT ? { limit } : {}),
    })
    return (await found.toArray()).map(({ _id }) => _id)
  }

  async getMatching<D extends Doc>(collection: Collection<D>, { collection: words, query }: SearchFilter): Promise<D[]> {
    const docs = await this.get(collection, await this.idsMatching(words, query, Number.MAX_SAFE_INTEGER))
    return docs.filter((doc) => doc !== undefined)
  }

  async rangeMatching<D extends Doc>(
    collection: Collection<D>,
    query: RangeQuery,
    filter: SearchFilter,
    selectivity: Selectivity,
  ): Promise<D[]> {
    const docs = await this.get(collection, await matchingIdsInOrder(this, collection, query, filter, selectivity))
    return docs.filter((doc) => doc !== undefined)
  }

  #find(collection: Collection, { filter, sort, hint }: QueryPlan, limit: number, projection?: Document) {
    return this.#collection(collection).find(filter, {
      ...this.#options,
      sort,
      hint,
      batchSize: Math.min(limit, BATCH),
      ...(limit < NO_LIMIT ? { limit } : {}),
      ...(projection === undefined ? {} : { projection }),
    })
  }

  async #unwoundIds(collection: Collection, { filter, unwind, sort, hint }: QueryPlan, limit: number): Promise<string[]> {
    const steps = [{ $match: filter }, ...(unwind ?? []), { $sort: sort }, { $limit: limit }, { $project: { _id: 1 } }]
    const found = await this.#collection(collection)
      .aggregate<StoredDocument>(steps, { ...this.#options, hint, batchSize: BATCH })
      .toArray()
    return found.map(({ _id }) => _id)
  }

  #collection({ name }: Collection): MongoCollection<StoredDocument> {
    return this.#db.collection<StoredDocument>(this.#prefix + name)
  }
}

/** The first scan of the index goes this much further than it should need to. */
const MARGIN = 1.5

/**
 * Ids of matching documents in the order of an index. The search terms are checked for the scanned entries, or all matches
 * are listed before the scan: listing an id costs about 1.5 times as much as scanning an entry, checking its terms 8 times.
 */
export async function matchingIdsInOrder(
  reads: Reads & SearchReads,
  collection: Collection,
  query: RangeQuery,
  { collection: words, query: wanted }: SearchFilter,
  { matches, total }: Selectivity,
): Promise<string[]> {
  const listed = matches <= Math.sqrt(170 * total) ? new Set(await reads.idsMatching(words, wanted, Number.MAX_SAFE_INTEGER)) : null
  const { limit } = query
  const found: string[] = []
  for (let seen = 0, next = Math.ceil((limit * total * MARGIN) / Math.max(1, matches)); ; next *= 4) {
    const ids = await reads.ids(collection, { ...query, limit: next })
    const unseen = ids.slice(seen)
    found.push(...(listed === null ? await idsContaining(reads, words, wanted, unseen) : unseen.filter((id) => listed.has(id))))
    seen = ids.length
    if (found.length >= limit || seen < next) return found.slice(0, limit)
  }
}

async function idsContaining(
  reads: Reads,
  words: Collection,
  { index, terms, prefix }: SearchQuery,
  ids: readonly string[],
): Promise<string[]> {
  const list = findIndex(words, index).each ?? ''
  const docs = await reads.get(words, ids)
  return docs.flatMap((doc) => {
    if (doc === undefined) return []
    const present = valueAt(doc, list) as string[]
    return terms.every((word) => present.includes(word)) && present.some((word) => word.startsWith(prefix)) ? [doc._id] : []
  })
}
