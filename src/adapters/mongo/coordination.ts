import { type Collection, type Db, MongoServerError } from 'mongodb'
import type { ControlRecord, Lease } from '../../ports/document-store.js'
import { controlRecordsIn, type ProjectionDoc } from './control-documents.js'

/** Leases by the server's clock: nobody's own clock decides who leads. */
const expiryAfter = (ttlMs: number) => ({ $add: ['$$NOW', ttlMs] })
const HAS_EXPIRED = { $lte: ['$expiresAt', '$$NOW'] }

export async function acquireLease(
  projections: Collection<ProjectionDoc>,
  projection: string,
  holder: string,
  ttlMs: number,
): Promise<Lease | null> {
  const take = () =>
    projections.findOneAndUpdate(
      { _id: projection, $expr: HAS_EXPIRED },
      [{ $set: { holder: { $literal: holder }, epoch: { $add: [{ $ifNull: ['$epoch', 0] }, 1] }, expiresAt: expiryAfter(ttlMs) } }],
      { returnDocument: 'after' },
    )
  const taken = (await take()) ?? ((await insertIfMissing(projections, projection)) ? await take() : null)
  return taken?.epoch === undefined ? null : { projection, holder, epoch: taken.epoch }
}

/** Whether nobody had heard of the projection before; somebody has now. */
async function insertIfMissing(projections: Collection<ProjectionDoc>, projection: string): Promise<boolean> {
  if ((await projections.findOne({ _id: projection })) !== null) return false
  await projections.updateOne({ _id: projection }, { $setOnInsert: { last: 0, generations: [] } }, { upsert: true })
  return true
}

export async function renewLease(
  projections: Collection<ProjectionDoc>,
  { projection, holder, epoch }: Lease,
  ttlMs: number,
): Promise<boolean> {
  const renewed = await projections.updateOne({ _id: projection, holder, epoch, $expr: { $not: [HAS_EXPIRED] } }, [
    { $set: { expiresAt: expiryAfter(ttlMs) } },
  ])
  return renewed.matchedCount === 1
}

export async function heldLeases(projections: Collection<ProjectionDoc>): Promise<Lease[]> {
  const held = await projections.find({ $expr: { $not: [HAS_EXPIRED] } }, { sort: { _id: 1 } }).toArray()
  return held.flatMap(({ _id: projection, holder, epoch }) =>
    holder === undefined || epoch === undefined ? [] : [{ projection, holder, epoch }],
  )
}

export async function releaseLease(projections: Collection<ProjectionDoc>, { projection, holder, epoch }: Lease): Promise<void> {
  await projections.updateOne({ _id: projection, holder, epoch }, { $set: { expiresAt: new Date(0) } })
}

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
