import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../lib/folders.js'
import { epochIsOver, type Generation, type Lease } from '../../ports/document-store.js'
import { ChangeSignal } from './change-signal.js'
import { addColumns, type Connection, openDatabase } from './database.js'
import { WriteAheadLog } from './write-ahead-log.js'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS generations (
    projection TEXT NOT NULL, number INTEGER NOT NULL, version INTEGER NOT NULL,
    state TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (projection, number)
  );
  CREATE TABLE IF NOT EXISTS numbers (projection TEXT PRIMARY KEY, last INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS leases (
    projection TEXT PRIMARY KEY, holder TEXT NOT NULL, host TEXT NOT NULL, pid INTEGER NOT NULL,
    epoch INTEGER NOT NULL, expires_at REAL NOT NULL, health TEXT, health_at REAL
  );
  CREATE TABLE IF NOT EXISTS notes (
    kind TEXT NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, id)
  ) WITHOUT ROWID`

/** The current time in milliseconds, as SQL. */
export const NOW = "unixepoch('subsec') * 1000"

export const GENERATION_COLUMNS = 'projection, number, version, state, created_at'

export type GenerationRow = [projection: string, number: number, version: number, state: Generation['state'], createdAt: number]

/** `control.db` and what the three ports share: it lists the generations, the leases and the control records of a folder. */
export class ControlDatabase {
  readonly db: Connection
  /** Tells this process and others that something was committed in the folder. */
  readonly signal: ChangeSignal
  readonly writeAheadLog: WriteAheadLog
  /** Renews leases, once a second each, without a wait for the disk: a power cut ends them all anyway. */
  readonly renewals: Connection
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
    makeFolder(folder)
    const path = join(folder, 'control.db')
    this.db = openDatabase(path, { durable: true })
    this.renewals = openDatabase(path, { cacheMb: 1 })
    // A control record may hold documents: erased text must not stay in the free space of the file.
    this.db.exec('PRAGMA secure_delete = ON')
    this.writeAheadLog = new WriteAheadLog(this.db, path, null)
    this.db.exec(SCHEMA)
    addColumns(this.db, 'leases', { health: 'TEXT', health_at: 'REAL' })
    this.signal = new ChangeSignal(folder)
  }

  pathOf({ projection, version, number }: Generation): string {
    return join(this.#folder, `${projection}_v${version}_g${number}.db`)
  }

  /** A deleted file has to be built again from the log. A loading generation may have no file yet. */
  exists(generation: Generation): boolean {
    return generation.state === 'loading' || existsSync(this.pathOf(generation))
  }

  live(projection: string): Generation | undefined {
    const select = `SELECT ${GENERATION_COLUMNS} FROM generations WHERE projection = ? AND state = 'live'`
    const row = this.db.statement<GenerationRow>(select).get(projection)
    return row && toGeneration(row)
  }

  /** Call it in the transaction that the lease fences. */
  checkLease(lease: Lease | undefined): void {
    if (lease === undefined) return
    const [epoch] = this.db.statement<[number]>('SELECT epoch FROM leases WHERE projection = ?').get(lease.projection) ?? []
    if (epoch !== lease.epoch) throw epochIsOver(lease.epoch, epoch, `leads ${lease.projection}`)
  }

  async close(): Promise<void> {
    await this.writeAheadLog.close()
    this.renewals.close()
    this.db.close()
  }
}

export function toGeneration([projection, number, version, state, createdAt]: GenerationRow): Generation {
  return { projection, version, number, state, createdAt }
}
