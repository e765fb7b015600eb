import type { Collection, IndexSpec } from '../../../ports/document-store.js'
import type { Connection, Statement } from '../database.js'
import { RowWriter } from './row-writer.js'
import { indexTable } from './tables.js'

/**
 * Which words there are, and how many documents hold each: the full-text index would have to go through all of them to
 * say so. Words are written as in that index.
 */
export const termCountsTable = (collection: Collection, index: IndexSpec): string => `${indexTable(collection, index)}__vocabulary`

/** Takes it from a full-text index that has just been built. */
export function buildTermCounts(db: Connection, collection: Collection, index: IndexSpec, fullText: string): void {
  const table = termCountsTable(collection, index)
  db.exec(`DROP TABLE IF EXISTS "${table}"`)
  db.exec(`CREATE TABLE "${table}" (word TEXT PRIMARY KEY, documents INTEGER NOT NULL) WITHOUT ROWID`)
  db.exec(`CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', '${fullText}', 'row')`)
  db.exec(`INSERT INTO "${table}" SELECT term, doc FROM temp.vocabulary`)
  db.exec('DROP TABLE temp.vocabulary')
}

/** Keeps it in step: counts while a commit is being written, and writes what has changed at its end. */
export class TermCountsWriter {
  readonly #additions: RowWriter
  readonly #deletion: Statement
  #changes = new Map<string, number>()

  constructor(db: Connection, collection: Collection, index: IndexSpec) {
    const table = termCountsTable(collection, index)
    const add = 'ON CONFLICT (word) DO UPDATE SET documents = documents + excluded.documents'
    this.#additions = new RowWriter(db, 2, (rows) => `INSERT INTO "${table}" VALUES ${rows} ${add}`)
    this.#deletion = db.prepare(`DELETE FROM "${table}" WHERE word = ? AND documents = 0`)
  }

  count(words: readonly string[], change: 1 | -1): void {
    for (const word of words) this.#changes.set(word, (this.#changes.get(word) ?? 0) + change)
  }

  flush(): void {
    for (const [word, change] of this.#changes) if (change !== 0) this.#additions.add([word, change])
    this.#additions.flush()
    for (const [word, change] of this.#changes) if (change < 0) this.#deletion.run(word)
    this.#changes = new Map()
  }

  discard(): void {
    this.#additions.discard()
    this.#changes = new Map()
  }
}
