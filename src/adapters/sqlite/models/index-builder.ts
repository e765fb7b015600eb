import type { Collection, IndexSpec } from '../../../ports/document-store.js'
import type { Connection } from '../database.js'
import { buildWords } from './full-text-index.js'
import { createIndex, fillIndex, indexTable } from './tables.js'

/** Makes an index anew from the documents: what an interrupted attempt has left is older than they are. */
export function buildIndex(db: Connection, collection: Collection, index: IndexSpec, mayBeDelicate: boolean, extracted = false): void {
  db.exec(`DROP TABLE IF EXISTS "${indexTable(collection, index)}"`)
  if (index.words) {
    buildWords(db, collection, index)
    return
  }
  createIndex(db, collection, index)
  fillIndex(db, collection, index, mayBeDelicate, extracted)
}
