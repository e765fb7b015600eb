import { type Collection, type Doc, type IndexSpec, indexEntries } from '../../../ports/collection.js'
import { type IndexFault, UnreadableDocumentError } from '../../../ports/document-store.js'
import type { Connection } from '../database.js'
import { fullTextTable, hasFullTextIndex, termCountsTable, termsOf } from './full-text-index.js'
import { allRows, hasIndex, indexTable, keyColumns, parseDocument, RowWriter } from './tables.js'

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
