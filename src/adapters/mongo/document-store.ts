import {
  type Collection,
  type ControlRecord,
  type DocumentStore,
  FencedError,
  type Generation,
  type GenerationStore,
  type Lease,
  type Snapshot,
  type SnapshotOptions,
} from '../../ports/document-store.js'
import { ChangeStreamListener } from './change-stream.js'
import { CoalescedReads } from './coalesced-reads.js'
import { type Connection, createConnection } from './connection.js'
import {
  checkpointsIn,
  controlRecordsIn,
  leaseFilter,
  type ProjectionDoc,
  projectionsIn,
  signalChange,
  toGenerations,
} from './control-documents.js'
import { acquireLease, deleteRecord, heldLeases, putRecord, recordsOfKind, releaseLease, renewLease } from './coordination.js'
import { translateErrors } from './errors.js'
import { createGeneration, dropCollections, dropUnfinished, markDropping } from './generations.js'
import { DocumentLoader } from './models/document-loader.js'
import { MongoGenerationStore } from './models/generation-store.js'
import { GroupCommit } from './models/group-commit.js'
import { FIRST_ANSWER_MS, takeSnapshot } from './models/snapshot.js'

export interface MongoOptions {
  /** How long a reader waits for the server's first answer. */
  firstAnswerMs?: number
}

/** Read models in a MongoDB database: `projections` says what there is and who leads, each generation has collections of its own. */
export class MongoDocumentStore implements DocumentStore {
  readonly #connection: Connection
  readonly #firstAnswerMs: number
  readonly #changes: ChangeStreamListener
  readonly #recordChanges: ChangeStreamListener
  readonly #groupCommit: GroupCommit
  readonly #loader: DocumentLoader
  /** There are only a few of them. */
  readonly #allProjections = new CoalescedReads<ProjectionDoc[]>(() => this.#projections.find().toArray())
  readonly #records = new CoalescedReads<readonly ControlRecord[]>((kind) => recordsOfKind(this.#db, kind))

  /** Does not wait for a server: whoever asks a question while there is none hears so. */
  static async open(url: string, { firstAnswerMs = FIRST_ANSWER_MS }: MongoOptions = {}): Promise<MongoDocumentStore> {
    return new MongoDocumentStore(createConnection(url), firstAnswerMs)
  }

  private constructor(connection: Connection, patienceMs: number) {
    this.#connection = connection
    this.#firstAnswerMs = patienceMs
    this.#changes = new ChangeStreamListener(checkpointsIn(connection.reading))
    this.#recordChanges = new ChangeStreamListener(controlRecordsIn(connection.reading))
    this.#groupCommit = new GroupCommit(connection.client, connection.writing)
    this.#loader = new DocumentLoader(connection.writing)
    // Nothing is told any more by a server that is gone: whoever relies on being told has to ask.
    for (const { notify } of [this.#changes, this.#recordChanges]) {
      connection.client.on('serverHeartbeatFailed', notify)
      connection.client.on('connectionPoolCleared', notify)
    }
  }

  generations(projection: string): Promise<Generation[]> {
    return translateErrors(async () => {
      const found = (await this.#allProjections.get('all')).find(({ _id }) => _id === projection)
      return found === undefined ? [] : toGenerations(found)
    })
  }

  createGeneration(projection: string, version: number, collections: readonly Collection[]): Promise<Generation> {
    return translateErrors(() => createGeneration(this.#db, projection, version, collections))
  }

  async openGeneration(generation: Generation, collections: readonly Collection[]): Promise<GenerationStore> {
    return new MongoGenerationStore(this.#connection, generation, collections, this.#groupCommit, this.#loader, this.#changes.notify)
  }

  promote({ projection, number }: Generation, lease?: Lease): Promise<void> {
    return translateErrors(async () => {
      const whole = { generations: { $elemMatch: { number, unfinished: { $exists: false } } } }
      const promoted = await this.#projections.updateOne(
        { _id: projection, ...whole, ...leaseFilter(lease) },
        { $set: { live: number, 'generations.$.promoted': true } },
      )
      if (promoted.matchedCount === 0) throw await this.#fencedOr(projection, lease, `generation ${number} of ${projection} is gone`)
      await this.#changed()
    })
  }

  dropGeneration(generation: Generation, lease?: Lease): Promise<void> {
    return translateErrors(async () => {
      const { projection, number } = generation
      if (!(await markDropping(this.#db, generation, lease)))
        throw await this.#fencedOr(projection, lease, `generation ${number} of ${projection} is live`)
      await dropCollections(this.#db, generation)
      await this.#changed()
    })
  }

  async #fencedOr(projection: string, lease: Lease | undefined, otherwise: string): Promise<Error> {
    const epoch = (await this.#projections.findOne({ _id: projection }))?.epoch
    if (lease === undefined || epoch === lease.epoch) return new Error(otherwise)
    return new FencedError(`epoch ${lease.epoch} is over: ${epoch} leads ${projection} now`)
  }

  controlRecords(kind: string): Promise<ControlRecord[]> {
    return translateErrors(async () => [...(await this.#records.get(kind))])
  }

  putControlRecord(note: ControlRecord): Promise<ControlRecord | null> {
    return translateErrors(async () => {
      const written = await putRecord(this.#db, note)
      if (written !== null) await this.#changed()
      return written
    })
  }

  deleteControlRecord(kind: string, id: string): Promise<void> {
    return translateErrors(async () => {
      await deleteRecord(this.#db, kind, id)
      await this.#changed()
    })
  }

  acquireLease(projection: string, holder: string, ttlMs: number): Promise<Lease | null> {
    return translateErrors(async () => {
      const lease = await acquireLease(this.#projections, projection, holder, ttlMs)
      if (lease !== null) await dropUnfinished(this.#db, projection)
      return lease
    })
  }

  renewLease(lease: Lease, ttlMs: number): Promise<boolean> {
    return translateErrors(() => renewLease(this.#projections, lease, ttlMs))
  }

  releaseLease(lease: Lease): Promise<void> {
    return translateErrors(() => releaseLease(this.#projections, lease))
  }

  leases(): Promise<Lease[]> {
    return translateErrors(() => heldLeases(this.#projections))
  }

  snapshot(projections: readonly string[], { invalidationLogs = false }: SnapshotOptions = {}): Promise<Snapshot> {
    return takeSnapshot(this.#connection, projections, invalidationLogs, this.#firstAnswerMs)
  }

  onChange(listener: () => void): () => void {
    return this.#changes.listen(listener)
  }

  onControlRecord(listener: () => void): () => void {
    return this.#recordChanges.listen(listener)
  }

  async close(): Promise<void> {
    await this.#changes.close()
    await this.#recordChanges.close()
    await this.#groupCommit.close()
    await this.#connection.close()
  }

  get #db() {
    return this.#connection.writing
  }

  get #projections() {
    return projectionsIn(this.#db)
  }

  async #changed(): Promise<void> {
    await signalChange(this.#db)
    this.#changes.notify()
  }
}
