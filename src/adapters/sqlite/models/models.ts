import { existsSync } from 'node:fs'
import {
  type Checkpoint,
  type Collection,
  type Generation,
  type GenerationStore,
  type IndexFault,
  type Models,
  ModelUnavailableError,
  type ModelView,
  type Snapshot,
  type SnapshotOptions,
} from '../../../ports/document-store.js'
import { snapshotOf } from '../../../ports/models.js'
import type { ControlDatabase } from '../control-database.js'
import { type Connection, openDatabase } from '../database.js'
import type { WalCheckpointer } from '../write-ahead-log.js'
import { SqliteGenerationStore } from './generation-store.js'
import { indexFaults } from './indexes.js'
import { type IndexRange, SqliteReads } from './reads.js'
import { hasIndex, readCheckpoint, readInvalidationLog } from './tables.js'

const SEARCH_CACHE_MB = 4
/** Each keeps pages in memory. Opening one takes milliseconds, and a closed one lasts until its statements are collected as garbage. */
const MAX_IDLE = 16
/** Longer than a tombstone. Of a longer document only the length is read, which takes half as long. */
const TOMBSTONE_ROOM = 512

/** The documents of a folder's generations. */
export class SqliteModels implements Models {
  readonly #control: ControlDatabase
  readonly #checkpointer: WalCheckpointer | null
  /** By projection. */
  readonly #pools = new Map<string, ReadPool>()

  constructor(control: ControlDatabase, checkpointer: WalCheckpointer | null) {
    this.#control = control
    this.#checkpointer = checkpointer
  }

  async openGeneration(generation: Generation, collections: readonly Collection[]): Promise<GenerationStore> {
    const path = this.#control.pathOf(generation)
    return new SqliteGenerationStore(path, generation, collections, this.#checkpointer, () => this.#control.signal.fire())
  }

  async snapshot(projections: readonly string[], { invalidationLogs = false }: SnapshotOptions = {}): Promise<Snapshot> {
    const views = new Map<string, SqliteModelView>()
    const release = () => {
      for (const view of views.values()) view.release()
    }
    try {
      for (const projection of projections) views.set(projection, this.#view(projection, invalidationLogs))
    } catch (error) {
      release()
      throw error
    }
    return snapshotOf(views, release)
  }

  onChange(listener: () => void): () => void {
    return this.#control.signal.listen(listener)
  }

  close(): void {
    for (const pool of this.#pools.values()) pool.close()
  }

  #view(projection: string, withInvalidationLog: boolean): SqliteModelView {
    const generation = this.#control.live(projection)
    if (generation === undefined) throw new ModelUnavailableError(projection)
    const path = this.#control.pathOf(generation)
    let pool = this.#pools.get(projection)
    if (pool?.path !== path) {
      if (!this.#control.exists(generation)) throw new ModelUnavailableError(projection)
      // An open file of the previous live generation would keep its disk space after it is dropped.
      pool?.close()
      pool = new ReadPool(path)
      this.#pools.set(projection, pool)
    }
    return pool.view(generation, withInvalidationLog)
  }
}

/** Read connections to one generation's file. Each serves one snapshot at a time, because SQLite isolates per connection. */
class ReadPool {
  readonly path: string
  readonly #idle: Connection[] = []
  #closed = false

  constructor(path: string) {
    this.path = path
  }

  view(generation: Generation, withInvalidationLog: boolean): SqliteModelView {
    const db = this.#idle.pop() ?? this.#open()
    db.exec('BEGIN')
    // The first read fixes the snapshot, so the checkpoint and all later reads belong together.
    const checkpoint = readCheckpoint(db)
    const invalidationLog = withInvalidationLog ? readInvalidationLog(db) : null
    return new SqliteModelView(generation, checkpoint, invalidationLog, db, () => {
      db.exec('COMMIT')
      if (this.#closed || this.#idle.length >= MAX_IDLE) db.close()
      else this.#idle.push(db)
    })
  }

  close(): void {
    this.#closed = true
    for (const db of this.#idle.splice(0)) db.close()
  }

  #open(): Connection {
    // Opening it would create it; a generation dropped a moment ago must not come back empty.
    if (!existsSync(this.path)) throw new Error(`${this.path} is gone`)
    // A small cache: the operating system caches the file for all processes. Search reads more pages.
    const db = openDatabase(this.path, { cacheMb: 1 })
    const [fullTextTables] = db.prepare<[number]>("SELECT count(*) FROM sqlite_master WHERE sql LIKE '%USING fts5%'").one()
    if (fullTextTables > 0) db.exec(`PRAGMA cache_size = ${-SEARCH_CACHE_MB * 1024}`)
    db.exec('PRAGMA query_only = ON')
    return db
  }
}

class SqliteModelView extends SqliteReads implements ModelView {
  readonly #onRelease: () => void
  #released = false

  constructor(
    readonly generation: Generation,
    readonly checkpoint: Checkpoint,
    readonly invalidationLog: string | null,
    db: Connection,
    onRelease: () => void,
  ) {
    super(db)
    this.#onRelease = onRelease
  }

  protected override conditions(collection: Collection, query: IndexRange) {
    const index = collection.indexes.find(({ name }) => name === query.index)
    // Of a declaration that was edited: the next leader builds it.
    if (index?.key !== undefined && !hasIndex(this.db, collection, index)) throw new ModelUnavailableError(this.generation.projection)
    return super.conditions(collection, query)
  }

  async removedAmong({ name }: Collection, ids: readonly string[]): Promise<string[]> {
    const removed = this.db.statement<[string]>(
      `SELECT id FROM "${name}" WHERE id IN (SELECT value FROM json_each(?)) AND octet_length(doc) < ${TOMBSTONE_ROOM} AND json_extract(doc, '$.removed')`,
    )
    return removed.all(JSON.stringify(ids)).map(([id]) => id)
  }

  async indexFaults(collection: Collection): Promise<IndexFault[]> {
    return indexFaults(this.db, collection)
  }

  release(): void {
    if (this.#released) return
    this.#released = true
    this.#onRelease()
  }
}
