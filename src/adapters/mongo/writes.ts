import type { AnyBulkWriteOperation, ClientSession, Db, Document } from 'mongodb'
import { counted } from '../../counted.js'
import type { Collection, Write } from '../../ports/document-store.js'
import { codec, type Stored } from './reads.js'

/** Writes any number of one generation's documents, as part of a transaction. `prefix` begins the names of its collections. */
export async function writeMany(db: Db, prefix: string, writes: readonly Write[], session: ClientSession): Promise<void> {
  for (const [collection, operations] of byCollection(writes)) {
    await db.collection<Stored>(prefix + collection.name).bulkWrite(operations, { session, ordered: false })
  }
}

function byCollection(writes: readonly Write[]): Map<Collection, AnyBulkWriteOperation<Stored>[]> {
  const operations = new Map<Collection, AnyBulkWriteOperation<Stored>[]>()
  for (const write of writes) {
    const list = operations.get(write.collection)
    const operation = operationOf(write)
    if (operation === null) continue
    if (list === undefined) operations.set(write.collection, [operation])
    else list.push(operation)
  }
  return operations
}

function operationOf({ collection, id, before, after }: Write): AnyBulkWriteOperation<Stored> | null {
  const filter = { _id: id }
  if (after === undefined) return before === undefined ? null : { deleteOne: { filter } }
  const replacement = codec(collection).encode(after)
  // Most documents of a load are new, and an insertion is less work for the server than an upsert that finds nothing.
  return before === undefined ? { insertOne: { document: replacement as Stored } } : { replaceOne: { filter, replacement, upsert: true } }
}

/**
 * The same for few documents, where the number of commands is what it costs: one for all that a collection is to hold,
 * new or not. What is too large for one message fails.
 */
export async function writeFew(db: Db, prefix: string, writes: readonly Write[], session: ClientSession): Promise<void> {
  const byName = new Map<string, { updates: Statement[]; deletes: Statement[] }>()
  for (const { collection, id, before, after } of writes) {
    const name = prefix + collection.name
    const statements = byName.get(name) ?? { updates: [], deletes: [] }
    byName.set(name, statements)
    if (after !== undefined) statements.updates.push({ q: { _id: id }, u: codec(collection).encode(after), upsert: true })
    else if (before !== undefined) statements.deletes.push({ q: { _id: id }, limit: 1 })
  }
  for (const [name, { updates, deletes }] of byName) {
    if (updates.length > 0) await send(db, { update: name, updates, ordered: false }, session)
    if (deletes.length > 0) await send(db, { delete: name, deletes, ordered: false }, session)
  }
}

/** Part of an `update` or `delete` command, in the server's words. */
interface Statement {
  q: { _id: string }
  [member: string]: unknown
}

/** The driver's own bulk writes measure every document before they send it, which takes as long as sending it. */
async function send(db: Db, command: Document, session: ClientSession): Promise<void> {
  const { writeErrors } = await db.command(command, { session })
  if (writeErrors !== undefined)
    throw new Error(`${counted(writeErrors.length, 'document was', 'documents were')} refused: ${writeErrors[0].errmsg}`)
}
