import { type Collection, type Doc, type IndexSpec, indexEntries, sameIndexEntries } from '../../../ports/collection.js'
import type { Write } from '../../../ports/models.js'
import type { Connection, Statement } from '../database.js'
import { allRows, indexTable, parseDocument, RowWriter } from './tables.js'

/**
 * Search terms live in SQLite's full-text index, which counts and intersects them many times faster than a table of terms
 * and ids. It keeps no text, so a deletion must name the old terms, which the writer knows from the old document. Its row
 * numbers are those of the collection's table.
 */
export const fullTextTable = (collection: Collection, index: IndexSpec): string => `${indexTable(collection, index)}__words`

/** Memory for pending writes: with less, a load creates very many small segments. */
const HASH_BYTES = 8 * 1024 * 1024

export function buildFullTextIndex(db: Connection, collection: Collection, index: IndexSpec): void {
  const table = fullTextTable(collection, index)
  db.exec(`DROP TABLE IF EXISTS "${table}"`)
  db.exec(`CREATE VIRTUAL TABLE "${table}" USING fts5 (words, content = '', columnsize = 0, detail = none, tokenize = 'ascii')`)
  // A deleted term must leave no trace: it may belong to an erased person.
  db.exec(`INSERT INTO "${table}" ("${table}", rank) VALUES ('secure-delete', 1), ('hashsize', ${HASH_BYTES})`)
  const insert = db.prepare(`INSERT INTO "${table}" (rowid, words) VALUES (?, ?)`)
  for (const [id, row, text] of allRows(db, collection)) insert.run(row, termsOf(index, parseDocument(collection, text, id)).join(' '))
  db.exec(`INSERT INTO "${table}" ("${table}") VALUES ('optimize')`)
  buildTermCounts(db, collection, index, table)
}

export function hasFullTextIndex(db: Connection, collection: Collection, index: IndexSpec): boolean {
  const tables = db.prepare<[number]>('SELECT count(*) FROM sqlite_master WHERE name IN (?, ?)')
  const [found] = tables.one(fullTextTable(collection, index), termCountsTable(collection, index))
  return found === 2
}

/** The terms of a document, as the full-text index stores them. */
export const termsOf = (index: IndexSpec, doc: Doc | undefined): string[] =>
  indexEntries(index, doc).map(([word]) => encodeTerm(String(word)))

const ESCAPE = '\ue000'
const SPECIAL = /[^a-z0-9\u0080-\ud7ff\ue001-\uffff]/g

/** The index splits at punctuation and folds capitals, so these are encoded in characters that it leaves alone. */
export function encodeTerm(word: string): string {
  return word.replace(SPECIAL, (character) => ESCAPE + character.charCodeAt(0).toString(16).padStart(4, '0'))
}

/**
 * All terms, encoded as in the full-text index, and how many documents hold each. The full-text index itself would have to
 * be scanned for that.
 */
export const termCountsTable = (collection: Collection, index: IndexSpec): string => `${indexTable(collection, index)}__vocabulary`

/** Counts the terms of a full-text index that has just been built. */
function buildTermCounts(db: Connection, collection: Collection, index: IndexSpec, fullText: string): void {
  const table = termCountsTable(collection, index)
  db.exec(`DROP TABLE IF EXISTS "${table}"`)
  db.exec(`CREATE TABLE "${table}" (word TEXT PRIMARY KEY, documents INTEGER NOT NULL) WITHOUT ROWID`)
  db.exec(`CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', '${fullText}', 'row')`)
  db.exec(`INSERT INTO "${table}" SELECT term, doc FROM temp.vocabulary`)
  db.exec('DROP TABLE temp.vocabulary')
}

/**
 * Updates the full-text index and the counts of its terms. Call `update` before a document's row is deleted and `flush` after
 * the rows are written.
 */
export class FullTextWriter {
  readonly #index: IndexSpec
  readonly #insertion: Statement
  readonly #deletion: Statement
  readonly #counts: RowWriter
  readonly #unusedDeletion: Statement
  #added: [text: string, id: string][] = []
  /** By term: how many more documents hold it after the commit. */
  #changes = new Map<string, number>()

  constructor(db: Connection, collection: Collection, index: IndexSpec) {
    const table = fullTextTable(collection, index)
    const counts = termCountsTable(collection, index)
    const row = `FROM "${collection.name}" WHERE id = ?`
    const add = 'ON CONFLICT (word) DO UPDATE SET documents = documents + excluded.documents'
    this.#index = index
    this.#insertion = db.prepare(`INSERT INTO "${table}" (rowid, words) SELECT rowid, ? ${row}`)
    this.#deletion = db.prepare(`INSERT INTO "${table}" ("${table}", rowid, words) SELECT 'delete', rowid, ? ${row}`)
    this.#counts = new RowWriter(db, 2, (rows) => `INSERT INTO "${counts}" VALUES ${rows} ${add}`)
    this.#unusedDeletion = db.prepare(`DELETE FROM "${counts}" WHERE word = ? AND documents = 0`)
  }

  update({ id, before, after }: Write): void {
    if (sameIndexEntries(this.#index, before, after)) return
    if (before !== undefined) this.#deletion.run(this.#countTerms(before, -1), id)
    if (after !== undefined) this.#added.push([this.#countTerms(after, 1), id])
  }

  flush(): void {
    for (const [text, id] of this.#added) this.#insertion.run(text, id)
    for (const [term, change] of this.#changes) if (change !== 0) this.#counts.add([term, change])
    this.#counts.flush()
    for (const [term, change] of this.#changes) if (change < 0) this.#unusedDeletion.run(term)
    this.#added = []
    this.#changes = new Map()
  }

  /** Returns the document's terms as text. */
  #countTerms(doc: Doc, change: 1 | -1): string {
    const terms = termsOf(this.#index, doc)
    for (const term of terms) this.#changes.set(term, (this.#changes.get(term) ?? 0) + change)
    return terms.join(' ')
  }
}
