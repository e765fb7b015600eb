import {
  type Checkpoint,
  type Collection,
  type Commit,
  type Doc,
  FencedError,
  type Generation,
  type GenerationStore,
  type IndexQuery,
  type IndexSpec,
  type RangeQuery,
  type RunStep,
  type Write,
} from '../../../ports/document-store.js'
import { describeCheckpoint, INITIAL_CHECKPOINT, sameCheckpoint } from '../../stored-checkpoint.js'
import { type Connection, openDatabase, rollBack, type Statement } from '../database.js'
import type { WalCheckpointer } from '../wal/checkpointer.js'
import { WriteAheadLog } from '../wal/write-ahead-log.js'
import { CollectionWriter } from './collection-writer.js'
import { hasFullTextIndex } from './full-text-index.js'
import { buildIndex } from './index-builder.js'
import { findIndex, SqliteReads } from './reads.js'
import { checkReadable, createCollection, dropExtractedFields, extractFields } from './tables.js'

const META = `
  CREATE TABLE IF NOT EXISTS _checkpoint (one INTEGER PRIMARY KEY CHECK (one = 1), value TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS _meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)`

/** Reads the checkpoint of a generation's file through any connection to it. */
export function readCheckpoint(statement: Statement): Checkpoint {
  const row = statement.get() as unknown as [string] | undefined
  return row === undefined ? INITIAL_CHECKPOINT : (JSON.parse(row[0]) as Checkpoint)
}

export const CHECKPOINT_SQL = 'SELECT value FROM _checkpoint'
/** Apart from the checkpoint, which is read for every answer. */
export const INVALIDATION_LOG_SQL = "SELECT value FROM _meta WHERE key = 'trail'"

/** Transactions under way in this thread, by file. */
const transactionQueues = new Map<string, Promise<unknown>>()

/** One generation is one file, so that a rebuild never waits for live commits and dropping it is deleting it. */
export class SqliteGenerationStore implements GenerationStore {
  readonly generation: Generation
  readonly #db: Connection
  readonly #writeAhead: WriteAheadLog
  readonly #reads: SqliteReads
  readonly #collections: readonly Collection[]
  readonly #onCommit: () => void
  readonly #writers = new Map<string, CollectionWriter>()
  readonly #path: string
  readonly #readIndexed: Statement
  readonly #readCheckpoint: Statement
  readonly #writeCheckpoint: Statement
  readonly #writeInvalidationLog: Statement
  #indexed: boolean
  /** Of the last fence, while this writer is the only one. */
  #epoch: number | null = null

  constructor(
    path: string,
    generation: Generation,
    collections: readonly Collection[],
    copier: WalCheckpointer | null,
    committed: () => void,
  ) {
    this.#path = path
    this.generation = generation
    this.#collections = collections
    this.#onCommit = committed
    this.#db = openDatabase(path, { cacheMb: 24 })
    // Hot pages are written again and again: let many commits pass before they are copied into the file. Where somebody else
    // copies it never comes to this, unless it cannot keep up.
    this.#db.exec('PRAGMA wal_autocheckpoint = 8000')
    // What is removed or replaced is overwritten, not left in the free space of its page: somebody may have been erased.
    this.#db.exec('PRAGMA secure_delete = ON')
    this.#writeAhead = new WriteAheadLog(this.#db, path, copier)
    this.#db.exec(META)
    for (const collection of collections) createCollection(this.#db, collection)
    this.#reads = new SqliteReads(this.#db)
    this.#readCheckpoint = this.#db.prepare(CHECKPOINT_SQL).raw()
    this.#writeCheckpoint = this.#db.prepare('INSERT INTO _checkpoint VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET value = excluded.value')
    this.#writeInvalidationLog = this.#db.prepare(
      "INSERT INTO _meta VALUES ('trail', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    )
    this.#readIndexed = this.#db.prepare("SELECT 1 FROM _meta WHERE key = 'indexed'").raw()
    this.#indexed = this.#readIndexed.get() !== undefined
  }

  get<D extends Doc>(collection: Collection<D>, ids: readonly string[]): Promise<(D | undefined)[]> {
    return this.#reads.get(collection, ids)
  }

  range<D extends Doc>(collection: Collection<D>, query: RangeQuery): Promise<D[]> {
    return this.#reads.range(collection, query)
  }

  ids(collection: Collection, query: RangeQuery): Promise<string[]> {
    return this.#reads.ids(collection, query)
  }

  count(collection: Collection, query: IndexQuery, atMost?: number): Promise<number> {
    return this.#reads.count(collection, query, atMost)
  }

  async checkpoint(): Promise<Checkpoint> {
    return readCheckpoint(this.#readCheckpoint)
  }

  async fence(epoch: number): Promise<Checkpoint> {
    const fenced = await this.#transaction(async () => {
      const stored = readCheckpoint(this.#readCheckpoint)
      if (stored.epoch > epoch) throw this.#fencedError(epoch, stored.epoch)
      const fenced = { ...stored, epoch }
      this.#writeCheckpoint.run(JSON.stringify(fenced))
      // Whoever led before may have built them since this handle was opened.
      this.#setIndexed(this.#readIndexed.get() !== undefined)
      if (this.#indexed) this.#buildMissingFullText()
      return fenced
    })
    this.#epoch = epoch
    // Whoever led before may have died before it came to this.
    if (this.#indexed) this.#writeAhead.truncateSoon()
    return fenced
  }

  async commit({ from, to, writes, reindex = [], computeDerived, invalidationLog }: Commit): Promise<void> {
    await this.#transaction(async () => {
      const stored = readCheckpoint(this.#readCheckpoint)
      if (!sameCheckpoint(stored, from)) {
        throw new FencedError(
          `${this.generation.projection} is at ${describeCheckpoint(stored)}, not at ${describeCheckpoint(from)} where this projector left it`,
        )
      }
      this.#write(writes)
      for (const { collection, index } of reindex) this.#reindex(collection, index)
      if (computeDerived !== undefined) this.#write(await computeDerived(this.#reads))
      this.#writeCheckpoint.run(JSON.stringify(to))
      if (invalidationLog !== undefined) this.#writeInvalidationLog.run(invalidationLog)
    })
    // While it is loading nobody has it yet, and the end of that is soon enough.
    if (this.#indexed) {
      this.#writeAhead.committed(writes.length)
      if (to.floor > from.floor) this.#writeAhead.truncateSoon()
    }
    this.#onCommit()
  }

  async buildIndexes(around: RunStep = (step) => step()): Promise<void> {
    if (this.#indexed) return
    for (const collection of this.#collections) await this.#buildAll(collection, around)
    await this.#transaction(async () => {
      this.#checkEpoch()
      this.#db.exec("INSERT OR IGNORE INTO _meta VALUES ('indexed', 'yes')")
    })
    this.#setIndexed(true)
    this.#writeAhead.truncateSoon()
  }

  async #buildAll(collection: Collection, around: RunStep): Promise<void> {
    const indexes = collection.indexes.filter(({ use }) => use === 'query')
    const ordered = indexes.filter(({ fullText }) => !fullText)
    const extract = ordered.length > 1
    if (extract) await around(async () => extractFields(this.#db, collection, ordered))
    try {
      for (const index of indexes) await around(() => this.#build(collection, index, extract))
    } finally {
      dropExtractedFields(this.#db, collection)
    }
  }

  #build(collection: Collection, index: IndexSpec, extracted: boolean): Promise<void> {
    return this.#transaction(async () => {
      this.#checkEpoch()
      buildIndex(this.#db, collection, index, this.#hasInexactNumbers(collection), extracted)
    })
  }

  /** A leader that was frozen while it took fields out of the documents must not fill the indexes of its successor with them. */
  #checkEpoch(): void {
    const { epoch } = readCheckpoint(this.#readCheckpoint)
    if (this.#epoch !== null && epoch !== this.#epoch) throw this.#fencedError(this.#epoch, epoch)
  }

  #fencedError(epoch: number, now: number): FencedError {
    return new FencedError(`epoch ${epoch} is over: ${now} writes ${this.generation.projection} now`)
  }

  #reindex(collection: Collection, name: string): void {
    checkReadable(this.#db, collection)
    // Whether a number is delicate was noted only while the generation was loading.
    buildIndex(this.#db, collection, findIndex(collection, name), true)
    this.#writers.clear()
  }

  /** Generations from before there were indexes of words have tables in their place, which nobody keeps in step any more. */
  #buildMissingFullText(): void {
    for (const collection of this.#collections) {
      for (const index of collection.indexes) {
        if (index.fullText && !hasFullTextIndex(this.#db, collection, index)) buildIndex(this.#db, collection, index, false)
      }
    }
  }

  async close(): Promise<void> {
    await transactionQueues.get(this.#path)
    await this.#writeAhead.close()
    this.#db.close()
  }

  /** From here on every index has to be kept in step, which the writers so far do not know. */
  #setIndexed(indexed: boolean): void {
    this.#indexed = indexed
    this.#writers.clear()
  }

  /** One after the other: a transaction of this thread that waits for another of the same thread would wait for ever. */
  #transaction<T>(work: () => Promise<T>): Promise<T> {
    const before = transactionQueues.get(this.#path) ?? Promise.resolve()
    const turn = before.then(async () => {
      this.#db.exec('BEGIN IMMEDIATE')
      try {
        const result = await work()
        this.#db.exec('COMMIT')
        return result
      } catch (error) {
        rollBack(this.#db)
        throw error
      }
    })
    const settled: Promise<unknown> = turn
      .catch(() => {})
      .then(() => transactionQueues.get(this.#path) === settled && transactionQueues.delete(this.#path))
    transactionQueues.set(this.#path, settled)
    return turn
  }

  #write(writes: readonly Write[]): void {
    const touched = new Set<CollectionWriter>()
    try {
      for (const write of sortedForLocality(writes)) {
        const writer = this.#writerOf(write.collection)
        touched.add(writer)
        writer.write(write)
      }
      for (const writer of touched) writer.flush()
      this.#recordInexactNumbers()
    } catch (error) {
      for (const writer of touched) writer.discard()
      throw error
    }
  }

  /** In the same transaction, so that a crash cannot forget it. */
  #recordInexactNumbers(): void {
    for (const [name, writer] of this.#writers) {
      if (writer.sawInexactNumber) this.#db.prepare("INSERT OR IGNORE INTO _meta VALUES (?, 'delicate')").run(name)
    }
  }

  #hasInexactNumbers({ name }: Collection): boolean {
    return this.#db.prepare("SELECT 1 FROM _meta WHERE key = ? AND value = 'delicate'").raw().get(name) !== undefined
  }

  #writerOf(collection: Collection): CollectionWriter {
    let writer = this.#writers.get(collection.name)
    if (writer === undefined) {
      const kept = collection.indexes.filter(({ use }) => this.#indexed || use === 'fold')
      const later = collection.indexes.filter((index) => !kept.includes(index))
      writer = new CollectionWriter(this.#db, collection, kept, later)
      this.#writers.set(collection.name, writer)
    }
    return writer
  }
}

/** Neighbours in the tree are written one after the other. No document is there twice. */
function sortedForLocality(writes: readonly Write[]): Write[] {
  return writes.toSorted((a, b) =>
    a.collection === b.collection ? (a.id < b.id ? -1 : 1) : a.collection.name < b.collection.name ? -1 : 1,
  )
}
