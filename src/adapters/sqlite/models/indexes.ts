import { type Collection, type Doc, type IndexEntry, type IndexSpec, indexEntries, sameIndexEntries } from '../../../ports/collection.js'
import { type IndexFault, UnreadableDocumentError } from '../../../ports/document-store.js'
import type { Write } from '../../../ports/models.js'
import type { Connection, Statement } from '../database.js'
import { buildFullTextIndex, FullTextWriter, fullTextTable, hasFullTextIndex, termCountsTable, termsOf } from './full-text-index.js'
import { allRows, createIndex, hasIndex, indexTable, keyColumns, parseDocument, RowWriter } from './tables.js'

/** Builds an index from the documents. Drops what an interrupted attempt left, which may be out of date. */
export function buildIndex(db: Connection, collection: Collection, index: IndexSpec): void {
  db.exec(`DROP TABLE IF EXISTS "${indexTable(collection, index)}"`)
  if (index.fullText) {
    buildFullTextIndex(db, collection, index)
    return
  }
  createIndex(db, collection, index)
  fillIndex(db, collection, index)
}

/**
 * Fills an index from the documents, in index order so that its tree is written from left to right. SQLite does the work,
 * except for numbers that are not whole: its conversion from text may differ from ours in the last bit, and an entry that
 * we cannot find again would never be removed.
 */
function fillIndex(db: Connection, collection: Collection, index: IndexSpec): void {
  const fields = index.fields.map(
    (field) => `doc ${field === index.each ? '->' : '->>'} '$.${field}' AS "${field}", json_type(doc, '$.${field}') AS "type of ${field}"`,
  )
  // The offset keeps SQLite from parsing the document again for each element of the list.
  const documents = `(SELECT id, ${fields.join(', ')} FROM "${collection.name}" LIMIT -1 OFFSET 0)`
  const elements = index.each === undefined ? '' : `, json_each(x."${index.each}") AS element`
  const parts = index.fields.map((field) =>
    field === index.each ? { value: 'element.value', type: 'element.type' } : { value: `x."${field}"`, type: `x."type of ${field}"` },
  )
  const isExact = ({ value, type }: (typeof parts)[0]) => `${type} = 'integer' AND abs(${value}) <= ${Number.MAX_SAFE_INTEGER}`
  const fits = parts.map((part) => `(${part.type} = 'text' OR (${isExact(part)}))`)
  if (index.each !== undefined) fits.push(`x."type of ${index.each}" = 'array'`)
  const order = [...parts, 'id'].map((_, i) => i + 1).join(', ')
  const table = indexTable(collection, index)
  db.exec(
    `INSERT OR IGNORE INTO "${table}" SELECT ${parts.map(({ value }) => value).join(', ')}, x.id FROM ${documents} AS x${elements} WHERE ${fits.join(' AND ')} ORDER BY ${order}`,
  )
  const isOther = parts.map((part) => `(${part.type} IN ('integer', 'real') AND NOT (${isExact(part)}))`).join(' OR ')
  const others = db.prepare<[string, string]>(
    `SELECT id, doc FROM "${collection.name}" WHERE id IN (SELECT x.id FROM ${documents} AS x${elements} WHERE ${isOther})`,
  )
  const insert = db.prepare(`INSERT OR IGNORE INTO "${table}" VALUES (${'?, '.repeat(index.fields.length)}?)`)
  for (const [id, text] of others.iterate())
    for (const entry of indexEntries(index, parseDocument(collection, text, id))) insert.run(...entry, id)
}

/** Further ones are only counted: the whole index may be wrong. */
const MAX_NAMED = 5

/** Compares the indexes of a collection with its documents, which are read once. Call it inside a transaction. */
export function indexFaults(db: Connection, collection: Collection): IndexFault[] {
  // A read-only connection would refuse temporary tables, too.
  db.exec('PRAGMA query_only = OFF')
  try {
    const allReadable = listExpected(db, collection)
    return collection.indexes.flatMap((index) => {
      const wrong = index.fullText ? wrongTerms(db, collection, index, allReadable) : wrongEntries(db, collection, index, allReadable)
      const [count] = db.prepare<[number]>(`SELECT count(*) FROM (${wrong})`).one()
      const such = db.prepare<[string]>(`SELECT DISTINCT name FROM (${wrong}) LIMIT ${MAX_NAMED}`).all().flat()
      return count === 0 ? [] : [{ index: index.name, wrong: count, such }]
    })
  } finally {
    for (const index of collection.indexes) db.exec(`DROP TABLE IF EXISTS ${expectedTable(index)}`)
    db.exec('DROP TABLE IF EXISTS temp.held')
    db.exec('PRAGMA query_only = ON')
  }
}

const expectedTable = ({ name }: IndexSpec): string => `temp."expected ${name}"`

/** Writes down what each index should hold: entries with the id, or terms with the row. Returns whether all documents are readable. */
function listExpected(db: Connection, collection: Collection): boolean {
  const writers = collection.indexes.map((index) => {
    const columns = index.fullText ? ['name', 'row'] : [...keyColumns(index), 'name']
    db.exec(`CREATE TABLE ${expectedTable(index)} (${columns.join(', ')})`)
    return { index, expected: new RowWriter(db, columns.length, (rows) => `INSERT INTO ${expectedTable(index)} VALUES ${rows}`) }
  })
  let allReadable = true
  for (const [id, row, text] of allRows(db, collection)) {
    const doc = parseOrNull(collection, id, text)
    if (doc === null) allReadable = false
    else
      for (const { index, expected } of writers) {
        if (index.fullText) for (const term of termsOf(index, doc)) expected.add([term, row])
        else for (const entry of indexEntries(index, doc)) expected.add([...entry, id])
      }
  }
  for (const { expected } of writers) expected.flush()
  return allReadable
}

function parseOrNull(collection: Collection, id: string, text: string): Doc | null {
  try {
    return parseDocument(collection, text, id)
  } catch (error) {
    if (error instanceof UnreadableDocumentError) return null
    throw error
  }
}

/** A query for the ids in missing entries, and in surplus ones, which can be recognised only if every document was readable. */
function wrongEntries(db: Connection, collection: Collection, index: IndexSpec, allReadable: boolean): string {
  // Of a declaration that was edited: it is built when the model is next led.
  if (!hasIndex(db, collection, index)) return `SELECT name FROM ${expectedTable(index)}`
  const expected = `SELECT * FROM ${expectedTable(index)}`
  const found = `SELECT ${keyColumns(index).join(', ')}, id AS name FROM "${indexTable(collection, index)}"`
  return allReadable ? differing(expected, found) : `SELECT name FROM (${expected} EXCEPT ${found})`
}

/** A query for the terms whose documents, or whose count, are not as they should be. The terms are known only if every document was readable. */
function wrongTerms(db: Connection, collection: Collection, index: IndexSpec, allReadable: boolean): string {
  const expected = expectedTable(index)
  if (!allReadable) return `SELECT name FROM ${expected} WHERE FALSE`
  if (!hasFullTextIndex(db, collection, index)) return `SELECT DISTINCT name FROM ${expected}`
  db.exec('DROP TABLE IF EXISTS temp.held')
  db.exec(`CREATE VIRTUAL TABLE temp.held USING fts5vocab('main', '${fullTextTable(collection, index)}', 'instance')`)
  const documents = differing(`SELECT name, row FROM ${expected}`, 'SELECT term AS name, doc FROM temp.held')
  const counts = differing(
    `SELECT name, count(*) FROM ${expected} GROUP BY name`,
    `SELECT word AS name, documents FROM "${termCountsTable(collection, index)}"`,
  )
  return `SELECT name FROM (${documents}) UNION SELECT name FROM (${counts})`
}

/** The names of the rows that only one of two queries gives. */
const differing = (one: string, other: string): string =>
  `SELECT name FROM (${one} EXCEPT ${other}) UNION ALL SELECT name FROM (${other} EXCEPT ${one})`

/** Writes one collection's documents and updates its indexes. After an error it must not be used again: it may hold rows. */
export class CollectionWriter {
  readonly #documents: RowWriter
  readonly #deletion: Statement
  readonly #indexes: (IndexWriter | FullTextWriter)[]

  /** `indexes` are updated with every write; others are filled once everything is loaded. */
  constructor(db: Connection, collection: Collection, indexes: readonly IndexSpec[]) {
    this.#documents = new RowWriter(
      db,
      2,
      (rows) => `INSERT INTO "${collection.name}" (id, doc) VALUES ${rows} ON CONFLICT (id) DO UPDATE SET doc = excluded.doc`,
    )
    this.#deletion = db.prepare(`DELETE FROM "${collection.name}" WHERE id = ?`)
    this.#indexes = indexes.map((index) =>
      index.fullText ? new FullTextWriter(db, collection, index) : new IndexWriter(db, collection, index),
    )
  }

  write(write: Write): void {
    const { id, before, after } = write
    // The indexes first: the full-text index finds the row to delete by the document's id.
    for (const index of this.#indexes) index.update(write)
    if (after !== undefined) this.#documents.add([id, JSON.stringify(after)])
    else if (before !== undefined) this.#deletion.run(id)
  }

  flush(): void {
    this.#documents.flush()
    for (const index of this.#indexes) index.flush()
  }
}

class IndexWriter {
  readonly #index: IndexSpec
  readonly #insertions: RowWriter
  readonly #deletions: RowWriter

  constructor(db: Connection, collection: Collection, index: IndexSpec) {
    const table = indexTable(collection, index)
    const width = index.fields.length + 1
    const key = [...keyColumns(index), 'id'].join(', ')
    this.#index = index
    this.#insertions = new RowWriter(db, width, (rows) => `INSERT OR IGNORE INTO "${table}" VALUES ${rows}`)
    this.#deletions = new RowWriter(db, width, (rows) => `DELETE FROM "${table}" WHERE (${key}) IN (VALUES ${rows})`)
  }

  update({ id, before, after }: Write): void {
    if (sameIndexEntries(this.#index, before, after)) return
    if (before === undefined) {
      for (const entry of indexEntries(this.#index, after)) this.#insertions.add([...entry, id])
      return
    }
    const old = new Map(indexEntries(this.#index, before).map((entry) => [JSON.stringify(entry), entry]))
    const added: IndexEntry[] = []
    for (const entry of indexEntries(this.#index, after)) if (!old.delete(JSON.stringify(entry))) added.push(entry)
    // An entry ends with the id, and a commit writes a document once: no other entry of the batch can be the same.
    for (const entry of old.values()) this.#deletions.add([...entry, id])
    for (const entry of added) this.#insertions.add([...entry, id])
  }

  flush(): void {
    this.#deletions.flush()
    this.#insertions.flush()
  }
}
