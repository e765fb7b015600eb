import type { Collection, Doc, IndexQuery, IndexSpec, RangeQuery, Reads, WordQuery, WordReads } from '../../ports/document-store.js'
import { firstBehind } from '../first-behind.js'
import type { Connection, Statement } from './database.js'
import { indexTable, keyColumns } from './tables.js'
import { matchOf, matchOfWord, wordsTable } from './words.js'

/** Above this many ids one statement over a list is cheaper than a statement each. */
const FEW = 8

export class SqliteReads implements Reads, WordReads {
  readonly #db: Connection
  readonly #statements = new Map<string, Statement>()

  constructor(db: Connection) {
    this.#db = db
  }

  async get<D extends Doc>(collection: Collection<D>, ids: readonly string[]): Promise<(D | undefined)[]> {
    if (ids.length <= FEW) {
      const one = this.#statement(`SELECT doc FROM "${collection.name}" WHERE id = ?`)
      return ids.map((id) => {
        const row = one.get(id) as unknown as [string] | undefined
        return row === undefined ? undefined : (JSON.parse(row[0]) as D)
      })
    }
    const many = this.#statement(`SELECT id, doc FROM "${collection.name}" WHERE id IN (SELECT value FROM json_each(?))`)
    const rows = many.all(JSON.stringify(ids)) as unknown as [string, string][]
    const found = new Map(rows.map(([id, doc]) => [id, JSON.parse(doc) as D]))
    return ids.map((id) => found.get(id))
  }

  async range<D extends Doc>(collection: Collection<D>, query: RangeQuery): Promise<D[]> {
    const rows = this.#select(collection, query, 'doc').all(...bindings(query), query.limit) as unknown as [string][]
    return rows.map(([doc]) => JSON.parse(doc) as D)
  }

  async ids(collection: Collection, query: RangeQuery): Promise<string[]> {
    if (query.index !== '_id' && findIndex(collection, query.index).words) return this.#idsOfWord(collection, query)
    const rows = this.#select(collection, query, 'id').all(...bindings(query), query.limit) as unknown as [string][]
    return rows.map(([id]) => id)
  }

  async count(collection: Collection, query: IndexQuery, atMost?: number): Promise<number> {
    const { from, where } = this.#conditions(collection, query)
    const limit = atMost === undefined ? '' : ` LIMIT ${Number(atMost)}`
    const statement = this.#statement(`SELECT count(*) FROM (SELECT 1 FROM ${from} WHERE ${where}${limit})`)
    const [count] = statement.get(...bindings(query)) as unknown as [number]
    return count
  }

  async countWith(collection: Collection, query: WordQuery): Promise<number> {
    const table = wordsTable(collection, findIndex(collection, query.index))
    const [count] = this.#statement(`SELECT count(*) FROM "${table}" WHERE "${table}" MATCH ?`).get(matchOf(query)) as unknown as [number]
    return count
  }

  async idsWith(collection: Collection, query: WordQuery, limit: number): Promise<string[]> {
    return this.#idsMatching(collection, query.index, matchOf(query), limit)
  }

  #idsOfWord(collection: Collection, { index, equals: [word], limit }: RangeQuery): string[] {
    return this.#idsMatching(collection, index, matchOfWord(String(word)), limit, 'ORDER BY d.id')
  }

  #idsMatching(collection: Collection, index: string, match: string, limit: number, order = ''): string[] {
    const table = wordsTable(collection, findIndex(collection, index))
    const statement = this.#statement(
      `SELECT d.id FROM "${table}" AS x CROSS JOIN "${collection.name}" AS d ON d.rowid = x.rowid WHERE x."${table}" MATCH ? ${order} LIMIT ?`,
    )
    const rows = statement.all(match, limit) as unknown as [string][]
    return rows.map(([id]) => id)
  }

  #select(collection: Collection, query: RangeQuery, what: 'doc' | 'id'): Statement {
    const { from, where, open, order } = this.#conditions(collection, query)
    const direction = order === 'desc' ? 'DESC' : 'ASC'
    const sorted = [...open, 'x.id'].map((column) => `${column} ${direction}`).join(', ')
    if (what === 'id' || from.startsWith(`"${collection.name}" `)) {
      return this.#statement(`SELECT x.${what} FROM ${from} WHERE ${where} ORDER BY ${sorted} LIMIT ?`)
    }
    return this.#statement(
      `SELECT d.doc FROM ${from} CROSS JOIN "${collection.name}" AS d ON d.id = x.id WHERE ${where} ORDER BY ${sorted} LIMIT ?`,
    )
  }

  #conditions(collection: Collection, query: IndexQuery & { after?: readonly unknown[] }) {
    const index = query.index === '_id' ? undefined : findIndex(collection, query.index)
    const columns = index === undefined ? [] : keyColumns(index).map((column) => `x.${column}`)
    const open = columns.slice(query.equals.length)
    const order = index?.order ?? 'asc'
    const conditions = columns.slice(0, query.equals.length).map((column) => `${column} = ?`)
    if (query.startsWith !== undefined) {
      const column = open[0] ?? 'x.id'
      conditions.push(`${column} >= ?`)
      if (firstBehind(query.startsWith) !== null) conditions.push(`${column} < ?`)
    }
    if (query.after !== undefined) {
      const entry = [...open, 'x.id']
      // A row-value comparison lets SQLite start right behind the entry instead of skipping over its ties.
      conditions.push(`(${entry.join(', ')}) ${order === 'desc' ? '<' : '>'} (${entry.map(() => '?').join(', ')})`)
    }
    const table = index === undefined ? collection.name : indexTable(collection, index)
    return { from: `"${table}" AS x`, where: conditions.join(' AND ') || 'TRUE', open, order }
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#db.prepare(sql).raw()
      this.#statements.set(sql, statement)
    }
    return statement
  }
}

function findIndex(collection: Collection, name: string): IndexSpec {
  const index = collection.indexes.find((candidate) => candidate.name === name)
  if (index === undefined) throw new Error(`collection ${collection.name} declares no index "${name}"`)
  return index
}

function bindings(query: IndexQuery & { after?: readonly unknown[] }): unknown[] {
  const { startsWith } = query
  const prefix = startsWith === undefined ? [] : [startsWith, firstBehind(startsWith)].filter((bound) => bound !== null)
  return [...query.equals, ...prefix, ...(query.after ?? [])]
}
