import DataLoader from 'dataloader'
import type { Db } from 'mongodb'
import { type Collection, epochIsOver, FencedError, type Generation, type Generations, type Lease } from '../../ports/document-store.js'
import { INITIAL_CHECKPOINT } from '../../ports/models.js'
import {
  checkpointsIn,
  collectionPrefix,
  type GenerationEntry,
  generationId,
  leaseFilter,
  projectionsIn,
  toGenerations,
} from './control-documents.js'
import { answered } from './errors.js'
import { indexDescription } from './models/indexes.js'

/**
 * Generations as entries in the document of their projection. Each has many collections, which no transaction can create or
 * drop together. So an entry is marked unfinished before the first one is created and until the last one is dropped, and the
 * next leader drops unfinished generations.
 */
export class MongoGenerations implements Generations {
  readonly #db: Db
  readonly #announceChange: () => Promise<void>
  readonly #generationsOf: DataLoader<string, Generation[]>

  constructor(db: Db, announceChange: () => Promise<void>) {
    this.#db = db
    this.#announceChange = announceChange
    // As for control records: the projections of a process ask at the same moment.
    this.#generationsOf = new DataLoader((names) => readGenerations(db, names), { cache: false, batchScheduleFn: setImmediate })
  }

  async projections(): Promise<string[]> {
    // Unfinished ones, too. A document may also be there for a lease alone.
    const found = projectionsIn(this.#db).find({ 'generations.0': { $exists: true } }, { sort: { _id: 1 } })
    return (await answered(found.toArray())).map(({ _id }) => _id)
  }

  generations(projection: string): Promise<Generation[]> {
    return this.#generationsOf.load(projection)
  }

  async createGeneration(projection: string, version: number, collections: readonly Collection[]): Promise<Generation> {
    const db = this.#db
    const createdAt = new Date()
    const number = await reserveGeneration(db, projection, { version, createdAt, promoted: false, unfinished: 'making' })
    const generation: Generation = { projection, version, number, state: 'loading', createdAt: createdAt.getTime() }
    await Promise.all(collections.map((collection) => createCollection(db, generation, collection)))
    await checkpointsIn(db).insertOne({ _id: generationId(generation), checkpoint: INITIAL_CHECKPOINT, writer: null })
    const finished = await projectionsIn(db).updateOne(
      { _id: projection, generations: { $elemMatch: { number, unfinished: 'making' } } },
      { $unset: { 'generations.$.unfinished': true } },
    )
    if (finished.matchedCount === 1) return generation
    await dropCollections(db, generation)
    throw new FencedError(`generation ${number} of ${projection} was dropped before it was finished: another leader has taken over`)
  }

  async promote({ projection, number }: Generation, lease?: Lease): Promise<void> {
    const finished = { generations: { $elemMatch: { number, unfinished: { $exists: false } } } }
    const promoted = await projectionsIn(this.#db).updateOne(
      { _id: projection, ...finished, ...leaseFilter(lease) },
      { $set: { live: number, 'generations.$.promoted': true } },
    )
    if (promoted.matchedCount === 0) throw await this.#fencedOr(projection, lease, `generation ${number} of ${projection} is gone`)
    await this.#announceChange()
  }

  async demote(projection: string, lease?: Lease): Promise<void> {
    const demoted = await projectionsIn(this.#db).updateOne({ _id: projection, ...leaseFilter(lease) }, { $unset: { live: '' } })
    // A model that was never built has no entry.
    if (demoted.matchedCount === 0 && lease !== undefined) throw await this.#fencedOr(projection, lease, `${projection} is gone`)
    await this.#announceChange()
  }

  async dropGeneration(generation: Generation, lease?: Lease): Promise<void> {
    const { projection, number } = generation
    if (!(await markDropping(this.#db, generation, lease)))
      throw await this.#fencedOr(projection, lease, `generation ${number} of ${projection} is live`)
    await dropCollections(this.#db, generation)
    await this.#announceChange()
  }

  async #fencedOr(projection: string, lease: Lease | undefined, otherwise: string): Promise<Error> {
    const epoch = (await projectionsIn(this.#db).findOne({ _id: projection }))?.epoch
    if (lease === undefined || epoch === lease.epoch) return new Error(otherwise)
    return epochIsOver(lease.epoch, epoch, `leads ${projection}`)
  }
}

async function readGenerations(db: Db, projections: readonly string[]): Promise<Generation[][]> {
  const found = projectionsIn(db).find({ _id: { $in: [...new Set(projections)] } })
  const docs = await answered(found.toArray())
  return projections.map((projection) => docs.filter(({ _id }) => _id === projection).flatMap(toGenerations))
}

/** Adds the entry under the next number, in one atomic step. */
async function reserveGeneration(db: Db, projection: string, entry: Omit<GenerationEntry, 'number'>): Promise<number> {
  const all = { $ifNull: ['$generations', []] }
  const updated = await projectionsIn(db).findOneAndUpdate(
    { _id: projection },
    [
      { $set: { last: { $add: [{ $ifNull: ['$last', 0] }, 1] } } },
      { $set: { generations: { $concatArrays: [all, [{ number: '$last', ...entry }]] } } },
    ],
    { upsert: true, returnDocument: 'after' },
  )
  if (updated?.last === undefined) throw new Error(`no number for a generation of ${projection}`)
  return updated.last
}

async function createCollection(db: Db, generation: Generation, collection: Collection): Promise<void> {
  const created = await db.createCollection(collectionPrefix(generation) + collection.name)
  const fold = collection.indexes.filter(({ use }) => use === 'fold')
  if (fold.length > 0) await created.createIndexes(fold.map(indexDescription))
}

/** Hides it from all readers and leaders. False when it is live, or when another leader has taken over. */
export async function markDropping(db: Db, { projection, number }: Generation, lease: Lease | undefined): Promise<boolean> {
  const marked = await projectionsIn(db).updateOne(
    { _id: projection, live: { $ne: number }, ...leaseFilter(lease) },
    { $set: { 'generations.$[one].unfinished': 'dropping' } },
    { arrayFilters: [{ 'one.number': number }] },
  )
  return marked.matchedCount === 1
}

export async function dropCollections(db: Db, generation: Generation): Promise<void> {
  const { projection, number } = generation
  await checkpointsIn(db).deleteOne({ _id: generationId(generation) })
  const prefix = collectionPrefix(generation)
  for (const name of await collectionNames(db, projection)) if (name.startsWith(prefix)) await db.dropCollection(name)
  await projectionsIn(db).updateOne({ _id: projection }, { $pull: { generations: { number } } })
}

/**
 * For a new leader: drops the generations that the old one left unfinished, and collections without an entry, which a late
 * index build can create.
 */
export async function dropUnfinished(db: Db, projection: string): Promise<void> {
  // Before the entries: so every collection listed here that is just being created has its entry there.
  const collections = await collectionNames(db, projection)
  const entries = (await projectionsIn(db).findOne({ _id: projection }))?.generations ?? []
  for (const { unfinished, version, number, createdAt } of entries) {
    if (unfinished === undefined) continue
    const generation: Generation = { projection, version, number, state: 'loading', createdAt: createdAt.getTime() }
    // Mark it first, so that a leader that is only slow cannot finish what is being dropped.
    await markDropping(db, generation, undefined)
    await dropCollections(db, generation)
  }
  const known = entries.map(({ version, number }) => collectionPrefix({ projection, version, number }))
  for (const name of collections) {
    if (!known.some((prefix) => name.startsWith(prefix))) await db.dropCollection(name)
  }
}

/** The collections of all its generations. */
async function collectionNames(db: Db, projection: string): Promise<string[]> {
  const name = { $regex: `^${projection.replace(/[^a-z0-9]/gi, '\\$&')}_v\\d+_g\\d+_` }
  const found = await db.listCollections({ name }, { nameOnly: true }).toArray()
  return found.map((collection) => collection.name)
}
