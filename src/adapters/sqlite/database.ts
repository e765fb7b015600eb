import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Database from 'libsql'
import { makeFolder } from '../../lib/folders.js'
import { DamagedStoreError, StorageError } from '../../ports/document-store.js'

/** A connection to a database file. Its errors, and those of its statements, are the ports' errors. */
export class Connection {
  readonly #db: Database.Database
  readonly #statements = new Map<string, Statement<never>>()

  constructor(path: string, options?: Database.Options) {
    this.#db = translateErrors(() => new Database(path, options))
  }

  exec(sql: string): void {
    translateErrors(() => this.#db.exec(sql))
  }

  /** `Row` names the selected columns in order. */
  prepare<Row extends readonly unknown[] = unknown[]>(sql: string): Statement<Row> {
    return translateErrors(() => new Statement(this.#db.prepare(sql)))
  }

  /**
   * The same, prepared once for each text. After an error it is prepared again: libsql does not reset a statement whose
   * `get` failed, and the next call would run with the old values.
   */
  statement<Row extends readonly unknown[] = unknown[]>(sql: string): Statement<Row> {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      const forget = () => this.#statements.delete(sql)
      statement = translateErrors(() => new Statement<never>(this.#db.prepare(sql), forget))
      this.#statements.set(sql, statement)
    }
    // The same text selects the same columns.
    return statement as Statement<Row>
  }

  get inTransaction(): boolean {
    return this.#db.inTransaction
  }

  close(): void {
    this.#statements.clear()
    this.#db.close()
  }
}

/** A prepared statement. Rows are arrays, which SQLite fills faster than objects. */
export class Statement<Row extends readonly unknown[] = unknown[]> {
  readonly #statement: Database.Statement
  readonly #onError: (() => void) | undefined

  constructor(statement: Database.Statement, onError?: () => void) {
    this.#statement = statement.reader ? statement.raw() : statement
    this.#onError = onError
  }

  // No closures from here on: the methods below run for every document.

  run(...values: unknown[]): { changes: number } {
    try {
      return this.#statement.run(...values)
    } catch (error) {
      throw this.#failed(error)
    }
  }

  get(...values: unknown[]): Row | undefined {
    try {
      return this.#statement.get(...values) as Row | undefined
    } catch (error) {
      throw this.#failed(error)
    }
  }

  /** For queries that always give a row, such as `count(*)`. */
  one(...values: unknown[]): Row {
    const row = this.get(...values)
    if (row === undefined) throw new Error('the query gave no row')
    return row
  }

  all(...values: unknown[]): Row[] {
    try {
      return this.#statement.all(...values) as Row[]
    } catch (error) {
      throw this.#failed(error)
    }
  }

  *iterate(...values: unknown[]): Iterable<Row> {
    try {
      yield* this.#statement.iterate(...values) as Iterable<Row>
    } catch (error) {
      throw this.#failed(error)
    }
  }

  #failed(error: unknown): unknown {
    this.#onError?.()
    return toPortError(error)
  }
}

function translateErrors<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toPortError(error)
  }
}

/** Keeps the message, and the code for the log. */
function toPortError(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error
  const { code, message } = error
  if (!code.startsWith('SQLITE_')) return error
  const isDamage = code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB'
  return Object.assign(isDamage ? new DamagedStoreError(message) : new StorageError(message), { code })
}

export interface OpenOptions {
  /** Page cache of the connection. */
  cacheMb?: number
  /** Commits reach the disk before they return: for data that cannot be rebuilt from anything else. */
  durable?: boolean
}

/**
 * Opens a database file the way Vitrine opens all of them. WAL lets readers and the one writer work at the same time, in
 * any number of processes. Every commit survives the death of a process. After a power cut, a file that is not `durable`
 * may lose its newest commits, never parts of one: models continue from their last checkpoint. The log is durable, so no
 * model has ever seen an event that the log could lose.
 */
export function openDatabase(path: string, { cacheMb = 8, durable = false }: OpenOptions = {}): Connection {
  makeFolder(dirname(path))
  const db = new Connection(path)
  db.exec('PRAGMA busy_timeout = 10000')
  db.exec('PRAGMA journal_mode = WAL')
  db.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}`)
  // Sorting for an index of millions of entries must not happen in memory.
  db.exec('PRAGMA temp_store = FILE')
  db.exec(`PRAGMA cache_size = ${-cacheMb * 1024}`)
  return db
}

/** Runs `work` in a write transaction. Not reentrant: SQLite has one transaction per connection. */
export function inTransaction<T>(db: Connection, work: () => T): T {
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    // SQLite may already have rolled back, for example on a full disk. A second attempt would hide this error.
    if (db.inTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** Copies the write-ahead log into the file and truncates it: its old pages hold data that has been overwritten since. */
export async function truncateWriteAheadLog(db: Connection): Promise<void> {
  const checkpoint = db.prepare<[busy: number]>('PRAGMA wal_checkpoint(TRUNCATE)')
  for (;;) {
    const [busy] = checkpoint.one()
    if (busy === 0) return
    // A reader in another process still holds an old page.
    await delay(10)
  }
}

/** Adds the columns that a file of an older release lacks. */
export function addColumns(db: Connection, table: string, columns: Record<string, string>): void {
  const known = db.prepare<[name: string]>(`SELECT name FROM pragma_table_info('${table}')`).all().flat()
  for (const [name, type] of Object.entries(columns)) if (!known.includes(name)) db.exec(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}`)
}
