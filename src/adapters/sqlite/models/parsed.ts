import { type Collection, type Doc, UnreadableDocumentError } from '../../../ports/document-store.js'
import type { Connection } from '../database.js'

/** A document from its text, under the id it is kept by where that is known: somebody may have changed the file by hand. */
export function parseDocument<D extends Doc>(collection: Collection<D>, text: string, id: string | null = null): D {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UnreadableDocumentError(collection.name, id, error instanceof Error ? error.message : String(error))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UnreadableDocumentError(collection.name, id, 'it is no JSON object')
  // What was put in under this collection's schema comes out again.
  return value as D
}

/** SQLite itself, which reads all of a collection for an index, would not say which it is. */
export function checkReadable(db: Connection, collection: Collection): void {
  const row = db.prepare(`SELECT id, doc FROM "${collection.name}" WHERE NOT json_valid(doc) LIMIT 1`).raw().get()
  const [id, text] = (row ?? []) as unknown as [id?: string, text?: string]
  if (id !== undefined && text !== undefined) parseDocument(collection, text, id)
}
