import {
  type Collection,
  type DocumentStore,
  FencedError,
  type Generation,
  type GenerationStore,
  type Lease,
  type Note,
  type Snapshot,
} from '../../ports/document-store.js'
import { START } from '../place.js'
import { Changes } from './changes.js'
import { type Connection, connectionTo } from './connection.js'
import { checkpointsIn, generationsOf, idOf, ledBy, prefixOf, projectionsIn, ring } from './control.js'
import { MongoGeneration } from './generation.js'
import { indexDescription } from './indexes.js'
import { acquireLease, releaseLease, renewLease } from './leases.js'
import { dropNote, notesOf, putNote } from './notes.js'
import { takeSnapshot } from './snapshot.js'
import { validatorOf } from './validator.js'

/** Read models in a MongoDB database: `projections` says what there is and who leads, each generation has collections of its own. */
export class MongoDocumentStore implements DocumentStore {
  readonly #connection: Connection
  readonly #changes: Changes

  /** Does not wait for a server: whoever asks a question while there is none hears so. */
  static async open(url: string): Promise<MongoDocumentStore> {
    return new MongoDocumentStore(connectionTo(url))
  }

  private constructor(connection: Connection) {
    this.#connection = connection
    this.#changes = new Changes(checkpointsIn(connection.reading))
  }

  async generations(projection: string): Promise<Generation[]> {
    const found = await this.#projections.findOne({ _id: projection })
    return found === null ? [] : generationsOf(found)
  }

  async createGeneration(projection: string, version: number, collections: readonly Collection[]): Promise<Generation> {
    const number = await this.#nextNumber(projection)
    const createdAt = new Date()
    const generation: Generation = { projection, version, number, state: 'loading', createdAt: createdAt.getTime() }
    // All that belongs to it first: what there is a record of is complete.
    await Promise.all(collections.map((collection) => this.#createCollection(generation, collection)))
    await checkpointsIn(this.#db).insertOne({ _id: idOf(generation), checkpoint: START, writer: null })
    await this.#projections.updateOne({ _id: projection }, { $push: { generations: { number, version, createdAt, promoted: false } } })
    return generation
  }

  async openGeneration(generation: Generation, collections: readonly Collection[]): Promise<GenerationStore> {
    return new MongoGeneration(this.#connection, generation, collections, this.#changes.notify)
  }

  async promote({ projection, number }: Generation, lease?: Lease): Promise<void> {
    const promoted = await this.#projections.updateOne(
      { _id: projection, 'generations.number': number, ...ledBy(lease) },
      { $set: { live: number, 'generations.$.promoted': true } },
    )
    if (promoted.matchedCount === 0) throw await this.#refusal(projection, lease, `generation ${number} of ${projection} is gone`)
    await this.#changed()
  }

  async dropGeneration(generation: Generation, lease?: Lease): Promise<void> {
    const { projection, number } = generation
    const dropped = await this.#projections.updateOne(
      { _id: projection, live: { $ne: number }, ...ledBy(lease) },
      { $pull: { generations: { number } } },
    )
    if (dropped.matchedCount === 0) throw await this.#refusal(projection, lease, `generation ${number} of ${projection} is live`)
    await checkpointsIn(this.#db).deleteOne({ _id: idOf(generation) })
    const collections = await this.#db.listCollections({}, { nameOnly: true }).toArray()
    for (const { name } of collections) if (name.startsWith(prefixOf(generation))) await this.#db.dropCollection(name)
    await this.#changed()
  }

  async #refusal(projection: string, lease: Lease | undefined, otherwise: string): Promise<Error> {
    const epoch = (await this.#projections.findOne({ _id: projection }))?.epoch
    if (lease === undefined || epoch === lease.epoch) return new Error(otherwise)
    return new FencedError(`epoch ${lease.epoch} is over: ${epoch} leads ${projection} now`)
  }

  notes(kind: string): Promise<Note[]> {
    return notesOf(this.#db, kind)
  }

  async putNote(note: Note): Promise<Note | null> {
    const written = await putNote(this.#db, note)
    if (written !== null) await this.#changed()
    return written
  }

  async dropNote(kind: string, id: string): Promise<void> {
    await dropNote(this.#db, kind, id)
    await this.#changed()
  }

  acquireLease(projection: string, holder: string, ttlMs: number): Promise<Lease | null> {
    return acquireLease(this.#projections, projection, holder, ttlMs)
  }

  renewLease(lease: Lease, ttlMs: number): Promise<boolean> {
    return renewLease(this.#projections, lease, ttlMs)
  }

  releaseLease(lease: Lease): Promise<void> {
    return releaseLease(this.#projections, lease)
  }

  snapshot(projections: readonly string[]): Promise<Snapshot> {
    return takeSnapshot(this.#connection, projections)
  }

  onChange(listener: () => void): () => void {
    return this.#changes.listen(listener)
  }

  async close(): Promise<void> {
    await this.#changes.close()
    await this.#connection.client.close()
  }

  get #db() {
    return this.#connection.writing
  }

  get #projections() {
    return projectionsIn(this.#db)
  }

  async #changed(): Promise<void> {
    await ring(this.#db)
    this.#changes.notify()
  }

  async #nextNumber(projection: string): Promise<number> {
    const counted = await this.#projections.findOneAndUpdate(
      { _id: projection },
      { $inc: { last: 1 } },
      { upsert: true, returnDocument: 'after' },
    )
    if (counted?.last === undefined) throw new Error(`no number for a generation of ${projection}`)
    return counted.last
  }

  async #createCollection(generation: Generation, collection: Collection): Promise<void> {
    const created = await this.#db.createCollection(prefixOf(generation) + collection.name, { validator: validatorOf(collection) })
    const fold = collection.indexes.filter(({ use }) => use === 'fold')
    if (fold.length > 0) await created.createIndexes(fold.map(indexDescription))
  }
}
