import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Database from 'libsql'
import { makeFolder } from '../../lib/make-folder.js'

export type Connection = Database.Database
export type Statement = Database.Statement

export interface OpenOptions {
  /** Page cache of the connection. */
  cacheMb?: number
  /** What is committed is on the disk, whatever happens next: for what cannot be made again from anything else. */
  durable?: boolean
}

/**
 * Opens a database file the way all of Vitrine's are opened. WAL lets readers and the one writer go on side by
 * side, in any number of processes. Every commit survives the death of a process at any moment. After a power cut the
 * newest commits of a file that is not `durable` may be missing, never half there: models, which go on from their last
 * checkpoint. The log is durable, so no model has ever seen an event that the log could lose.
 */
export function openDatabase(path: string, { cacheMb = 8, durable = false }: OpenOptions = {}): Connection {
  makeFolder(dirname(path))
  const db = new Database(path)
  db.exec('PRAGMA busy_timeout = 10000')
  db.exec('PRAGMA journal_mode = WAL')
  db.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}`)
  // Sorting for an index of millions of entries must not happen in memory.
  db.exec('PRAGMA temp_store = FILE')
  db.exec(`PRAGMA cache_size = ${-cacheMb * 1024}`)
  return db
}

/** Runs `work` in a write transaction. Not reentrant: SQLite has one transaction per connection. */
export function inTransaction<T>(db: Connection, work: () => T): T {
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    rollBack(db)
    throw error
  }
}

/** SQLite may have done so by itself, as on a full disk. Then what went wrong is worth telling, not that. */
export function rollBack(db: Connection): void {
  if (db.inTransaction) db.exec('ROLLBACK')
}

/** Copies all of the write-ahead log into the file and cuts it to nothing: its old pages hold what has been overwritten since. */
export async function truncateWriteAheadLog(db: Connection): Promise<void> {
  const checkpoint = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').raw()
  for (;;) {
    const [busy] = checkpoint.get() as unknown as [number]
    if (busy === 0) return
    // A reader in another process has not let go of an old page yet.
    await delay(10)
  }
}
