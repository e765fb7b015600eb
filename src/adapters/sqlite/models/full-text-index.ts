import { indexEntries, sameIndexEntries } from '../../../ports/collection.js'
import type { Collection, Doc, IndexSpec, Write } from '../../../ports/document-store.js'
import type { Connection, Statement } from '../database.js'
import { RowWriter } from './row-writer.js'
import { indexTable, parseDocument } from './tables.js'

/**
 * Lists of words live in SQLite's own full-text index, which counts and intersects them many times faster than a table
 * of words and ids. It keeps no text, so what is taken out has to be said: the writer holds the old document anyway. Its
 * rows are the rows of the collection's table.
 */
export const fullTextTable = (collection: Collection, index: IndexSpec): string => `${indexTable(collection, index)}__words`

/** Memory for what is not written yet: with little of it a load makes very many small segments. */
const HASH_BYTES = 8 * 1024 * 1024
const PAGE = 1000

export function buildFullTextIndex(db: Connection, collection: Collection, index: IndexSpec): void {
  const table = fullTextTable(collection, index)
  db.exec(`DROP TABLE IF EXISTS "${table}"`)
  db.exec(`CREATE VIRTUAL TABLE "${table}" USING fts5 (words, content = '', columnsize = 0, detail = none, tokenize = 'ascii')`)
  // A word that is taken out leaves no trace: somebody may have been erased.
  db.exec(`INSERT INTO "${table}" ("${table}", rank) VALUES ('secure-delete', 1), ('hashsize', ${HASH_BYTES})`)
  const page = db.prepare(`SELECT rowid, doc FROM "${collection.name}" WHERE rowid > ? ORDER BY rowid LIMIT ${PAGE}`).raw()
  const insert = db.prepare(`INSERT INTO "${table}" (rowid, words) VALUES (?, ?)`)
  for (let after = 0; ; ) {
    const rows = page.all(after) as unknown as [number, string][]
    for (const [row, doc] of rows) insert.run(row, termsOf(index, parseDocument(collection, doc)).join(' '))
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) break
    after = last[0]
  }
  db.exec(`INSERT INTO "${table}" ("${table}") VALUES ('optimize')`)
  buildTermCounts(db, collection, index, table)
}

export function hasFullTextIndex(db: Connection, collection: Collection, index: IndexSpec): boolean {
  const tables = db.prepare('SELECT count(*) FROM sqlite_master WHERE name IN (?, ?)').raw()
  const [found] = tables.get(fullTextTable(collection, index), termCountsTable(collection, index)) as unknown as [number]
  return found === 2
}

/** Those of a document, as the full-text index has them. */
export const termsOf = (index: IndexSpec, doc: Doc | undefined): string[] =>
  indexEntries(index, doc).map(([word]) => encodeTerm(String(word)))

const ESCAPE = '\ue000'
const SPECIAL = /[^a-z0-9\u0080-\ud7ff\ue001-\uffff]/g

/** The index takes words apart at signs and folds capitals: those are written in characters that it leaves alone. */
export function encodeTerm(word: string): string {
  return word.replace(SPECIAL, (character) => ESCAPE + character.charCodeAt(0).toString(16).padStart(4, '0'))
}

/** Keeps the words in step with the documents, whose rows must be written before `flush`, and not be gone before `move`. */
export class FullTextWriter {
  readonly #index: IndexSpec
  readonly #insertion: Statement
  readonly #deletion: Statement
  readonly #termCounts: TermCountsWriter
  #added: [text: string, id: string][] = []

  constructor(db: Connection, collection: Collection, index: IndexSpec) {
    const table = fullTextTable(collection, index)
    const row = `FROM "${collection.name}" WHERE id = ?`
    this.#index = index
    this.#insertion = db.prepare(`INSERT INTO "${table}" (rowid, words) SELECT rowid, ? ${row}`)
    this.#deletion = db.prepare(`INSERT INTO "${table}" ("${table}", rowid, words) SELECT 'delete', rowid, ? ${row}`)
    this.#termCounts = new TermCountsWriter(db, collection, index)
  }

  update({ id, before, after }: Write): void {
    if (sameIndexEntries(this.#index, before, after)) return
    if (before !== undefined) {
      const words = termsOf(this.#index, before)
      this.#termCounts.count(words, -1)
      this.#deletion.run(words.join(' '), id)
    }
    if (after !== undefined) {
      const words = termsOf(this.#index, after)
      this.#termCounts.count(words, 1)
      this.#added.push([words.join(' '), id])
    }
  }

  flush(): void {
    for (const [text, id] of this.#added) this.#insertion.run(text, id)
    this.#added = []
    this.#termCounts.flush()
  }

  discard(): void {
    this.#added = []
    this.#termCounts.discard()
  }
}

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
