import DataLoader from 'dataloader'
import type { AbstractCursor, ClientSession, Db, Document, Collection as MongoCollection } from 'mongodb'
import { type Collection, type Doc, findIndex, type IndexValue, valueAt } from '../../../ports/collection.js'
import type { IndexQuery, RangeQuery, Reads, SearchFilter, SearchQuery, SearchReads, Selectivity } from '../../../ports/models.js'
import { answered } from '../errors.js'
import { BATCH, type DocumentLoader, type StoredDocument } from './document-loader.js'
import { type Element, elementAsked, holdersOf, planRange, planSearch, type QueryPlan, type SearchPlan } from './indexes.js'

export interface ReadOptions {
  session?: ClientSession
  signal?: AbortSignal
}

interface Get {
  collection: Collection
  ids: readonly string[]
}

interface IdList {
  collection: Collection
  plan: QueryPlan
  limit: number
  element: Element | null
}

/** With its place in the answer. */
type PlacedList = IdList & { place: number }

/** Larger limits, which no collection reaches, are left out. */
const NO_LIMIT = 1e9

/** So many lists of an index are tried by one scan. If they hold more documents than this, each is read by itself. */
const LISTS_SCANNED = 8
const MAX_SCANNED = 1000

/** Reads the collections of one generation. */
export class MongoReads implements Reads, SearchReads {
  readonly #db: Db
  readonly #prefix: string
  readonly #options: ReadOptions
  readonly #loader: DocumentLoader | undefined
  /** What is looked up at one moment is one command, which costs more than most of what it finds. A search looks up dozens of lists. */
  readonly #gets = new DataLoader((gets: readonly Get[]) => this.#loadGets(gets), { cache: false })
  readonly #idLists = new DataLoader((lists: readonly IdList[]) => this.#loadIds(lists), { cache: false })

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
    const found = new Map<string, D>()
    for (const stored of await this.#gets.load({ collection, ids: wanted })) found.set(stored._id, asDocument(stored))
    return ids.map((id) => found.get(id))
  }

  /** Those of one collection are one command. */
  async #loadGets(gets: readonly Get[]): Promise<StoredDocument[][]> {
    const wanted = new Map<string, { collection: Collection; ids: Set<string> }>()
    for (const { collection, ids } of gets) {
      const all = wanted.get(collection.name) ?? { collection, ids: new Set() }
      for (const id of ids) all.ids.add(id)
      wanted.set(collection.name, all)
    }
    const found = new Map<string, Map<string, StoredDocument>>()
    const load = async ({ collection, ids }: { collection: Collection; ids: ReadonlySet<string> }) => {
      const docs = new Map<string, StoredDocument>()
      found.set(collection.name, docs)
      const all = [...ids]
      for (let at = 0; at < all.length; at += BATCH)
        for (const doc of await this.#byId(collection, all.slice(at, at + BATCH))) docs.set(doc._id, doc)
    }
    await Promise.all([...wanted.values()].map(load))
    return gets.map(({ collection, ids }) => ids.flatMap((id) => found.get(collection.name)?.get(id) ?? []))
  }

  #byId(collection: Collection, ids: string[]): Promise<StoredDocument[]> {
    if (this.#loader !== undefined) return this.#loader.find(this.#prefix + collection.name, ids)
    const filter = ids.length === 1 ? { _id: ids[0] ?? '' } : { _id: { $in: ids } }
    return this.answers(this.#collection(collection).find(filter, { ...this.#options, batchSize: BATCH }))
  }

  async range<D extends Doc>(collection: Collection<D>, query: RangeQuery): Promise<D[]> {
    const plan = planRange(collection, query)
    return (await this.#find(collection, plan, query.limit)).map(asDocument<D>)
  }

  async ids(collection: Collection, query: RangeQuery): Promise<string[]> {
    const plan = planRange(collection, query)
    return this.#idLists.load({ collection, plan, limit: query.limit, element: elementAsked(collection, query) })
  }

  async count(collection: Collection, query: IndexQuery, atMost?: number): Promise<number> {
    const { filter, hint } = planRange(collection, query)
    return this.#count(collection, [{ $match: filter }, ...upTo(atMost)], hint)
  }

  async countMatching(collection: Collection, query: SearchQuery, atMost?: number): Promise<number> {
    const { filter, hint } = planSearch(collection, query)
    return this.#count(collection, [{ $match: filter }, ...upTo(atMost)], hint)
  }

  async idsMatching(collection: Collection, query: SearchQuery, among?: readonly string[]): Promise<string[]> {
    if (among !== undefined && among.length <= MAX_LOOKED_AT) return idsContaining(this, collection, query, among)
    const ids = (await this.#find(collection, planSearch(collection, query), NO_LIMIT, { _id: 1 })).map(({ _id }) => _id)
    if (among === undefined) return ids
    const found = new Set(ids)
    return among.filter((id) => found.has(id))
  }

  async rangeMatching<D extends Doc>(
    collection: Collection<D>,
    query: RangeQuery,
    filter: SearchFilter,
    selectivity: Selectivity,
  ): Promise<D[]> {
    return this.#existing(collection, await matchingIdsInOrder(this, collection, query, filter, selectivity))
  }

  async removedAmong(collection: Collection, ids: readonly string[]): Promise<string[]> {
    const filter = { _id: { $in: ids.filter((id) => id.isWellFormed()) }, removed: true }
    return (await this.#find(collection, { filter, hint: { _id: 1 } }, NO_LIMIT, { _id: 1 })).map(({ _id }) => _id)
  }

  /** Every answer of the server passes here, except those of a loader. */
  protected answers<T>(cursor: AbstractCursor<T>): Promise<T[]> {
    return answered(cursor.toArray())
  }

  async #existing<D extends Doc>(collection: Collection<D>, ids: readonly string[]): Promise<D[]> {
    return (await this.get(collection, ids)).filter((doc) => doc !== undefined)
  }

  #find(collection: Collection, { filter, sort, hint }: SearchPlan & Partial<QueryPlan>, limit: number, projection?: Document) {
    const found = this.#collection(collection).find(filter, {
      ...this.#options,
      hint,
      batchSize: Math.min(limit, BATCH),
      ...(sort === undefined ? {} : { sort }),
      ...(limit < NO_LIMIT ? { limit } : {}),
      ...(projection === undefined ? {} : { projection }),
    })
    return this.answers(found)
  }

  /** Those of one index are one command. */
  async #loadIds(lists: readonly IdList[]): Promise<string[][]> {
    const byIndex = new Map<string, PlacedList[]>()
    for (const [place, list] of lists.entries()) {
      const index = `${list.collection.name} ${JSON.stringify(list.plan.hint)}`
      byIndex.set(index, [...(byIndex.get(index) ?? []), { ...list, place }])
    }
    const found: string[][] = lists.map(() => [])
    const answers = await Promise.all([...byIndex.values()].map((some) => this.#loadIdsOfIndex(some)))
    for (const { _id, ids } of answers.flat()) found[_id] = ids
    return found
  }

  async #loadIdsOfIndex(lists: readonly PlacedList[]): Promise<{ _id: number; ids: string[] }[]> {
    const [first, ...others] = lists
    if (first === undefined) return []
    const { collection, plan, limit, place } = first
    if (others.length === 0) return [{ _id: place, ids: (await this.#find(collection, plan, limit, { _id: 1 })).map(({ _id }) => _id) }]
    const atOnce = await this.#scanHolders(lists)
    if (atOnce !== null) return atOnce
    const stored = this.#collection(collection)
    const unions = others.map((list) => ({ $unionWith: { coll: stored.collectionName, pipeline: idsIn(list) } }))
    const steps = [...idsIn(first), ...unions]
    return this.answers(stored.aggregate(steps, { ...this.#options, hint: plan.hint, batchSize: BATCH }))
  }

  /** By one scan; `null` where that is no gain. */
  async #scanHolders(lists: readonly PlacedList[]): Promise<{ _id: number; ids: string[] }[] | null> {
    const [first] = lists
    const list = first?.element?.list
    if (first === undefined || list === undefined || lists.length < LISTS_SCANNED) return null
    const holders = new Map<IndexValue, string[]>()
    for (const { element } of lists) {
      if (element?.list !== list) return null
      holders.set(element.value, [])
    }
    const values = [...holders.keys()]
    const steps = [
      { $match: holdersOf(first.plan, list, values) },
      { $limit: MAX_SCANNED + 1 },
      { $sort: first.plan.sort },
      { $project: { held: { $setIntersection: [`$${list}`, { $literal: values }] } } },
    ]
    const options = { ...this.#options, hint: first.plan.hint, batchSize: MAX_SCANNED + 1 }
    const docs = await this.answers(this.#collection(first.collection).aggregate(steps, options))
    if (docs.length > MAX_SCANNED) return null
    for (const { _id, held } of docs) for (const value of held) holders.get(value)?.push(_id)
    return lists.map(({ element, limit, place }) => ({ _id: place, ids: holders.get(element?.value ?? '')?.slice(0, limit) ?? [] }))
  }

  async #count(collection: Collection, steps: Document[], hint: QueryPlan['hint']): Promise<number> {
    const counted = this.#collection(collection).aggregate([...steps, { $count: 'entries' }], { ...this.#options, hint })
    return (await this.answers(counted))[0]?.entries ?? 0
  }

  #collection({ name }: Collection): MongoCollection<StoredDocument> {
    return this.#db.collection<StoredDocument>(this.#prefix + name)
  }
}

/** The engine checked it against the collection's schema before it was written. */
const asDocument = <D extends Doc>(stored: StoredDocument): D => stored as never

const idsIn = ({ plan: { filter, sort }, limit, place }: PlacedList): Document[] => [
  { $match: filter },
  { $sort: sort },
  { $limit: limit },
  { $group: { _id: place, ids: { $push: '$_id' } } },
]

const upTo = (atMost: number | undefined): Document[] => (atMost === undefined ? [] : [{ $limit: atMost }])

/** Documents that are looked at one by one, instead of listing all matches. */
const MAX_LOOKED_AT = 100

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
  const listed = matches <= Math.sqrt(170 * total) ? new Set(await reads.idsMatching(words, wanted)) : null
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
    return terms.every((word) => present.includes(word)) && (prefix === null || present.some((word) => word.startsWith(prefix)))
      ? [doc._id]
      : []
  })
}
