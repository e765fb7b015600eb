import { findQueriedIndex } from '../../src/ports/collection.js'
import type {
  Collection,
  Doc,
  IndexQuery,
  IndexSpec,
  IndexValue,
  RangeQuery,
  Reads,
  SearchFilter,
  SearchQuery,
  SearchReads,
} from '../../src/ports/document-store.js'

/** A document as the memory store keeps it: the text it was written as, and a frozen reading of it for the indexes. */
export interface StoredDocument {
  text: string
  doc: Doc
}

/** Collection → id → document. Never changed in place, so that holding one is holding a snapshot. */
export type DocumentsByCollection = ReadonlyMap<string, ReadonlyMap<string, StoredDocument>>

interface Entry {
  /** The values of the index fields, then the id. */
  key: readonly IndexValue[]
  id: string
}

/**
 * Answers every query by scanning all documents, so there is no index that could be wrong. Documents are frozen and freshly
 * parsed: code that changes one in place, or relies on object identity, fails.
 */
export class MemoryReads implements Reads, SearchReads {
  readonly #documents: () => DocumentsByCollection
  /** Whether the `query` indexes are there; a loading generation goes without. */
  readonly #indexed: () => boolean

  constructor(documents: () => DocumentsByCollection, indexed: () => boolean) {
    this.#documents = documents
    this.#indexed = indexed
  }

  async get<D extends Doc>(collection: Collection<D>, ids: readonly string[]): Promise<(D | undefined)[]> {
    const documents = this.#documentsOf(collection)
    return ids.map((id) => {
      const kept = documents.get(id)
      return kept && thaw<D>(kept)
    })
  }

  async range<D extends Doc>(collection: Collection<D>, query: RangeQuery): Promise<D[]> {
    const documents = this.#documentsOf(collection)
    return this.#page(collection, query).flatMap(({ id }) => {
      const kept = documents.get(id)
      return kept === undefined ? [] : [thaw<D>(kept)]
    })
  }

  async ids(collection: Collection, query: RangeQuery): Promise<string[]> {
    return this.#page(collection, query).map(({ id }) => id)
  }

  async count(collection: Collection, query: IndexQuery, atMost = Number.POSITIVE_INFINITY): Promise<number> {
    return Math.min(this.#queried(collection, query).length, atMost)
  }

  async countMatching(collection: Collection, query: SearchQuery, atMost = Number.POSITIVE_INFINITY): Promise<number> {
    return Math.min(this.#holding(collection, query).length, atMost)
  }

  async idsMatching(collection: Collection, query: SearchQuery, among?: readonly string[]): Promise<string[]> {
    const ids = this.#holding(collection, query)
    return among?.filter((id) => ids.includes(id)) ?? ids
  }

  async rangeMatching<D extends Doc>(collection: Collection<D>, query: RangeQuery, filter: SearchFilter): Promise<D[]> {
    const holding = new Set(this.#holding(filter.collection, filter.query))
    const found = await this.range(collection, { ...query, limit: Number.POSITIVE_INFINITY })
    return found.filter(({ _id }) => holding.has(_id)).slice(0, query.limit)
  }

  #holding(collection: Collection, { index, terms, prefix }: SearchQuery): string[] {
    const last = prefix === null ? [] : [{ index, equals: [], startsWith: prefix }]
    const sets = [...terms.map((word) => ({ index, equals: [word] })), ...last].map(
      (query) => new Set(this.#entries(collection, query).map(({ id }) => id)),
    )
    return [...this.#documentsOf(collection).keys()].filter((id) => sets.every((set) => set.has(id)))
  }

  #page(collection: Collection, query: RangeQuery): Entry[] {
    const direction = this.#index(collection, query.index)?.order === 'desc' ? -1 : 1
    const { after } = query
    return this.#queried(collection, query)
      .filter(({ key }) => after === undefined || direction * compareKeys(key.slice(query.equals.length), after) > 0)
      .sort((a, b) => direction * compareKeys(a.key, b.key))
      .slice(0, query.limit)
  }

  #queried(collection: Collection, query: IndexQuery): Entry[] {
    if (query.index !== '_id') findQueriedIndex(collection, query)
    return this.#entries(collection, query)
  }

  #entries(collection: Collection, { index: name, equals, startsWith }: IndexQuery): Entry[] {
    const index = this.#index(collection, name)
    const begins = (next: IndexValue | undefined) => startsWith === undefined || (typeof next === 'string' && next.startsWith(startsWith))
    const entries: Entry[] = []
    for (const [id, { doc }] of this.#documentsOf(collection)) {
      // The only shortcut: a fan-out asks for one creation's edges after the other.
      if (index === null && !begins(id)) continue
      for (const values of index === null ? [[]] : valuesOf(index, doc)) {
        const key = [...values, id]
        if (begins(key[equals.length]) && equals.every((value, i) => value === key[i])) entries.push({ key, id })
      }
    }
    return entries
  }

  #index(collection: Collection, name: string): IndexSpec | null {
    if (name === '_id') return null
    const index = collection.indexes.find((candidate) => candidate.name === name)
    if (index === undefined) throw new Error(`collection ${collection.name} declares no index "${name}"`)
    if (index.use === 'query' && !this.#indexed()) throw new Error(`the index "${name}" of ${collection.name} is not built yet`)
    return index
  }

  #documentsOf(collection: Collection): ReadonlyMap<string, StoredDocument> {
    return this.#documents().get(collection.name) ?? new Map()
  }
}

export function keep(doc: Doc): StoredDocument {
  const text = JSON.stringify(doc)
  return { text, doc: frozen(JSON.parse(text) as Doc) }
}

// What was put into a collection is of that collection's type; JSON forgets it.
const thaw = <D extends Doc>({ text }: StoredDocument): D => frozen(JSON.parse(text) as D)

function frozen<T>(value: T): T {
  if (value !== null && typeof value === 'object') {
    for (const member of Object.values(value)) frozen(member)
    Object.freeze(value)
  }
  return value
}

function valuesOf(index: IndexSpec, doc: Doc): IndexValue[][] {
  let rows: IndexValue[][] = [[]]
  for (const field of index.fields) {
    const value = (doc as Doc & Record<string, unknown>)[field]
    const found = field === index.each ? (Array.isArray(value) ? [...new Set(value)] : []) : [value]
    rows = rows.flatMap((row) => found.filter(isIndexValue).map((one) => [...row, one]))
  }
  return rows
}

const isIndexValue = (value: unknown): value is IndexValue => typeof value === 'string' || typeof value === 'number'

function compareKeys(a: readonly IndexValue[], b: readonly IndexValue[]): number {
  for (const [i, value] of a.entries()) {
    const other = b[i]
    const order = other === undefined ? 1 : compareValues(value, other)
    if (order !== 0) return order
  }
  return 0
}

function compareValues(a: IndexValue, b: IndexValue): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1
  return typeof b === 'number' ? 1 : compareText(a, b)
}

/** By code point, as UTF-8 sorts; JavaScript's `<` puts the astral planes before the last of the basic one. */
export function compareText(a: string, b: string): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const one = a.charCodeAt(i)
    const other = b.charCodeAt(i)
    if (one !== other) return codePointRank(one) - codePointRank(other)
  }
  return a.length - b.length
}

const codePointRank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800)
