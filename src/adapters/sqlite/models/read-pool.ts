import { existsSync } from 'node:fs'
import type { Collection } from '../../../ports/collection.js'
import type { Generation } from '../../../ports/generations.js'
import type { Checkpoint, IndexFault, ModelView } from '../../../ports/models.js'
import { type Connection, openDatabase } from '../database.js'
import { indexFaults } from './index-check.js'
import { SqliteSearchReads } from './search-reads.js'
import { readCheckpoint, readInvalidationLog } from './tables.js'

export interface PooledView extends ModelView {
  release(): void
}

const SEARCH_CACHE_MB = 4

/** Read connections to one generation's file. Each serves one snapshot at a time, because SQLite isolates per connection. */
export class ReadPool {
  readonly path: string
  readonly #idle: Connection[] = []
  #closed = false

  constructor(path: string) {
    this.path = path
  }

  view(generation: Generation, withInvalidationLog: boolean): PooledView {
    const db = this.#idle.pop() ?? this.#open()
    db.exec('BEGIN')
    // The first read fixes the snapshot, so the checkpoint and all later reads belong together.
    const checkpoint = readCheckpoint(db)
    const invalidationLog = withInvalidationLog ? readInvalidationLog(db) : null
    return new SqliteModelView(generation, checkpoint, invalidationLog, db, () => {
      db.exec('COMMIT')
      if (this.#closed) db.close()
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

class SqliteModelView extends SqliteSearchReads implements PooledView {
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

  async indexFaults(collection: Collection): Promise<IndexFault[]> {
    return indexFaults(this.db, collection)
  }

  release(): void {
    if (this.#released) return
    this.#released = true
    this.#onRelease()
  }
}
