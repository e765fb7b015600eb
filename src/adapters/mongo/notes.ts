import { type Db, MongoServerError } from 'mongodb'
import type { ControlRecord } from '../../ports/document-store.js'
import { controlRecordsIn } from './control-documents.js'

const DUPLICATE_KEY = 11_000

export async function recordsOfKind(db: Db, kind: string): Promise<ControlRecord[]> {
  const docs = await controlRecordsIn(db)
    .find({ '_id.kind': kind }, { sort: { '_id.id': 1 } })
    .toArray()
  return docs.map(({ _id, revision, value }) => ({ kind, id: _id.id, revision, value }))
}

/** `null` unless the stored revision is the note's. */
export async function putRecord(db: Db, note: ControlRecord): Promise<ControlRecord | null> {
  const { kind, id, revision, value } = note
  const _id = { kind, id }
  const written = { _id, revision: revision + 1, value }
  if (revision > 0) {
    const replaced = await controlRecordsIn(db).replaceOne({ _id, revision }, written)
    return replaced.matchedCount === 0 ? null : { ...note, revision: written.revision }
  }
  try {
    await controlRecordsIn(db).insertOne(written)
    return { ...note, revision: written.revision }
  } catch (error) {
    if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return null
    throw error
  }
}

export async function deleteRecord(db: Db, kind: string, id: string): Promise<void> {
  await controlRecordsIn(db).deleteOne({ _id: { kind, id } })
}
