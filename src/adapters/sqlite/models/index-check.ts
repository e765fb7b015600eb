import { type Collection, type Doc, type IndexSpec, type IndexValue, indexEntries } from '../../../ports/collection.js'
import { UnreadableDocumentError } from '../../../ports/document-store.js'
import type { IndexFault } from '../../../ports/models.js'
import type { Connection, Statement } from '../database.js'
import { fullTextTable, hasFullTextIndex, termCountsTable, termsOf } from './full-text-index.js'
import { allRows, indexTable, keyColumns, parseDocument } from './tables.js'

/** Compares the indexes of a collection with its documents, which are read once. Call it inside a transaction. */
export function indexFaults(db: Connection, collection: Collection): IndexFault[] {
  const checks = collection.indexes.map((index) =>
    index.fullText ? new FullTextCheck(db, collection, index) : new EntriesCheck(db, collection, index),
  )
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

/** Collects the faults of one index. */
class FaultCollector {
  readonly #index: IndexSpec
  readonly #named = new Set<string>()
  #count = 0

  constructor(index: IndexSpec) {
    this.#index = index
  }

  add(name: string): void {
    this.#count += 1
    if (this.#named.size < MAX_NAMED) this.#named.add(name)
  }

  get fault(): IndexFault | null {
    return this.#count === 0 ? null : { index: this.#index.name, wrong: this.#count, such: [...this.#named] }
  }
}

/** Looks up the entries that each document should have. Scans the index only if it has more entries than that. */
class EntriesCheck {
  readonly #db: Connection
  readonly #collection: Collection
  readonly #index: IndexSpec
  readonly #faults: FaultCollector
  readonly #find: Statement
  #found = 0

  constructor(db: Connection, collection: Collection, index: IndexSpec) {
    this.#db = db
    this.#collection = collection
    this.#index = index
    this.#faults = new FaultCollector(index)
    const key = [...keyColumns(index), 'id'].map((column) => `${column} = ?`).join(' AND ')
    this.#find = db.prepare(`SELECT 1 FROM "${indexTable(collection, index)}" WHERE ${key}`)
  }

  visit(doc: Doc, id: string): void {
    for (const entry of indexEntries(this.#index, doc)) {
      if (this.#find.get(...entry, id) === undefined) this.#faults.add(id)
      else this.#found += 1
    }
  }

  /** Surplus entries can be recognised only if every document was readable. */
  fault(allReadable: boolean): IndexFault | null {
    const table = indexTable(this.#collection, this.#index)
    const [entries] = this.#db.prepare<[number]>(`SELECT count(*) FROM "${table}"`).one()
    if (allReadable && entries > this.#found) this.#findSurplus(table)
    return this.#faults.fault
  }

  #findSurplus(table: string): void {
    const text = this.#db.prepare<[string]>(`SELECT doc FROM "${this.#collection.name}" WHERE id = ?`)
    const all = this.#db.prepare<IndexValue[]>(`SELECT ${keyColumns(this.#index).join(', ')}, id FROM "${table}"`)
    for (const entry of all.iterate()) {
      const id = String(entry.pop())
      const [doc] = text.get(id) ?? []
      const own = doc === undefined ? [] : indexEntries(this.#index, parseDocument(this.#collection, doc, id))
      if (!own.some((each) => each.every((value, i) => value === entry[i]))) this.#faults.add(id)
    }
  }
}

/** Compares, per term, the number of documents and the sum of their row numbers, which tells them from other documents. */
class FullTextCheck {
  readonly #db: Connection
  readonly #collection: Collection
  readonly #index: IndexSpec
  readonly #expected = new Map<string, { documents: number; rows: number }>()

  constructor(db: Connection, collection: Collection, index: IndexSpec) {
    this.#db = db
    this.#collection = collection
    this.#index = index
  }

  visit(doc: Doc, _id: string, row: number): void {
    for (const word of termsOf(this.#index, doc)) {
      const held = this.#expected.get(word)
      if (held === undefined) this.#expected.set(word, { documents: 1, rows: row })
      else {
        held.documents += 1
        held.rows += row
      }
    }
  }

  /** The terms are known only if every document was readable. */
  fault(allReadable: boolean): IndexFault | null {
    if (!allReadable) return null
    const wrong = new FaultCollector(this.#index)
    if (!hasFullTextIndex(this.#db, this.#collection, this.#index)) {
      for (const word of this.#expected.keys()) wrong.add(word)
      return wrong.fault
    }
    const indexed = this.#indexed()
    const counted = this.#counted()
    for (const word of new Set([...this.#expected.keys(), ...indexed.keys(), ...counted.keys()])) {
      const { documents = 0, rows = 0 } = this.#expected.get(word) ?? {}
      const found = indexed.get(word)
      if ((found?.documents ?? 0) !== documents || (found?.rows ?? 0) !== rows || (counted.get(word) ?? 0) !== documents) wrong.add(word)
    }
    return wrong.fault
  }

  #indexed(): Map<string, { documents: number; rows: number }> {
    // The table is only a view of the index and writes nothing, but a read-only connection would refuse to create it.
    this.#db.exec('PRAGMA query_only = OFF')
    try {
      this.#db.exec(`CREATE VIRTUAL TABLE temp.held USING fts5vocab('main', '${fullTextTable(this.#collection, this.#index)}', 'instance')`)
      const rows = this.#db.prepare<[string, number, number]>('SELECT term, count(*), sum(doc) FROM temp.held GROUP BY term').all()
      return new Map(rows.map(([word, documents, sum]) => [word, { documents, rows: sum }]))
    } finally {
      this.#db.exec('DROP TABLE IF EXISTS temp.held')
      this.#db.exec('PRAGMA query_only = ON')
    }
  }

  #counted(): Map<string, number> {
    const table = termCountsTable(this.#collection, this.#index)
    return new Map(this.#db.prepare<[string, number]>(`SELECT word, documents FROM "${table}"`).all())
  }
}
