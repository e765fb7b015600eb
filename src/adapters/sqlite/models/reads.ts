import { type Collection, type Doc, findIndex, findQueriedIndex, type IndexValue, prefixUpperBound } from '../../../ports/collection.js'
import type { IndexQuery, RangeQuery, Reads, SearchFilter, SearchQuery, SearchReads, Selectivity } from '../../../ports/models.js'
import type { Connection } from '../database.js'
import { encodeTerm, fullTextTable, termCountsTable } from './full-text-index.js'
import { indexTable, keyColumns, parseDocument } from './tables.js'

/** Above this many ids, one statement over a list is cheaper than one statement per id. */
const MAX_SINGLE_GETS = 8

/** A prefix of more terms than this is left to the full-text index, which is slower with a prefix than with whole terms. */
const MAX_EXPANDED_TERMS = 64
/** Costs in microseconds: to list a match, and to search the text of a document. */
const COST_TO_LIST = 0.3
const COST_TO_LOOK = 2

/** To look at the text of a document that matches takes as long as to list this many. */
const LISTED_MEANWHILE = 16

/** Whether `t`, the row with the search terms of the index entry `x`, holds the wanted ones. */
interface SqlCondition {
  sql: string
  values: readonly string[]
}

/** A part of an index: `until` is the last entry to look at. */
export type IndexRange = IndexQuery & { after?: readonly IndexValue[]; until?: readonly IndexValue[] }

export class SqliteReads implements Reads, SearchReads {
  protected readonly db: Connection

  constructor(db: Connection) {
    this.db = db
  }

  async get<D extends Doc>(collection: Collection<D>, ids: readonly string[]): Promise<(D | undefined)[]> {
    if (ids.length <= MAX_SINGLE_GETS) {
      const one = this.db.statement<[string]>(`SELECT doc FROM "${collection.name}" WHERE id = ?`)
      return ids.map((id) => {
        const row = one.get(id)
        return row === undefined ? undefined : parseDocument(collection, row[0], id)
      })
    }
    const many = this.db.statement<[string, string]>(
      `SELECT id, doc FROM "${collection.name}" WHERE id IN (SELECT value FROM json_each(?))`,
    )
    const found = new Map(many.all(JSON.stringify(ids)).map(([id, doc]) => [id, parseDocument(collection, doc, id)]))
    return ids.map((id) => found.get(id))
  }

  async range<D extends Doc>(collection: Collection<D>, query: RangeQuery): Promise<D[]> {
    return this.#select(collection, query, 'doc').map(([doc]) => parseDocument(collection, doc))
  }

  async ids(collection: Collection, query: RangeQuery): Promise<string[]> {
    if (query.index !== '_id' && findIndex(collection, query.index).fullText) {
      const term = encodeTerm(String(query.equals[0]))
      return this.#idsByFtsMatch(collection, query.index, `"${term}"`, query.limit, 'ORDER BY d.id')
    }
    return this.#select(collection, query, 'id').map(([id]) => id)
  }

  async count(collection: Collection, query: IndexQuery, atMost?: number): Promise<number> {
    const { from, where, bindings } = this.conditions(collection, query)
    const limit = atMost === undefined ? '' : ` LIMIT ${Number(atMost)}`
    const statement = this.db.statement<[number]>(`SELECT count(*) FROM (SELECT 1 FROM ${from} WHERE ${where}${limit})`)
    const [count] = statement.one(...bindings)
    return count
  }

  #select(collection: Collection, query: RangeQuery, what: 'doc' | 'id'): [string][] {
    const { from, where, sorted, bindings } = this.conditions(collection, query)
    const itself = what === 'id' || from.startsWith(`"${collection.name}" `)
    const source = itself ? from : `${from} CROSS JOIN "${collection.name}" AS d ON d.id = x.id`
    const statement = this.db.statement<[string]>(
      `SELECT ${itself ? 'x' : 'd'}.${what} FROM ${source} WHERE ${where} ORDER BY ${sorted} LIMIT ?`,
    )
    return statement.all(...bindings, query.limit)
  }

  /** The parts of a statement over `x`, the index entries of a query, and the values for its conditions. */
  protected conditions(collection: Collection, query: IndexRange) {
    const index = query.index === '_id' ? undefined : findQueriedIndex(collection, query)
    const columns = index === undefined ? [] : keyColumns(index).map((column) => `x.${column}`)
    const open = [...columns.slice(query.equals.length), 'x.id']
    const falling = index?.order === 'desc'
    const conditions = columns.slice(0, query.equals.length).map((column) => `${column} = ?`)
    const prefix =
      query.startsWith === undefined ? [] : [query.startsWith, prefixUpperBound(query.startsWith)].filter((bound) => bound !== null)
    for (const i of prefix.keys()) conditions.push(`${open[0]} ${i === 0 ? '>=' : '<'} ?`)
    // Comparing whole rows lets SQLite start right after the entry instead of skipping over its ties.
    const compared = (sign: string) => `(${open.join(', ')}) ${sign} (${open.map(() => '?').join(', ')})`
    if (query.after !== undefined) conditions.push(compared(falling ? '<' : '>'))
    if (query.until !== undefined) conditions.push(compared(falling ? '>=' : '<='))
    const table = index === undefined ? collection.name : indexTable(collection, index)
    return {
      from: `"${table}" AS x`,
      where: conditions.join(' AND ') || 'TRUE',
      entry: open.join(', '),
      sorted: open.map((column) => `${column} ${falling ? 'DESC' : 'ASC'}`).join(', '),
      bindings: [...query.equals, ...prefix, ...(query.after ?? []), ...(query.until ?? [])],
    }
  }

  #idsByFtsMatch(collection: Collection, index: string, match: string, limit: number, order = ''): string[] {
    const table = fullTextTable(collection, findIndex(collection, index))
    const statement = this.db.statement<[string]>(
      `SELECT d.id FROM "${table}" AS x CROSS JOIN "${collection.name}" AS d ON d.rowid = x.rowid WHERE x."${table}" MATCH ? ${order} LIMIT ?`,
    )
    return statement.all(match, limit).map(([id]) => id)
  }

  async countMatching(collection: Collection, query: SearchQuery, atMost = Number.MAX_SAFE_INTEGER): Promise<number> {
    return Math.min(this.#count(collection, query), atMost)
  }

  #count(collection: Collection, query: SearchQuery): number {
    const [only, ...more] = query.terms
    if (query.prefix === null && only !== undefined && more.length === 0) return this.#documentsWith(collection, query.index, only)
    const expanded = this.#termsWithPrefix(collection, query)
    if (expanded === null) return this.#countMatches(collection, query, ftsQuery(query, null))
    const [most, ...others] = expanded.toSorted(([, a], [, b]) => b - a)
    if (most === undefined) return 0
    if (query.terms.length > 0) return this.#countMatches(collection, query, ftsQuery(query, expanded))
    // The count of the most frequent term is known; add the documents that hold only others.
    const [term, documents] = most
    return others.length === 0 ? documents : documents + this.#countMatches(collection, query, `${anyTerm(others)} NOT "${term}"`)
  }

  async idsMatching(collection: Collection, query: SearchQuery, among?: readonly string[]): Promise<string[]> {
    if (among !== undefined) return this.#matchingAmong({ collection, query }, among)
    const match = this.#ftsMatch(collection, query)
    return match === null ? [] : this.#idsByFtsMatch(collection, query.index, match, Number.MAX_SAFE_INTEGER)
  }

  #matchingAmong(filter: SearchFilter, among: readonly string[]): string[] {
    const { name } = filter.collection
    const [last] = this.db.statement<[number | null]>(`SELECT max(rowid) FROM "${name}"`).one()
    const { sql, values } = among.length * LISTED_MEANWHILE < (last ?? 0) ? textContains(filter) : this.#inMatchList(filter)
    const statement = this.db.statement<[string]>(
      `SELECT t.id FROM json_each(?) AS e CROSS JOIN "${name}" AS t ON t.id = e.value WHERE ${sql} ORDER BY e.key`,
    )
    return statement.all(JSON.stringify(among), ...values).map(([id]) => id)
  }

  /**
   * Scans the index. Frequent matches are found soon by searching the text of each scanned document. Rare matches, or
   * matches that cluster elsewhere in this order, are listed first. The text search covers twice the expected distance, then
   * continues for as long as listing would have taken.
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
    let place: RangeQuery & Pick<IndexRange, 'until'> = query
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
    place: RangeQuery & Pick<IndexRange, 'until'>,
    { collection: words }: SearchFilter,
    { sql, values }: SqlCondition,
  ): D[] {
    const { from, where, sorted, bindings } = this.conditions(collection, place)
    const statement = this.db.statement<[string]>(
      `SELECT d.doc FROM ${from} CROSS JOIN "${words.name}" AS t ON t.id = x.id CROSS JOIN "${collection.name}" AS d ON d.id = x.id
       WHERE ${where} AND ${sql} ORDER BY ${sorted} LIMIT ?`,
    )
    return documents(collection, statement.all(...bindings, ...values, place.limit))
  }

  /** The key of the entry at an offset in a range, unless the range ends before. */
  #entryAt(collection: Collection, query: RangeQuery, offset: number): IndexValue[] | undefined {
    const { from, where, sorted, entry, bindings } = this.conditions(collection, query)
    const statement = this.db.statement<IndexValue[]>(`SELECT ${entry} FROM ${from} WHERE ${where} ORDER BY ${sorted} LIMIT 1 OFFSET ?`)
    return statement.get(...bindings, offset)
  }

  #inMatchList({ collection, query }: SearchFilter): SqlCondition {
    const table = fullTextTable(collection, findIndex(collection, query.index))
    const match = this.#ftsMatch(collection, query)
    // The plus keeps SQLite from scanning the list instead of the index.
    return match === null ? NO_MATCH : { sql: `+t.rowid IN (SELECT rowid FROM "${table}" WHERE "${table}" MATCH ?)`, values: [match] }
  }

  #ftsMatch(collection: Collection, query: SearchQuery): string | null {
    const expanded = this.#termsWithPrefix(collection, query)
    return query.prefix !== null && expanded?.length === 0 ? null : ftsQuery(query, expanded)
  }

  #countMatches(collection: Collection, { index }: SearchQuery, match: string): number {
    const table = fullTextTable(collection, findIndex(collection, index))
    const [count] = this.db.statement<[number]>(`SELECT count(*) FROM "${table}" WHERE "${table}" MATCH ?`).one(match)
    return count
  }

  #documentsWith(collection: Collection, index: string, term: string): number {
    const table = termCountsTable(collection, findIndex(collection, index))
    return this.db.statement<[number]>(`SELECT documents FROM "${table}" WHERE word = ?`).get(encodeTerm(term))?.[0] ?? 0
  }

  /** The terms with the prefix, and how many documents hold each; `null` where there are too many, or no prefix. */
  #termsWithPrefix(collection: Collection, { index, prefix }: SearchQuery): TermCount[] | null {
    if (prefix === null) return null
    const first = encodeTerm(prefix)
    const end = prefixUpperBound(first)
    const statement = this.db.statement<TermCount>(
      `SELECT word, documents FROM "${termCountsTable(collection, findIndex(collection, index))}"
       WHERE word >= ? ${end === null ? '' : 'AND word < ?'} LIMIT ${MAX_EXPANDED_TERMS + 1}`,
    )
    const terms = statement.all(first, ...(end === null ? [] : [end]))
    return terms.length > MAX_EXPANDED_TERMS ? null : terms
  }
}

type TermCount = [word: string, documents: number]

const NO_MATCH: SqlCondition = { sql: 'FALSE', values: [] }

const documents = <D extends Doc>(collection: Collection<D>, rows: readonly [string][]): D[] =>
  rows.map(([doc]) => parseDocument(collection, doc))

/** The query in the syntax of the full-text index. */
function ftsQuery({ terms, prefix }: SearchQuery, expanded: readonly TermCount[] | null): string {
  const last = prefix === null ? [] : [expanded === null ? `"${encodeTerm(prefix)}" *` : anyTerm(expanded)]
  return [...terms.map((word) => `"${encodeTerm(word)}"`), ...last].join(' AND ')
}

const anyTerm = (words: readonly TermCount[]): string => `(${words.map(([word]) => `"${word}"`).join(' OR ')})`

/** The plain text rules out nearly all documents; the JSON is parsed only where the text holds the terms. */
function textContains({ collection, query: { index, terms, prefix } }: SearchFilter): SqlCondition {
  const last = prefix === null ? [] : [prefix]
  const texts = [...terms.map((word) => JSON.stringify(word)), ...last.map((word) => JSON.stringify(word).slice(0, -1))]
  const list = `json_each(t.doc, '$.${findIndex(collection, index).each}')`
  const held = [...terms.map(() => 'value = ?'), ...last.map(() => 'instr(value, ?) = 1')].map(
    (is) => `EXISTS (SELECT 1 FROM ${list} WHERE ${is})`,
  )
  return { sql: [...texts.map(() => 'instr(t.doc, ?)'), ...held].join(' AND '), values: [...texts, ...terms, ...last] }
}
