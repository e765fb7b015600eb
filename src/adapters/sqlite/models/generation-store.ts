import type { Collection, IndexSpec } from '../../../ports/collection.js'
import { checkpointHasMoved, epochIsOver, type Generation } from '../../../ports/document-store.js'
import { type Checkpoint, type Commit, type GenerationStore, type RunStep, sameCheckpoint, type Write } from '../../../ports/models.js'
import { inTransaction, openDatabase } from '../database.js'
import { type WalCheckpointer, WriteAheadLog } from '../write-ahead-log.js'
import { hasFullTextIndex } from './full-text-index.js'
import { buildIndex, CollectionWriter } from './indexes.js'
import { SqliteReads } from './reads.js'
import {
  createCollection,
  dropFormerIndexes,
  hasIndex,
  META_SCHEMA,
  readCheckpoint,
  writeCheckpoint,
  writeInvalidationLog,
} from './tables.js'

/** One generation is one file: a rebuild never waits for live commits, and dropping a generation deletes a file. */
export class SqliteGenerationStore extends SqliteReads implements GenerationStore {
  readonly generation: Generation
  readonly #writeAhead: WriteAheadLog
  readonly #collections: readonly Collection[]
  readonly #onCommit: () => void
  readonly #writers = new Map<string, CollectionWriter>()
  #indexed: boolean
  /** The epoch of the last fence, while this writer is the only one. */
  #epoch: number | null = null

  constructor(
    path: string,
    generation: Generation,
    collections: readonly Collection[],
    checkpointer: WalCheckpointer | null,
    onCommit: () => void,
  ) {
    const db = openDatabase(path, { cacheMb: 24 })
    super(db)
    this.generation = generation
    this.#collections = collections
    this.#onCommit = onCommit
    // Hot pages are written again and again, so copy them rarely. With a checkpointer, this is only the upper limit.
    db.exec('PRAGMA wal_autocheckpoint = 8000')
    // Overwrite removed text, which erasure needs; SQLite would leave it in the free space of the page.
    db.exec('PRAGMA secure_delete = ON')
    this.#writeAhead = new WriteAheadLog(db, path, checkpointer)
    db.exec(META_SCHEMA)
    for (const collection of collections) createCollection(db, collection)
    this.#indexed = this.#readIndexed()
  }

  async checkpoint(): Promise<Checkpoint> {
    return readCheckpoint(this.db)
  }

  async fence(epoch: number): Promise<Checkpoint> {
    const fenced = inTransaction(this.db, () => {
      const stored = readCheckpoint(this.db)
      if (stored.epoch > epoch) throw epochIsOver(epoch, stored.epoch, `writes ${this.generation.projection}`)
      const fenced = { ...stored, epoch }
      writeCheckpoint(this.db, fenced)
      // The previous leader may have built them since this store was opened.
      this.#setIndexed(this.#readIndexed())
      this.#buildMissing()
      return fenced
    })
    this.#epoch = epoch
    // The previous leader may have died before it truncated the log.
    if (this.#indexed) this.#writeAhead.truncateSoon()
    return fenced
  }

  async commit({ from, to, writes, invalidationLog }: Commit): Promise<void> {
    inTransaction(this.db, () => {
      const stored = readCheckpoint(this.db)
      if (!sameCheckpoint(stored, from)) throw checkpointHasMoved(this.generation.projection, from, stored)
      this.#write(writes)
      writeCheckpoint(this.db, to)
      if (invalidationLog !== undefined) writeInvalidationLog(this.db, invalidationLog)
    })
    // A loading generation has no readers; its log is truncated when the indexes are built.
    if (this.#indexed) {
      this.#writeAhead.committed(writes.length)
      if (to.floor > from.floor) this.#writeAhead.truncateSoon()
    }
    this.#onCommit()
  }

  async buildIndexes(runStep: RunStep = (step) => step()): Promise<void> {
    if (this.#indexed) return
    for (const collection of this.#collections) {
      for (const index of collection.indexes) if (index.use === 'query') await runStep(async () => this.#build(collection, index))
    }
    inTransaction(this.db, () => {
      this.#checkEpoch()
      this.db.exec("INSERT OR IGNORE INTO _meta VALUES ('indexed', 'yes')")
    })
    this.#setIndexed(true)
    this.#writeAhead.truncateSoon()
  }

  #build(collection: Collection, index: IndexSpec): void {
    inTransaction(this.db, () => {
      this.#checkEpoch()
      buildIndex(this.db, collection, index)
    })
  }

  /** A leader that was frozen must not build the indexes of its successor. */
  #checkEpoch(): void {
    const { epoch } = readCheckpoint(this.db)
    if (this.#epoch !== null && epoch !== this.#epoch) throw epochIsOver(this.#epoch, epoch, `writes ${this.generation.projection}`)
  }

  /** Of a declaration that was edited under the same version, and of earlier releases, which had no index of words. */
  #buildMissing(): void {
    dropFormerIndexes(this.db, this.#collections)
    for (const collection of this.#collections) {
      for (const index of collection.indexes) {
        if (index.use === 'query' && !this.#indexed) continue
        const isThere = index.fullText ? hasFullTextIndex(this.db, collection, index) : hasIndex(this.db, collection, index)
        if (!isThere) buildIndex(this.db, collection, index)
      }
    }
  }

  async close(): Promise<void> {
    await this.#writeAhead.close()
    this.db.close()
  }

  #readIndexed(): boolean {
    return this.db.statement("SELECT 1 FROM _meta WHERE key = 'indexed'").get() !== undefined
  }

  /** Drops the writers: those made before do not update the query indexes. */
  #setIndexed(indexed: boolean): void {
    this.#indexed = indexed
    this.#writers.clear()
  }

  #write(writes: readonly Write[]): void {
    try {
      for (const write of sortedForLocality(writes)) this.#writerOf(write.collection).write(write)
      for (const writer of this.#writers.values()) writer.flush()
    } catch (error) {
      // They may hold rows of this transaction.
      this.#writers.clear()
      throw error
    }
  }

  #writerOf(collection: Collection): CollectionWriter {
    let writer = this.#writers.get(collection.name)
    if (writer === undefined) {
      const kept = collection.indexes.filter(({ use }) => this.#indexed || use === 'fold')
      writer = new CollectionWriter(this.db, collection, kept)
      this.#writers.set(collection.name, writer)
    }
    return writer
  }
}

/** Neighbours in the tree are written one after the other. No document occurs twice. */
function sortedForLocality(writes: readonly Write[]): Write[] {
  return writes.toSorted((a, b) =>
    a.collection === b.collection ? (a.id < b.id ? -1 : 1) : a.collection.name < b.collection.name ? -1 : 1,
  )
}
