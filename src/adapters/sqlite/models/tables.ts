import { errorMessage } from '../../../lib/message-text.js'
import type { Collection, Doc, IndexSpec } from '../../../ports/collection.js'
import { UnreadableDocumentError } from '../../../ports/document-store.js'
import { type Checkpoint, INITIAL_CHECKPOINT } from '../../../ports/models.js'
import type { Connection, Statement } from '../database.js'

export const META_SCHEMA = `
  CREATE TABLE IF NOT EXISTS _checkpoint (one INTEGER PRIMARY KEY CHECK (one = 1), value TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS _meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)`

export function readCheckpoint(db: Connection): Checkpoint {
  const row = db.statement<[string]>('SELECT value FROM _checkpoint').get()
  return row === undefined ? INITIAL_CHECKPOINT : (JSON.parse(row[0]) as Checkpoint)
}

export function writeCheckpoint(db: Connection, checkpoint: Checkpoint): void {
  const write = 'INSERT INTO _checkpoint VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET value = excluded.value'
  db.statement(write).run(JSON.stringify(checkpoint))
}

/** Apart from the checkpoint, which is read for every answer. */
export function readInvalidationLog(db: Connection): string | null {
  return db.statement<[string]>("SELECT value FROM _meta WHERE key = 'trail'").get()?.[0] ?? null
}

export function writeInvalidationLog(db: Connection, log: string): void {
  db.statement("INSERT INTO _meta VALUES ('trail', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value").run(log)
}

/**
 * A collection is a table `(id, doc)` with the document as JSON text, and one table per index whose primary key is
 * the indexed values followed by the id. The adapter computes the index entries itself: it holds the old and the new
 * document of every write anyway, so nothing is parsed twice and an unchanged index costs nothing.
 */
export const indexTable = (collection: Collection, { name, key }: IndexSpec): string =>
  `${collection.name}__${name}${key === undefined ? '' : `${KEYED}${key}`}`

const KEYED = '__key'

/** Drops indexes that are no longer declared like this: what is not written would be out of date if it were declared again. */
export function dropFormerIndexes(db: Connection, collections: readonly Collection[]): void {
  const current = collections.flatMap((collection) => collection.indexes.map((index) => indexTable(collection, index)))
  const keyed = db.prepare<[string]>(`SELECT name FROM sqlite_master WHERE type = 'table' AND instr(name, '${KEYED}') > 0`).all().flat()
  for (const table of keyed) if (!current.includes(table)) db.exec(`DROP TABLE "${table}"`)
}

/** The indexes that folds use, too. One that is declared later is built by the next leader. */
export function createCollection(db: Connection, collection: Collection): void {
  checkNames(collection)
  if (hasTable(db, collection.name)) return
  db.exec(tableSql(collection))
  for (const index of collection.indexes) if (index.use === 'fold') createIndex(db, collection, index)
}

/**
 * Edges are small enough to live in the primary key's tree; larger documents would make it deep and slow. The full-text
 * index refers to row numbers, so these have a column: VACUUM may change the numbers of rows without one.
 */
export function tableSql({ name, edges, indexes }: Collection): string {
  const numbered = indexes.some(({ fullText }) => fullText)
  const columns = `${numbered ? 'n INTEGER PRIMARY KEY, id TEXT UNIQUE' : 'id TEXT PRIMARY KEY'} NOT NULL, doc TEXT NOT NULL`
  return `CREATE TABLE IF NOT EXISTS "${name}" (${columns}) ${edges ? 'WITHOUT ROWID' : ''}`
}

export function createIndex(db: Connection, collection: Collection, index: IndexSpec): void {
  const columns = keyColumns(index)
  db.exec(
    `CREATE TABLE IF NOT EXISTS "${indexTable(collection, index)}" (${columns.join(' NOT NULL, ')} NOT NULL, id TEXT NOT NULL, PRIMARY KEY (${columns.join(', ')}, id)) WITHOUT ROWID`,
  )
}

const hasTable = (db: Connection, name: string): boolean => db.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(name) !== undefined

export const hasIndex = (db: Connection, collection: Collection, index: IndexSpec): boolean => hasTable(db, indexTable(collection, index))

/** All rows of a collection, with their row numbers, and in their order, where a full-text index refers to them. */
export function allRows(db: Connection, { name, indexes }: Collection): Iterable<[id: string, row: number, text: string]> {
  const select = indexes.some(({ fullText }) => fullText)
    ? `SELECT id, rowid, doc FROM "${name}" ORDER BY rowid`
    : `SELECT id, 0, doc FROM "${name}"`
  return db.prepare<[id: string, row: number, text: string]>(select).iterate()
}

export const keyColumns = (index: IndexSpec): string[] => index.fields.map((_, i) => `k${i}`)

/** Names become part of SQL text, so nothing but plain names may pass. */
function checkNames(collection: Collection): void {
  const names = [
    collection.name,
    ...collection.indexes.flatMap((index) => [index.name, ...(index.key === undefined ? [] : [`k${index.key}`]), ...index.fields]),
  ]
  const bad = names.find((name) => !/^[A-Za-z][A-Za-z0-9]*$/.test(name))
  if (bad !== undefined) throw new Error(`"${bad}" in collection ${collection.name} cannot be used as a name`)
}

/** The text may be damaged: the file can be edited by hand. The id is for the error, where it is known. */
export function parseDocument<D extends Doc>(collection: Collection<D>, text: string, id: string | null = null): D {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UnreadableDocumentError(collection.name, id, errorMessage(error))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UnreadableDocumentError(collection.name, id, 'it is no JSON object')
  // The engine checked it against the collection's schema before it was written.
  return value as D
}

/** Rows per statement, largest first: a call into SQLite costs more than a row, and small commits have few rows. */
const SIZES = [32, 8, 2, 1] as const
const [MAX_ROWS] = SIZES

/** Buffers rows of one table and inserts or deletes many at a time. */
export class RowWriter {
  readonly #db: Connection
  readonly #sql: (rows: string) => string
  readonly #width: number
  readonly #statements = new Map<number, Statement>()
  #values: unknown[] = []

  /** `sql` builds the statement for a list of row placeholders. */
  constructor(db: Connection, width: number, sql: (rows: string) => string) {
    this.#db = db
    this.#width = width
    this.#sql = sql
  }

  add(values: readonly unknown[]): void {
    this.#values.push(...values)
    if (this.#values.length === MAX_ROWS * this.#width) this.flush()
  }

  flush(): void {
    const values = this.#values
    this.#values = []
    let at = 0
    for (const size of SIZES) {
      for (; values.length - at >= size * this.#width; at += size * this.#width) {
        this.#statement(size).run(values.slice(at, at + size * this.#width))
      }
    }
  }

  #statement(size: number): Statement {
    let statement = this.#statements.get(size)
    if (statement === undefined) {
      const row = `(${Array(this.#width).fill('?').join(', ')})`
      statement = this.#db.prepare(this.#sql(Array(size).fill(row).join(', ')))
      this.#statements.set(size, statement)
    }
    return statement
  }
}
