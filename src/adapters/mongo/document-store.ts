import {
  type Collection,
  type DocumentStore,
  FencedError,
  type Generation,
  type GenerationStore,
  type Lease,
  type Note,
  type Snapshot,
  type SnapshotOptions,
} from '../../ports/document-store.js'
import { Changes } from './change-stream.js'
import { Joined } from './coalesced-reads.js'
import { type Connection, connectionTo } from './connection.js'
import { checkpointsIn, generationsOf, ledBy, notesIn, type ProjectionDoc, projectionsIn, ring } from './control-documents.js'
import { acquireLease, heldLeases, releaseLease, renewLease } from './coordination.js'
import { available } from './errors.js'
import { beginDropping, finishDropping, makeGeneration, sweep } from './generations.js'
import { Loads } from './models/document-loader.js'
import { MongoGeneration } from './models/generation-store.js'
import { Together } from './models/group-commit.js'
import { FIRST_ANSWER_MS, takeSnapshot } from './models/snapshot.js'
import { dropNote, notesOf, putNote } from './notes.js'

export interface MongoOptions {
  /** How long a reader waits for the server's first answer. */
  patienceMs?: number
}

/** Read models in a MongoDB database: `projections` says what there is and who leads, each generation has collections of its own. */
export class MongoDocumentStore implements DocumentStore {
  readonly #connection: Connection
  readonly #patienceMs: number
  readonly #changes: Changes
  readonly #noted: Changes
  readonly #together: Together
  readonly #loads: Loads
  /** There are only a few of them. */
  readonly #allProjections = new Joined<ProjectionDoc[]>(() => this.#projections.find().toArray())
  readonly #notes = new Joined<readonly Note[]>((kind) => notesOf(this.#db, kind))

  /** Does not wait for a server: whoever asks a question while there is none hears so. */
  static async open(url: string, { patienceMs = FIRST_ANSWER_MS }: MongoOptions = {}): Promise<MongoDocumentStore> {
    return new MongoDocumentStore(connectionTo(url), patienceMs)
  }

  private constructor(connection: Connection, patienceMs: number) {
    this.#connection = connection
    this.#patienceMs = patienceMs
    this.#changes = new Changes(checkpointsIn(connection.reading))
    this.#noted = new Changes(notesIn(connection.reading))
    this.#together = new Together(connection.client, connection.writing)
    this.#loads = new Loads(connection.writing)
    // Nothing is told any more by a server that is gone: whoever relies on being told has to ask.
    for (const { notify } of [this.#changes, this.#noted]) {
      connection.client.on('serverHeartbeatFailed', notify)
      connection.client.on('connectionPoolCleared', notify)
    }
  }

  generations(projection: string): Promise<Generation[]> {
    return available(async () => {
      const found = (await this.#allProjections.about('all')).find(({ _id }) => _id === projection)
      return found === undefined ? [] : generationsOf(found)
    })
  }

  createGeneration(projection: string, version: number, collections: readonly Collection[]): Promise<Generation> {
    return available(() => makeGeneration(this.#db, projection, version, collections))
  }

  async openGeneration(generation: Generation, collections: readonly Collection[]): Promise<GenerationStore> {
    return new MongoGeneration(this.#connection, generation, collections, this.#together, this.#loads, this.#changes.notify)
  }

  promote({ projection, number }: Generation, lease?: Lease): Promise<void> {
    return available(async () => {
      const whole = { generations: { $elemMatch: { number, unfinished: { $exists: false } } } }
      const promoted = await this.#projections.updateOne(
        { _id: projection, ...whole, ...ledBy(lease) },
        { $set: { live: number, 'generations.$.promoted': true } },
      )
      if (promoted.matchedCount === 0) throw await this.#refusal(projection, lease, `generation ${number} of ${projection} is gone`)
      await this.#changed()
    })
  }

  dropGeneration(generation: Generation, lease?: Lease): Promise<void> {
    return available(async () => {
      const { projection, number } = generation
      if (!(await beginDropping(this.#db, generation, lease)))
        throw await this.#refusal(projection, lease, `generation ${number} of ${projection} is live`)
      await finishDropping(this.#db, generation)
      await this.#changed()
    })
  }

  async #refusal(projection: string, lease: Lease | undefined, otherwise: string): Promise<Error> {
    const epoch = (await this.#projections.findOne({ _id: projection }))?.epoch
    if (lease === undefined || epoch === lease.epoch) return new Error(otherwise)
    return new FencedError(`epoch ${lease.epoch} is over: ${epoch} leads ${projection} now`)
  }

  notes(kind: string): Promise<Note[]> {
    return available(async () => [...(await this.#notes.about(kind))])
  }

  putNote(note: Note): Promise<Note | null> {
    return available(async () => {
      const written = await putNote(this.#db, note)
      if (written !== null) await this.#changed()
      return written
    })
  }

  dropNote(kind: string, id: string): Promise<void> {
    return available(async () => {
      await dropNote(this.#db, kind, id)
      await this.#changed()
    })
  }

  acquireLease(projection: string, holder: string, ttlMs: number): Promise<Lease | null> {
    return available(async () => {
      const lease = await acquireLease(this.#projections, projection, holder, ttlMs)
      if (lease !== null) await sweep(this.#db, projection)
      return lease
    })
  }

  renewLease(lease: Lease, ttlMs: number): Promise<boolean> {
    return available(() => renewLease(this.#projections, lease, ttlMs))
  }

  releaseLease(lease: Lease): Promise<void> {
    return available(() => releaseLease(this.#projections, lease))
  }

  leases(): Promise<Lease[]> {
    return available(() => heldLeases(this.#projections))
  }

  snapshot(projections: readonly string[], { trails = false }: SnapshotOptions = {}): Promise<Snapshot> {
    return takeSnapshot(this.#connection, projections, trails, this.#patienceMs)
  }

  onChange(listener: () => void): () => void {
    return this.#changes.listen(listener)
  }

  onNote(listener: () => void): () => void {
    return this.#noted.listen(listener)
  }

  async close(): Promise<void> {
    await this.#changes.close()
    await this.#noted.close()
    await this.#together.end()
    await this.#connection.close()
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
}
