import { existsSync } from 'node:fs'
import type {
  Checkpoint,
  Collection,
  Doc,
  Generation,
  IndexQuery,
  ModelView,
  RangeQuery,
  SearchFilter,
  SearchQuery,
  Selectivity,
} from '../../../ports/document-store.js'
import { type Connection, openDatabase, type Statement } from '../database.js'
import { CHECKPOINT_SQL, INVALIDATION_LOG_SQL, readCheckpoint } from './generation-store.js'
import { indexFaults } from './index-check.js'
import { SqliteSearchReads } from './search-reads.js'

export interface PooledView extends ModelView {
  release(): void
}

const SEARCH_CACHE_MB = 4

interface Reader {
  db: Connection
  reads: SqliteSearchReads
  checkpoint: Statement
  invalidationLog: Statement
}

/** Connections that read one generation's file. Each serves one snapshot at a time: SQLite's unit of isolation. */
export class ReadPool {
  readonly path: string
  readonly #idle: Reader[] = []
  #closed = false

  constructor(path: string) {
    this.path = path
  }

  view(generation: Generation, trails: boolean): PooledView {
    const reader = this.#idle.pop() ?? this.#open()
    reader.db.exec('BEGIN')
    // The first read fixes the snapshot, so the position and the rows below belong together.
    const checkpoint = readCheckpoint(reader.checkpoint)
    const trail = trails ? readInvalidationLog(reader.invalidationLog) : null
    return new SqliteModelView(generation, checkpoint, trail, reader, () => {
      reader.db.exec('COMMIT')
      if (this.#closed) reader.db.close()
      else this.#idle.push(reader)
    })
  }

  close(): void {
    this.#closed = true
    for (const reader of this.#idle) reader.db.close()
    this.#idle.length = 0
  }

  #open(): Reader {
    // Opening would create it; a generation dropped a moment ago must not come back empty.
    if (!existsSync(this.path)) throw new Error(`${this.path} is gone`)
    // Little of their own: the system keeps the file in memory for all of them, in all processes. Searching comes by more pages.
    const db = openDatabase(this.path, { cacheMb: 1 })
    const [searched] = db.prepare("SELECT count(*) FROM sqlite_master WHERE sql LIKE '%USING fts5%'").raw().get() as unknown as [number]
    if (searched > 0) db.exec(`PRAGMA cache_size = ${-SEARCH_CACHE_MB * 1024}`)
    db.exec('PRAGMA query_only = ON')
    return {
      db,
      reads: new SqliteSearchReads(db),
      checkpoint: db.prepare(CHECKPOINT_SQL).raw(),
      invalidationLog: db.prepare(INVALIDATION_LOG_SQL).raw(),
    }
  }
}

function readInvalidationLog(statement: Statement): string | null {
  const row = statement.get() as unknown as [string] | undefined
  return row?.[0] ?? null
}

class SqliteModelView implements PooledView {
  readonly #reads: SqliteSearchReads
  readonly #db: Connection
  readonly #onRelease: () => void
  #released = false

  constructor(
    readonly generation: Generation,
    readonly checkpoint: Checkpoint,
    readonly invalidationLog: string | null,
    { reads, db }: Reader,
    done: () => void,
  ) {
    this.#reads = reads
    this.#db = db
    this.#onRelease = done
  }

  get<D extends Doc>(collection: Collection<D>, ids: readonly string[]) {
    return this.#reads.get(collection, ids)
  }

  range<D extends Doc>(collection: Collection<D>, query: RangeQuery) {
    return this.#reads.range(collection, query)
  }

  ids(collection: Collection, query: RangeQuery) {
    return this.#reads.ids(collection, query)
  }

  count(collection: Collection, query: IndexQuery, atMost?: number) {
    return this.#reads.count(collection, query, atMost)
  }

  countMatching(collection: Collection, query: SearchQuery) {
    return this.#reads.countMatching(collection, query)
  }

  idsMatching(collection: Collection, query: SearchQuery, limit: number) {
    return this.#reads.idsMatching(collection, query, limit)
  }

  getMatching<D extends Doc>(collection: Collection<D>, filter: SearchFilter) {
    return this.#reads.getMatching(collection, filter)
  }

  rangeMatching<D extends Doc>(collection: Collection<D>, query: RangeQuery, filter: SearchFilter, selectivity: Selectivity) {
    return this.#reads.rangeMatching(collection, query, filter, selectivity)
  }

  async indexFaults(collection: Collection) {
    return indexFaults(this.#db, collection)
  }

  release(): void {
    if (this.#released) return
    this.#released = true
    this.#onRelease()
  }
}
