import type { ClientSession, Db, Document } from 'mongodb'
import { approximateSize } from '../../../lib/json-size.js'
import { plural } from '../../../lib/plural.js'
import type { Collection, Write } from '../../../ports/document-store.js'
import { codecFor } from './reads.js'

/** Documents to a command. */
const MAX_STATEMENTS = 1000
/** Of the documents of a command, as {@link approximateSize} counts: a fraction of what a message may hold, whatever the script. */
const MAX_COMMAND_SIZE = 4_000_000

/** Writes any number of one generation's documents, as part of a transaction. `prefix` begins the names of its collections. */
export async function writeMany(db: Db, prefix: string, writes: readonly Write[], session: ClientSession): Promise<void> {
  for (const [collection, own] of groupByCollection(writes)) {
    const name = prefix + collection.name
    const { encode } = codecFor(collection)
    const inserts: SizedStatement[] = []
    const updates: SizedStatement[] = []
    const deletes: SizedStatement[] = []
    for (const { id, before, after } of own) {
      if (after === undefined) deletes.push({ statement: { q: { _id: id }, limit: 1 }, size: id.length })
      // Most documents of a load are new, and an insertion is less work for the server than an upsert that finds nothing.
      else if (before === undefined) inserts.push({ statement: encode(after), size: approximateSize(after) })
      else updates.push({ statement: { q: { _id: id }, u: encode(after), upsert: true }, size: approximateSize(after) })
    }
    for (const documents of chunks(inserts)) await runCommand(db, { insert: name, documents, ordered: false }, session)
    for (const some of chunks(updates)) await runCommand(db, { update: name, updates: some, ordered: false }, session)
    for (const some of chunks(deletes)) await runCommand(db, { delete: name, deletes: some, ordered: false }, session)
  }
}

/** Part of a command, in the server's words. */
interface SizedStatement {
  statement: Document
  size: number
}

function* chunks(pieces: readonly SizedStatement[]): Iterable<Document[]> {
  let portion: Document[] = []
  let taken = 0
  for (const { statement, size } of pieces) {
    if (portion.length === MAX_STATEMENTS || (portion.length > 0 && taken + size > MAX_COMMAND_SIZE)) {
      yield portion
      portion = []
      taken = 0
    }
    portion.push(statement)
    taken += size
  }
  if (portion.length > 0) yield portion
}

/** Without those that leave nothing to do. */
function groupByCollection(writes: readonly Write[]): Map<Collection, Write[]> {
  const own = new Map<Collection, Write[]>()
  for (const write of writes) {
    if (write.before === undefined && write.after === undefined) continue
    const list = own.get(write.collection)
    if (list === undefined) own.set(write.collection, [write])
    else list.push(write)
  }
  return own
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
    if (after !== undefined) statements.updates.push({ q: { _id: id }, u: codecFor(collection).encode(after), upsert: true })
    else if (before !== undefined) statements.deletes.push({ q: { _id: id }, limit: 1 })
  }
  for (const [name, { updates, deletes }] of byName) {
    if (updates.length > 0) await runCommand(db, { update: name, updates, ordered: false }, session)
    if (deletes.length > 0) await runCommand(db, { delete: name, deletes, ordered: false }, session)
  }
}

/** Part of an `update` or `delete` command, in the server's words. */
interface Statement {
  q: { _id: string }
  [member: string]: unknown
}

/** The driver's own bulk writes measure every document before they send it, which takes as long as sending it. */
async function runCommand(db: Db, command: Document, session: ClientSession): Promise<void> {
  const { writeErrors } = await db.command(command, { session })
  if (writeErrors !== undefined) throw new RefusedError(writeErrors)
}

/** The command as such was fine, some of its documents were not. */
export class RefusedError extends Error {
  override name = 'RefusedError'
  readonly code: number

  constructor(refused: readonly { code: number; errmsg: string }[]) {
    super(`${plural(refused.length, 'document was', 'documents were')} refused: ${refused[0]?.errmsg}`)
    this.code = refused[0]?.code ?? 0
  }
}
