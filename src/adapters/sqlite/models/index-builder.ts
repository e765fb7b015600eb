import type { Collection, IndexSpec } from '../../../ports/document-store.js'
import type { Connection } from '../database.js'
import { buildFullTextIndex } from './full-text-index.js'
import { createIndex, fillIndex, indexTable } from './tables.js'

/** Makes an index anew from the documents: what an interrupted attempt has left is older than they are. */
export function buildIndex(db: Connection, collection: Collection, index: IndexSpec, mayBeDelicate: boolean, extracted = false): void {
  db.exec(`DROP TABLE IF EXISTS "${indexTable(collection, index)}"`)
  if (index.fullText) {
    buildFullTextIndex(db, collection, index)
    return
  }
  createIndex(db, collection, index)
  fillIndex(db, collection, index, mayBeDelicate, extracted)
}
