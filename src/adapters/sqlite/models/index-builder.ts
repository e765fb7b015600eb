import { type Collection, type IndexSpec, indexEntries } from '../../../ports/collection.js'
import type { Connection } from '../database.js'
import { buildFullTextIndex } from './full-text-index.js'
import { createIndex, indexTable, parseDocument } from './tables.js'

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
