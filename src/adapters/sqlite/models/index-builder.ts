import { type Collection, type Doc, type IndexSpec, indexEntries, valueAt } from '../../../ports/collection.js'
import type { Connection } from '../database.js'
import { buildFullTextIndex } from './full-text-index.js'
import { allRows, createIndex, indexTable, parseDocument } from './tables.js'

/** Builds an index from the documents. Drops what an interrupted attempt left, which may be out of date. */
export function buildIndex(db: Connection, collection: Collection, index: IndexSpec, mayBeInexact: boolean): void {
  db.exec(`DROP TABLE IF EXISTS "${indexTable(collection, index)}"`)
  if (index.fullText) {
    buildFullTextIndex(db, collection, index)
    return
  }
  createIndex(db, collection, index)
  fillIndex(db, collection, index, mayBeInexact)
}

/**
 * Fills an index from the documents, in index order so that its tree is written from left to right. SQLite does the work,
 * except for numbers that are not whole: its conversion from text may differ from ours in the last bit, and an entry that
 * we cannot find again would never be removed.
 */
function fillIndex(db: Connection, collection: Collection, index: IndexSpec, mayBeInexact: boolean): void {
  const fields = index.fields.map(
    (field) => `doc ${field === index.each ? '->' : '->>'} '$.${field}' AS "${field}", json_type(doc, '$.${field}') AS "type of ${field}"`,
  )
  // The offset keeps SQLite from parsing the document again for each element of the list.
  const documents = `(SELECT id, ${fields.join(', ')} FROM "${collection.name}" LIMIT -1 OFFSET 0)`
  const elements = index.each === undefined ? '' : `, json_each(x."${index.each}") AS element`
  const parts = index.fields.map((field) =>
    field === index.each ? { value: 'element.value', type: 'element.type' } : { value: `x."${field}"`, type: `x."type of ${field}"` },
  )
  const fits = parts.map(({ value, type }) => `(${type} = 'text' OR (${type} = 'integer' AND abs(${value}) <= ${Number.MAX_SAFE_INTEGER}))`)
  if (index.each !== undefined) fits.push(`x."type of ${index.each}" = 'array'`)
  const order = [...parts, 'id'].map((_, i) => i + 1).join(', ')
  db.exec(
    `INSERT OR IGNORE INTO "${indexTable(collection, index)}" SELECT ${parts.map(({ value }) => value).join(', ')}, x.id FROM ${documents} AS x${elements} WHERE ${fits.join(' AND ')} ORDER BY ${order}`,
  )
  if (!mayBeInexact) return
  const insert = db.prepare(`INSERT OR IGNORE INTO "${indexTable(collection, index)}" VALUES (${'?, '.repeat(index.fields.length)}?)`)
  for (const [id, , text] of allRows(db, collection)) {
    for (const entry of indexEntries(index, parseDocument(collection, text, id))) if (entry.some(isInexactNumber)) insert.run(...entry, id)
  }
}

/** Whether one of the fields holds a number that SQLite must not write into an index itself. */
export function hasInexactNumber(fields: readonly string[], doc: Doc): boolean {
  return fields.some((field) => {
    const value = valueAt(doc, field)
    return Array.isArray(value) ? value.some(isInexactNumber) : isInexactNumber(value)
  })
}

const isInexactNumber = (value: unknown): boolean => typeof value === 'number' && !Number.isSafeInteger(value)
