import { type Collection, type Doc, findIndex, type IndexValue, prefixUpperBound } from '../../../ports/collection.js'
import type { IndexQuery, RangeQuery, Reads } from '../../../ports/models.js'
import type { Connection } from '../database.js'
import { encodeTerm, fullTextTable } from './full-text-index.js'
import { indexTable, keyColumns, parseDocument } from './tables.js'

/** Above this many ids, one statement over a list is cheaper than one statement per id. */
const MAX_SINGLE_GETS = 8

/** A part of an index: `until` is the last entry to look at. */
export type IndexRange = IndexQuery & { after?: readonly IndexValue[]; until?: readonly IndexValue[] }

export class SqliteReads implements Reads {
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
      return this.idsByFtsMatch(collection, query.index, `"${term}"`, query.limit, 'ORDER BY d.id')
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

  protected idsByFtsMatch(collection: Collection, index: string, match: string, limit: number, order = ''): string[] {
    const table = fullTextTable(collection, findIndex(collection, index))
    const statement = this.db.statement<[string]>(
      `SELECT d.id FROM "${table}" AS x CROSS JOIN "${collection.name}" AS d ON d.rowid = x.rowid WHERE x."${table}" MATCH ? ${order} LIMIT ?`,
    )
    return statement.all(match, limit).map(([id]) => id)
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
    const index = query.index === '_id' ? undefined : findIndex(collection, query.index)
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
}
