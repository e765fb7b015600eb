import type { Test } from 'tap'
import { openSqliteStore } from '../../src/adapters/sqlite/document-store.js'
import { withDeadLetters } from '../../src/engine/definition/dead-letter-collections.js'
import type { Projection } from '../../src/engine/definition/projection.js'
import { GenerationWriter } from '../../src/engine/fold/generation-writer.js'
import type { Collection, Doc, DocumentStore, GenerationStore, IndexQuery } from '../../src/ports/document-store.js'
import type { LogRecord } from '../../src/ports/event-log.js'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import { decode } from '../support/decode.js'
import { memoryStore } from '../support/memory-store.js'
import type { Told } from './events.js'
import { Script } from './script.js'

/** All documents of a projection, by collection and id. */
export type Dump = Record<string, Record<string, Doc>>

export interface WorldOptions {
  script?: Script
  /** Put something between the engine and its store, such as a store that fails. */
  between?: (store: GenerationStore) => GenerationStore
  loading?: boolean
  /** For thousands of documents, where the disk would only cost time. */
  inMemory?: boolean
  /** A store that it shares with others, instead of its own. */
  documents?: DocumentStore
}

/** One projection under test: the real engine over the real embedded store, in its own folder. Closed after the test. */
export class World {
  #epoch = 1

  static async open(t: Pick<Test, 'teardown'>, definition: Projection, options: WorldOptions = {}): Promise<World> {
    const { script = new Script(), between = (store) => store, loading = false, inMemory = false } = options
    const projection = withDeadLetters(definition)
    const folder = inMemory || options.documents !== undefined ? null : await temporaryFolder()
    const documents = options.documents ?? (folder === null ? memoryStore() : await openSqliteStore(folder))
    const generation = await documents.createGeneration(projection.name, projection.version, projection.collections)
    const store = await documents.openGeneration(generation, projection.collections)
    if (!loading) await store.buildIndexes()
    const engineStore = between(store)
    const writer = await GenerationWriter.open(projection, engineStore, 1, loading)
    t.teardown(async () => {
      await store.close()
      if (documents !== options.documents) await documents.close()
      if (folder !== null) await removeFolder(folder)
    })
    return new World(projection, script, documents, store, engineStore, writer, loading)
  }

  private constructor(
    readonly projection: Projection,
    readonly script: Script,
    readonly documents: DocumentStore,
    readonly store: GenerationStore,
    /** What the engine gets for the store. */
    private readonly engineStore: GenerationStore,
    public session: GenerationWriter,
    private readonly loading: boolean,
  ) {}

  /** Appends events and folds them as one batch. */
  async tell(...told: readonly Told[]): Promise<LogRecord[]> {
    const records = this.script.write(...told)
    await this.deliver(records)
    return records
  }

  async deliver(records: readonly LogRecord[]): Promise<void> {
    await this.session.advance(records.map((record) => ({ record, decoded: decode(record) })))
  }

  /** As after a crash: a new leader that knows only what the store holds. */
  async restart(): Promise<void> {
    this.#epoch += 1
    this.session = await GenerationWriter.open(this.projection, this.engineStore, this.#epoch, this.loading)
  }

  /** Shows its documents to readers. */
  promote(): Promise<void> {
    return this.documents.promote(this.store.generation)
  }

  async doc<D extends Doc>(collection: Collection<D>, id: string): Promise<D | undefined> {
    const [found] = await this.store.get(collection, [id])
    return found
  }

  /** Ids in the order of an index: what a reader would find. */
  ids(collection: Collection, query: IndexQuery): Promise<string[]> {
    return this.store.ids(collection, { ...query, limit: 1_000_000 })
  }

  async all<D extends Doc>(collection: Collection<D>): Promise<D[]> {
    return this.store.range(collection, { index: '_id', equals: [], limit: 1_000_000 })
  }

  async dump(): Promise<Dump> {
    const dump: Dump = {}
    for (const collection of this.projection.collections)
      dump[collection.name] = Object.fromEntries((await this.all(collection)).map((doc) => [doc._id, doc]))
    return dump
  }

  async tallies(): Promise<Record<string, number>> {
    return (await this.store.checkpoint()).tallies
  }
}
