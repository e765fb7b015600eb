import { type Db, MongoServerError } from 'mongodb'
import type { Note } from '../../ports/document-store.js'
import { notesIn } from './control-documents.js'

const DUPLICATE_KEY = 11_000

export async function notesOf(db: Db, kind: string): Promise<Note[]> {
  const docs = await notesIn(db)
    .find({ '_id.kind': kind }, { sort: { '_id.id': 1 } })
    .toArray()
  return docs.map(({ _id, revision, value }) => ({ kind, id: _id.id, revision, value }))
}

/** `null` unless the stored revision is the note's. */
export async function putNote(db: Db, note: Note): Promise<Note | null> {
  const { kind, id, revision, value } = note
  const _id = { kind, id }
  const written = { _id, revision: revision + 1, value }
  if (revision > 0) {
    const replaced = await notesIn(db).replaceOne({ _id, revision }, written)
    return replaced.matchedCount === 0 ? null : { ...note, revision: written.revision }
  }
  try {
    await notesIn(db).insertOne(written)
    return { ...note, revision: written.revision }
  } catch (error) {
    if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return null
    throw error
  }
}

export async function dropNote(db: Db, kind: string, id: string): Promise<void> {
  await notesIn(db).deleteOne({ _id: { kind, id } })
}
