import type {
  Collection,
  Doc,
  IndexValue,
  RangeQuery,
  SearchFilter,
  SearchQuery,
  SearchReads,
  Selectivity,
} from '../../../ports/document-store.js'
import { prefixUpperBound } from '../../prefix-upper-bound.js'
import { encodeTerm, fullTextTable, termCountsTable } from './full-text-index.js'
import { findIndex, SqliteReads } from './reads.js'
import { parseDocument } from './tables.js'

/** A beginning of so many words is left to the full-text index, which is slower with it than with whole words. */
const MAX_EXPANDED_TERMS = 64
/** What they cost, in microseconds: to list a match, and to look for words in the text of a document. */
const COST_TO_LIST = 0.3
const COST_TO_LOOK = 2

/** What tells an entry of an index that is walked, `x`, whether `t`, the row beside it with the words, holds them. */
interface SqlCondition {
  sql: string
  values: readonly string[]
}

type BoundedRange = RangeQuery & { until?: readonly IndexValue[] }

/** Search, in one generation's file. */
export class SqliteSearchReads extends SqliteReads implements SearchReads {
  async countMatching(collection: Collection, query: SearchQuery): Promise<number> {
    const beginnings = this.#termsWithPrefix(collection, query)
    if (beginnings === null) return this.#countMatches(collection, query, ftsQuery(query, null))
    const [most, ...others] = beginnings.toSorted(([, a], [, b]) => b - a)
    if (most === undefined) return 0
    if (query.terms.length > 0) return this.#countMatches(collection, query, ftsQuery(query, beginnings))
    // Of the word that most documents hold it is known how many, which leaves those that hold one of the others alone.
    const [word, documents] = most
    return others.length === 0 ? documents : documents + this.#countMatches(collection, query, `${anyTerm(others)} NOT "${word}"`)
  }

  async idsMatching(collection: Collection, query: SearchQuery, limit: number): Promise<string[]> {
    const match = this.#ftsMatch(collection, query)
    return match === null ? [] : this.idsByFtsMatch(collection, query.index, match, limit)
  }

  async getMatching<D extends Doc>(collection: Collection<D>, { collection: words, query }: SearchFilter): Promise<D[]> {
    const match = this.#ftsMatch(words, query)
    if (match === null) return []
    const table = fullTextTable(words, findIndex(words, query.index))
    const statement = this.statement(
      `SELECT d.doc FROM "${table}" AS x CROSS JOIN "${words.name}" AS t ON t.rowid = x.rowid CROSS JOIN "${collection.name}" AS d ON d.id = t.id
       WHERE x."${table}" MATCH ?`,
    )
    return documents(collection, statement.all(match))
  }

  /**
   * Walks the index. Where matches are frequent they are soon found by looking at what the walk comes by. Where they are
   * not, or gather elsewhere in this order, they are listed first. Looking goes twice as far as should be needed, and then on
   * for as long as listing would have taken.
   */
  async rangeMatching<D extends Doc>(
    collection: Collection<D>,
    query: RangeQuery,
    filter: SearchFilter,
    { matches, total }: Selectivity,
  ): Promise<D[]> {
    const expected = (query.limit * total) / matches
    if (expected * COST_TO_LOOK > matches * COST_TO_LIST) return this.#scanIndex(collection, query, filter, this.#inMatchList(filter))
    const found: D[] = []
    let place: BoundedRange = query
    for (const reach of [2 * expected, (matches * COST_TO_LIST) / COST_TO_LOOK]) {
      const until = this.#entryAt(collection, place, Math.ceil(reach))
      found.push(...this.#scanIndex(collection, { ...place, ...(until && { until }) }, filter, textContains(filter)))
      if (until === undefined || found.length === query.limit) return found
      place = { ...query, after: until, limit: query.limit - found.length }
    }
    return [...found, ...this.#scanIndex(collection, place, filter, this.#inMatchList(filter))]
  }

  #scanIndex<D extends Doc>(
    collection: Collection<D>,
    place: BoundedRange,
    { collection: words }: SearchFilter,
    { sql, values }: SqlCondition,
  ): D[] {
    const { from, where, sorted, bindings } = this.conditions(collection, place)
    const statement = this.statement(
      `SELECT d.doc FROM ${from} CROSS JOIN "${words.name}" AS t ON t.id = x.id CROSS JOIN "${collection.name}" AS d ON d.id = x.id
       WHERE ${where} AND ${sql} ORDER BY ${sorted} LIMIT ?`,
    )
    return documents(collection, statement.all(...bindings, ...values, place.limit))
  }

  /** The key of an entry so far behind the beginning of a range, unless that ends before. */
  #entryAt(collection: Collection, query: RangeQuery, offset: number): IndexValue[] | undefined {
    const { from, where, sorted, entry, bindings } = this.conditions(collection, query)
    const statement = this.statement(`SELECT ${entry} FROM ${from} WHERE ${where} ORDER BY ${sorted} LIMIT 1 OFFSET ?`)
    return statement.get(...bindings, offset) as unknown as IndexValue[] | undefined
  }

  #inMatchList({ collection, query }: SearchFilter): SqlCondition {
    const table = fullTextTable(collection, findIndex(collection, query.index))
    const match = this.#ftsMatch(collection, query)
    // The plus keeps SQLite from going through the list instead of the index.
    return match === null ? NO_MATCH : { sql: `+t.rowid IN (SELECT rowid FROM "${table}" WHERE "${table}" MATCH ?)`, values: [match] }
  }

  #ftsMatch(collection: Collection, query: SearchQuery): string | null {
    const beginnings = this.#termsWithPrefix(collection, query)
    return beginnings?.length === 0 ? null : ftsQuery(query, beginnings)
  }

  #countMatches(collection: Collection, { index }: SearchQuery, match: string): number {
    const table = fullTextTable(collection, findIndex(collection, index))
    const [count] = this.statement(`SELECT count(*) FROM "${table}" WHERE "${table}" MATCH ?`).get(match) as unknown as [number]
    return count
  }

  /** The words with the beginning that is wanted, and how many documents hold each; `null` where there are many. */
  #termsWithPrefix(collection: Collection, { index, prefix }: SearchQuery): TermCount[] | null {
    const first = encodeTerm(prefix)
    const behind = prefixUpperBound(first)
    const statement = this.statement(
      `SELECT word, documents FROM "${termCountsTable(collection, findIndex(collection, index))}"
       WHERE word >= ? ${behind === null ? '' : 'AND word < ?'} LIMIT ${MAX_EXPANDED_TERMS + 1}`,
    )
    const words = statement.all(first, ...(behind === null ? [] : [behind])) as unknown as TermCount[]
    return words.length > MAX_EXPANDED_TERMS ? null : words
  }
}

type TermCount = [word: string, documents: number]

const NO_MATCH: SqlCondition = { sql: 'FALSE', values: [] }

const documents = <D extends Doc>(collection: Collection<D>, rows: readonly unknown[]): D[] =>
  (rows as [string][]).map(([doc]) => parseDocument(collection, doc))

/** A question in the words of the full-text index. */
function ftsQuery({ terms, prefix }: SearchQuery, beginnings: readonly TermCount[] | null): string {
  const last = beginnings === null ? `"${encodeTerm(prefix)}" *` : anyTerm(beginnings)
  return [...terms.map((word) => `"${encodeTerm(word)}"`), last].join(' AND ')
}

const anyTerm = (words: readonly TermCount[]): string => `(${words.map(([word]) => `"${word}"`).join(' OR ')})`

/** Nearly all documents are told by their text alone; only where it holds the words is it read as what it is. */
function textContains({ collection, query: { index, terms, prefix } }: SearchFilter): SqlCondition {
  const texts = [...terms.map((word) => JSON.stringify(word)), JSON.stringify(prefix).slice(0, -1)]
  const list = `json_each(t.doc, '$.${findIndex(collection, index).each}')`
  const held = [...terms.map(() => 'value = ?'), 'instr(value, ?) = 1'].map((is) => `EXISTS (SELECT 1 FROM ${list} WHERE ${is})`)
  return { sql: [...texts.map(() => 'instr(t.doc, ?)'), ...held].join(' AND '), values: [...texts, ...terms, prefix] }
}
