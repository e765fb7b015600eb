import type { ClientSession, Db, Document } from 'mongodb'
import { plural } from '../../../lib/message-text.js'
import { approximateSize } from '../../../ports/collection.js'
import type { Write } from '../../../ports/models.js'
import { answered } from '../errors.js'

/** Statements per command. */
const MAX_STATEMENTS = 1000
/** The documents of one command, in units of {@link approximateSize}: safely below the limit of a message in any script. */
const MAX_COMMAND_SIZE = 4_000_000

export interface WriteOptions {
  /** Upserts new documents in the same command as changed ones. Otherwise they are inserted, which is less work for the server. */
  upsertNew?: boolean
}

/** Writes documents of one generation in a transaction. The names of its collections begin with `prefix`. */
export async function writeDocuments(
  db: Db,
  prefix: string,
  writes: readonly Write[],
  session: ClientSession,
  { upsertNew = false }: WriteOptions = {},
): Promise<void> {
  for (const [name, { inserts, updates, deletes }] of statementsByCollection(writes, upsertNew)) {
    const collection = prefix + name
    for (const documents of chunks(inserts)) await runCommand(db, { insert: collection, documents, ordered: false }, session)
    for (const chunk of chunks(updates)) await runCommand(db, { update: collection, updates: chunk, ordered: false }, session)
    for (const chunk of chunks(deletes)) await runCommand(db, { delete: collection, deletes: chunk, ordered: false }, session)
  }
}

/** Part of a command, in the server's syntax. */
interface SizedStatement {
  statement: Document
  size: number
}

interface CollectionStatements {
  inserts: SizedStatement[]
  updates: SizedStatement[]
  deletes: SizedStatement[]
}

function statementsByCollection(writes: readonly Write[], upsertNew: boolean): Map<string, CollectionStatements> {
  const byName = new Map<string, CollectionStatements>()
  for (const { collection, id, before, after } of writes) {
    const statements = byName.get(collection.name) ?? { inserts: [], updates: [], deletes: [] }
    byName.set(collection.name, statements)
    if (after !== undefined) {
      const size = approximateSize(after)
      if (before === undefined && !upsertNew) statements.inserts.push({ statement: after, size })
      else statements.updates.push({ statement: { q: { _id: id }, u: after, upsert: true }, size })
    } else if (before !== undefined) statements.deletes.push({ statement: { q: { _id: id }, limit: 1 }, size: id.length })
  }
  return byName
}

function* chunks(statements: readonly SizedStatement[]): Iterable<Document[]> {
  let chunk: Document[] = []
  let chunkSize = 0
  for (const { statement, size } of statements) {
    if (chunk.length === MAX_STATEMENTS || (chunk.length > 0 && chunkSize + size > MAX_COMMAND_SIZE)) {
      yield chunk
      chunk = []
      chunkSize = 0
    }
    chunk.push(statement)
    chunkSize += size
  }
  if (chunk.length > 0) yield chunk
}

/** The driver's own bulk writes measure every document before they send it, which takes as long as sending it. */
async function runCommand(db: Db, command: Document, session: ClientSession): Promise<void> {
  const { writeErrors } = await answered(db.command(command, { session }))
  if (writeErrors !== undefined) throw new RefusedError(writeErrors)
}

/** The server accepted the command but refused some of its documents. */
export class RefusedError extends Error {
  override name = 'RefusedError'
  readonly code: number

  constructor(refused: readonly { code: number; errmsg: string }[]) {
    super(`${plural(refused.length, 'document was', 'documents were')} refused: ${refused[0]?.errmsg}`)
    this.code = refused[0]?.code ?? 0
  }
}
