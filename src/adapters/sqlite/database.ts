import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Database from 'libsql'

export type Connection = Database.Database
export type Statement = Database.Statement

export interface OpenOptions {
  /** Page cache of the connection. */
  cacheMb?: number
}

/**
 * Opens a database file the way all of Vitrine's are opened. WAL lets readers and the one writer go on side by
 * side, in any number of processes. `synchronous=NORMAL` survives the death of a process at any moment; after a
 * power cut the newest commits may be missing, never half there.
 */
export function openDatabase(path: string, { cacheMb = 8 }: OpenOptions = {}): Connection {
  mkdirSync(dirname(path), { recursive: true })
  const db = new Database(path)
  db.exec('PRAGMA busy_timeout = 10000')
  db.exec('PRAGMA journal_mode = WAL')
  db.exec('PRAGMA synchronous = NORMAL')
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
    db.exec('ROLLBACK')
    throw error
  }
}

/** Copies all of the write-ahead log into the file and cuts it to nothing: its old pages hold what has been overwritten since. */
export async function emptyWriteAheadLog(db: Connection): Promise<void> {
  const checkpoint = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').raw()
  for (;;) {
    const [busy] = checkpoint.get() as unknown as [number]
    if (busy === 0) return
    // A reader in another process has not let go of an old page yet.
    await delay(10)
  }
}
