import type { Connection, Statement } from '../database.js'

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

  /** Drops the rows of a failed transaction. */
  discard(): void {
    this.#values = []
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
