import { indexEntries, splitPath, valueAt } from '../../../ports/collection.js'
import { type Collection, type Doc, type IndexSpec, UnreadableDocumentError } from '../../../ports/document-store.js'
import type { Connection } from '../database.js'

/**
 * A collection is a table `(id, doc)` with the document as JSON text, and one table per index whose primary key is
 * the indexed values followed by the id. The adapter computes the index entries itself: it holds the old and the new
 * document of every write anyway, so nothing is parsed twice and an untouched index costs nothing.
 */
export const indexTable = (collection: Collection, index: IndexSpec): string => `${collection.name}__${index.name}`

export function createCollection(db: Connection, collection: Collection): void {
  checkNames(collection)
  db.exec(tableSql(collection))
  for (const index of collection.indexes) if (index.use === 'fold') createIndex(db, collection, index)
}

/**
 * Edges are small enough to live in the key's own tree; larger documents would make that tree deep and slow. Where words
 * are found by the numbers of rows, those have a name: SQLite may give others to nameless ones when it copies a file.
 */
export function tableSql({ name, edges, indexes }: Collection): string {
  const numbered = indexes.some(({ fullText }) => fullText)
  const columns = `${numbered ? 'n INTEGER PRIMARY KEY, id TEXT UNIQUE' : 'id TEXT PRIMARY KEY'} NOT NULL, doc TEXT NOT NULL`
  return `CREATE TABLE IF NOT EXISTS "${name}" (${columns}) ${edges ? 'WITHOUT ROWID' : ''}`
}

export function createIndex(db: Connection, collection: Collection, index: IndexSpec): void {
  const columns = keyColumns(index)
  db.exec(
    `CREATE TABLE IF NOT EXISTS "${indexTable(collection, index)}" (${columns.join(' NOT NULL, ')} NOT NULL, id TEXT NOT NULL, PRIMARY KEY (${columns.join(', ')}, id)) WITHOUT ROWID`,
  )
}

/**
 * Fills an index from the documents, in its own order so that its tree is written from left to right. SQLite does the
 * work, except for numbers that are not whole: its conversion from text may differ from ours in the last bit, and an
 * entry that we cannot find again would never be removed. `extracted` is whether `extractFields` has been here.
 */
export function fillIndex(db: Connection, collection: Collection, index: IndexSpec, mayBeDelicate: boolean, extracted = false): void {
  // The offset keeps SQLite from looking into the document again for each element of the list.
  const documents = extracted ? `temp."${fieldsTable(collection)}"` : `(${fieldsSql(collection, [index])} LIMIT -1 OFFSET 0)`
  const elements = index.each === undefined ? '' : `, json_each(x."${index.each}") AS element`
  const parts = index.fields.map((field) =>
    field === index.each ? { value: 'element.value', type: 'element.type' } : { value: `x."${field}"`, type: `x."type of ${field}"` },
  )
  const fits = parts.map(({ value, type }) => `(${type} = 'text' OR (${type} = 'integer' AND ${isExact(value)}))`)
  if (index.each !== undefined) fits.push(`x."type of ${index.each}" = 'array'`)
  const order = [...parts, 'id'].map((_, i) => i + 1).join(', ')
  db.exec(
    `INSERT OR IGNORE INTO "${indexTable(collection, index)}" SELECT ${parts.map(({ value }) => value).join(', ')}, x.id FROM ${documents} AS x${elements} WHERE ${fits.join(' AND ')} ORDER BY ${order}`,
  )
  if (!mayBeDelicate) return
  const insert = db.prepare(insertEntrySql(collection, index))
  for (const doc of allDocuments(db, collection)) {
    for (const entry of indexEntries(index, doc)) if (entry.some(isInexactNumber)) insert.run(...entry, doc._id)
  }
}

const fieldsTable = ({ name }: Collection): string => `${name}__fields`

/** What indexes need of the documents. Lists stay lists, in JSON. */
function fieldsSql(collection: Collection, indexes: readonly IndexSpec[]): string {
  const lists = new Set(indexes.flatMap(({ each }) => each ?? []))
  const columns = [...new Set(indexes.flatMap(({ fields }) => fields))].map(
    (field) => `doc ${lists.has(field) ? '->' : '->>'} '$.${field}' AS "${field}", json_type(doc, '$.${field}') AS "type of ${field}"`,
  )
  return `SELECT id, ${columns.join(', ')} FROM "${collection.name}"`
}

/** Takes what several indexes need out of the documents at once: parsing them is half of what filling one costs. */
export function extractFields(db: Connection, collection: Collection, indexes: readonly IndexSpec[]): void {
  dropExtractedFields(db, collection)
  db.exec(`CREATE TEMP TABLE "${fieldsTable(collection)}" AS ${fieldsSql(collection, indexes)}`)
}

export function dropExtractedFields(db: Connection, collection: Collection): void {
  db.exec(`DROP TABLE IF EXISTS temp."${fieldsTable(collection)}"`)
}

const isExact = (value: string): string => `abs(${value}) <= ${Number.MAX_SAFE_INTEGER}`

/** Whether a document has a number in some field that SQLite must not fill into an index by itself. */
export function hasInexactNumber(fields: readonly string[], doc: Doc): boolean {
  return fields.some((field) => {
    const value = valueAt(doc, field)
    return Array.isArray(value) ? value.some(isInexactNumber) : isInexactNumber(value)
  })
}

const isInexactNumber = (value: unknown): boolean => typeof value === 'number' && !Number.isSafeInteger(value)

const PAGE = 1000

function* allDocuments(db: Connection, collection: Collection): Iterable<Doc> {
  for (const [id, , doc] of allRows(db, collection)) yield parseDocument(collection, doc, id)
}

/** Everything in a collection, in the order of ids; with the numbers of rows where words are found by them. */
export function* allRows(db: Connection, { name, indexes }: Collection): Iterable<[id: string, row: number, text: string]> {
  const row = indexes.some(({ fullText }) => fullText) ? 'rowid' : '0'
  const page = db.prepare(`SELECT id, ${row}, doc FROM "${name}" WHERE id > ? ORDER BY id LIMIT ${PAGE}`).raw()
  for (let after = ''; ; ) {
    const rows = page.all(after) as unknown as [string, number, string][]
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = last[0]
  }
}

const insertEntrySql = (collection: Collection, index: IndexSpec): string =>
  `INSERT OR IGNORE INTO "${indexTable(collection, index)}" VALUES (${'?, '.repeat(index.fields.length)}?)`

export const keyColumns = (index: IndexSpec): string[] => index.fields.map((_, i) => `k${i}`)

/** Names go into SQL text; they come from our own code, and this keeps it that way. */
function checkNames(collection: Collection): void {
  const names = [collection.name, ...collection.indexes.flatMap((index) => [index.name, ...index.fields.flatMap(splitPath)])]
  const bad = names.find((name) => !/^[A-Za-z][A-Za-z0-9]*$/.test(name))
  if (bad !== undefined) throw new Error(`"${bad}" in collection ${collection.name} cannot be used as a name`)
}

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
