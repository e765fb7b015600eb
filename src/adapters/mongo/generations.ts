import type { Db } from 'mongodb'
import { type Collection, FencedError, type Generation, type Lease } from '../../ports/document-store.js'
import { INITIAL_CHECKPOINT } from '../stored-checkpoint.js'
import { checkpointsIn, collectionPrefix, type GenerationEntry, generationId, leaseFilter, projectionsIn } from './control-documents.js'
import { indexDescription, jsonSchemaValidator } from './models/collections.js'

/**
 * A generation is many collections, which no transaction can make or drop. So its entry says that it is unfinished
 * before the first of them is made and until the last of them is gone, and whoever leads next sweeps up.
 */
export async function createGeneration(
  db: Db,
  projection: string,
  version: number,
  collections: readonly Collection[],
): Promise<Generation> {
  const createdAt = new Date()
  const number = await reserveGeneration(db, projection, { version, createdAt, promoted: false, unfinished: 'making' })
  const generation: Generation = { projection, version, number, state: 'loading', createdAt: createdAt.getTime() }
  await Promise.all(collections.map((collection) => createCollection(db, generation, collection)))
  await checkpointsIn(db).insertOne({ _id: generationId(generation), checkpoint: INITIAL_CHECKPOINT, writer: null })
  const made = await projectionsIn(db).updateOne(
    { _id: projection, generations: { $elemMatch: { number, unfinished: 'making' } } },
    { $unset: { 'generations.$.unfinished': true } },
  )
  if (made.matchedCount === 1) return generation
  await dropCollections(db, generation)
  throw new FencedError(`generation ${number} of ${projection} was swept up before it was finished: somebody else leads`)
}

/** The number given out is the next one ever, in the same step. */
async function reserveGeneration(db: Db, projection: string, entry: Omit<GenerationEntry, 'number'>): Promise<number> {
  const all = { $ifNull: ['$generations', []] }
  const begun = await projectionsIn(db).findOneAndUpdate(
    { _id: projection },
    [
      { $set: { last: { $add: [{ $ifNull: ['$last', 0] }, 1] } } },
      { $set: { generations: { $concatArrays: [all, [{ number: '$last', ...entry }]] } } },
    ],
    { upsert: true, returnDocument: 'after' },
  )
  if (begun?.last === undefined) throw new Error(`no number for a generation of ${projection}`)
  return begun.last
}

async function createCollection(db: Db, generation: Generation, collection: Collection): Promise<void> {
  const created = await db.createCollection(collectionPrefix(generation) + collection.name, { validator: jsonSchemaValidator(collection) })
  const fold = collection.indexes.filter(({ use }) => use === 'fold')
  if (fold.length > 0) await created.createIndexes(fold.map(indexDescription))
}

/** From here on nobody finds it. False when it is live, or somebody else leads. */
export async function markDropping(db: Db, { projection, number }: Generation, lease: Lease | undefined): Promise<boolean> {
  const begun = await projectionsIn(db).updateOne(
    { _id: projection, live: { $ne: number }, ...leaseFilter(lease) },
    { $set: { 'generations.$[one].unfinished': 'dropping' } },
    { arrayFilters: [{ 'one.number': number }] },
  )
  return begun.matchedCount === 1
}

export async function dropCollections(db: Db, generation: Generation): Promise<void> {
  const { projection, number } = generation
  await checkpointsIn(db).deleteOne({ _id: generationId(generation) })
  const prefix = collectionPrefix(generation)
  for (const name of await collectionNames(db, projection)) if (name.startsWith(prefix)) await db.dropCollection(name)
  await projectionsIn(db).updateOne({ _id: projection }, { $pull: { generations: { number } } })
}

/**
 * For a new leader: what the old one left half made or half dropped goes, and so do collections that nobody has a record
 * of, which an index build makes when it comes too late.
 */
export async function dropUnfinished(db: Db, projection: string): Promise<void> {
  // Before the entries are read: then every collection here that somebody is just making has its entry there.
  const collections = await collectionNames(db, projection)
  const entries = (await projectionsIn(db).findOne({ _id: projection }))?.generations ?? []
  for (const { unfinished, version, number, createdAt } of entries) {
    if (unfinished === undefined) continue
    const generation: Generation = { projection, version, number, state: 'loading', createdAt: createdAt.getTime() }
    // Said first, so that one who is only slow cannot finish making what is being dropped.
    await markDropping(db, generation, undefined)
    await dropCollections(db, generation)
  }
  const known = entries.map(({ version, number }) => collectionPrefix({ projection, version, number }))
  for (const name of collections) {
    if (!known.some((prefix) => name.startsWith(prefix))) await db.dropCollection(name)
  }
}

/** Of all its generations. */
async function collectionNames(db: Db, projection: string): Promise<string[]> {
  const name = { $regex: `^${projection.replace(/[^a-z0-9]/gi, '\\$&')}_v\\d+_g\\d+_` }
  const found = await db.listCollections({ name }, { nameOnly: true }).toArray()
  return found.map((collection) => collection.name)
}
