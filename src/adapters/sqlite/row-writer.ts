import type { Connection, Statement } from './database.js'

/** Rows to a statement: each call into SQLite costs more than a row does. */
const ROWS = 32

/** Gathers rows of one table and writes them many at a time. */
export class RowWriter {
  readonly #many: Statement
  readonly #one: Statement
  readonly #width: number
  #values: unknown[] = []

  /** `before` and `after` are the statement around its list of rows. */
  constructor(db: Connection, before: string, width: number, after = '') {
    const row = `(${Array(width).fill('?').join(', ')})`
    this.#width = width
    this.#many = db.prepare(`${before} VALUES ${Array(ROWS).fill(row).join(', ')} ${after}`)
    this.#one = db.prepare(`${before} VALUES ${row} ${after}`)
  }

  add(values: readonly unknown[]): void {
    this.#values.push(...values)
    if (this.#values.length < ROWS * this.#width) return
    this.#many.run(this.#values)
    this.#values = []
  }

  flush(): void {
    for (let i = 0; i < this.#values.length; i += this.#width) this.#one.run(this.#values.slice(i, i + this.#width))
    this.#values = []
  }

  /** Forgets rows of a transaction that failed. */
  discard(): void {
    this.#values = []
  }
}
