import { type Collection, type Doc, type IndexSpec, type IndexValue, indexEntries } from '../../../ports/collection.js'
import { type IndexFault, UnreadableDocumentError } from '../../../ports/document-store.js'
import type { Connection } from '../database.js'
import { fullTextTable, hasFullTextIndex, termCountsTable, termsOf } from './full-text-index.js'
import { allRows, indexTable, keyColumns, parseDocument } from './tables.js'

/** Compares one index with the documents that it visits. */
interface IndexCheck {
  visit(doc: Doc, id: string, row: number): void
  fault(allReadable: boolean): IndexFault | null
}

/** Compares the indexes of a collection with its documents, which are read once. Call it inside a transaction. */
export function indexFaults(db: Connection, collection: Collection): IndexFault[] {
  const checks = collection.indexes.map((index) => (index.fullText ? checkTerms : checkEntries)(db, collection, index))
  let allReadable = true
  for (const [id, row, text] of allRows(db, collection)) {
    const doc = parseOrNull(collection, id, text)
    if (doc === null) allReadable = false
    else for (const check of checks) check.visit(doc, id, row)
  }
  return checks.flatMap((check) => check.fault(allReadable) ?? [])
}

function parseOrNull(collection: Collection, id: string, text: string): Doc | null {
  try {
    return parseDocument(collection, text, id)
  } catch (error) {
    if (error instanceof UnreadableDocumentError) return null
    throw error
  }
}

/** Further ones are only counted: the whole index may be wrong. */
const MAX_NAMED = 5

/** Adds a wrong document or term to what was found before. */
function addFault(fault: IndexFault | null, { name: index }: IndexSpec, name: string): IndexFault {
  const { wrong, such }: Omit<IndexFault, 'index'> = fault ?? { wrong: 0, such: [] }
  const isNew = such.length < MAX_NAMED && !such.includes(name)
  return { index, wrong: wrong + 1, such: isNew ? [...such, name] : such }
}

/** Looks up the entries that each document should have. Scans the index only if it has more entries than that. */
function checkEntries(db: Connection, collection: Collection, index: IndexSpec): IndexCheck {
  const table = indexTable(collection, index)
  const key = [...keyColumns(index), 'id'].map((column) => `${column} = ?`).join(' AND ')
  const find = db.prepare(`SELECT 1 FROM "${table}" WHERE ${key}`)
  let fault: IndexFault | null = null
  let found = 0
  return {
    visit(doc, id) {
      for (const entry of indexEntries(index, doc)) {
        if (find.get(...entry, id) === undefined) fault = addFault(fault, index, id)
        else found += 1
      }
    },
    // Surplus entries can be recognised only if every document was readable.
    fault(allReadable) {
      const [entries] = db.prepare<[number]>(`SELECT count(*) FROM "${table}"`).one()
      if (allReadable && entries > found) for (const id of surplusIds(db, collection, index)) fault = addFault(fault, index, id)
      return fault
    },
  }
}

/** The ids in entries that no document should have. */
function* surplusIds(db: Connection, collection: Collection, index: IndexSpec): Iterable<string> {
  const text = db.prepare<[string]>(`SELECT doc FROM "${collection.name}" WHERE id = ?`)
  const all = db.prepare<IndexValue[]>(`SELECT ${keyColumns(index).join(', ')}, id FROM "${indexTable(collection, index)}"`)
  for (const entry of all.iterate()) {
    const id = String(entry.pop())
    const [doc] = text.get(id) ?? []
    const own = doc === undefined ? [] : indexEntries(index, parseDocument(collection, doc, id))
    if (!own.some((each) => each.every((value, i) => value === entry[i]))) yield id
  }
}

/** The documents of a term: how many, and the sum of their row numbers, which tells them from other documents. */
interface TermDocuments {
  documents: number
  rows: number
}

const NO_DOCUMENTS: TermDocuments = { documents: 0, rows: 0 }

/** Compares, per term, the documents that should hold it with those of the full-text index and with its counts. */
function checkTerms(db: Connection, collection: Collection, index: IndexSpec): IndexCheck {
  const expected = new Map<string, TermDocuments>()
  return {
    visit(doc, _id, row) {
      for (const term of termsOf(index, doc)) {
        const { documents, rows } = expected.get(term) ?? NO_DOCUMENTS
        expected.set(term, { documents: documents + 1, rows: rows + row })
      }
    },
    // The terms are known only if every document was readable.
    fault(allReadable) {
      if (!allReadable) return null
      const exists = hasFullTextIndex(db, collection, index)
      const indexed = exists ? indexedTerms(db, collection, index) : new Map<string, TermDocuments>()
      const counts = `SELECT word, documents FROM "${termCountsTable(collection, index)}"`
      const counted = new Map(exists ? db.prepare<[string, number]>(counts).all() : [])
      let fault: IndexFault | null = null
      for (const term of new Set([...expected.keys(), ...indexed.keys(), ...counted.keys()])) {
        const { documents, rows } = expected.get(term) ?? NO_DOCUMENTS
        const found = indexed.get(term) ?? NO_DOCUMENTS
        const isRight = found.documents === documents && found.rows === rows && (counted.get(term) ?? 0) === documents
        if (!isRight) fault = addFault(fault, index, term)
      }
      return fault
    },
  }
}

function indexedTerms(db: Connection, collection: Collection, index: IndexSpec): Map<string, TermDocuments> {
  // The table is only a view of the index and writes nothing, but a read-only connection would refuse to create it.
  db.exec('PRAGMA query_only = OFF')
  try {
    db.exec(`CREATE VIRTUAL TABLE temp.held USING fts5vocab('main', '${fullTextTable(collection, index)}', 'instance')`)
    const terms = db.prepare<[string, number, number]>('SELECT term, count(*), sum(doc) FROM temp.held GROUP BY term').all()
    return new Map(terms.map(([term, documents, rows]) => [term, { documents, rows }]))
  } finally {
    db.exec('DROP TABLE IF EXISTS temp.held')
    db.exec('PRAGMA query_only = ON')
  }
}
