import { existsSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { makeFolder } from '../../lib/make-folder.js'
import {
  type Collection,
  type ControlRecord,
  type DocumentStore,
  FencedError,
  type Generation,
  type GenerationStore,
  type Lease,
  ModelUnavailableError,
  type Snapshot,
  type SnapshotOptions,
} from '../../ports/document-store.js'
import { ChangeSignal } from './change-signal.js'
import { SqliteControlRecords } from './coordination.js'
import { type Connection, inTransaction, openDatabase } from './database.js'
import { SqliteGenerationStore } from './models/generation-store.js'
import { type PooledView, ReadPool } from './models/read-pool.js'
import { WalCheckpointer } from './wal/checkpointer.js'
import { WriteAheadLog } from './wal/write-ahead-log.js'

const CONTROL_SCHEMA = `
  CREATE TABLE IF NOT EXISTS generations (
    projection TEXT NOT NULL, number INTEGER NOT NULL, version INTEGER NOT NULL,
    state TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (projection, number)
  );
  CREATE TABLE IF NOT EXISTS numbers (projection TEXT PRIMARY KEY, last INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS leases (
    projection TEXT PRIMARY KEY, holder TEXT NOT NULL, host TEXT NOT NULL, pid INTEGER NOT NULL,
    epoch INTEGER NOT NULL, expires_at REAL NOT NULL
  )`

const NOW = "unixepoch('subsec') * 1000"

type GenerationRow = [projection: string, number, version: number, state: Generation['state'], createdAt: number]

const COLUMNS = 'projection, number, version, state, created_at'

export interface SqliteOptions {
  /** Write-ahead logs are copied into their files in a thread of its own: for whoever must not stand still. */
  checkpointInThread?: boolean
}

/** Read models in a folder: `control.db` knows the generations and who leads, each generation is a file of its own. */
export class SqliteDocumentStore implements DocumentStore {
  readonly #folder: string
  readonly #control: Connection
  /** For renewing leases, once a second each: a power cut ends them all anyway, so nobody has to wait for the disk. */
  readonly #renewals: Connection
  readonly #writeAhead: WriteAheadLog
  readonly #checkpointer: WalCheckpointer | null
  readonly #signal: ChangeSignal
  readonly #pools = new Map<string, ReadPool>()
  readonly #records: SqliteControlRecords
  readonly #selectLive

  static async open(folder: string, { checkpointInThread = false }: SqliteOptions = {}): Promise<SqliteDocumentStore> {
    return new SqliteDocumentStore(folder, checkpointInThread ? new WalCheckpointer() : null)
  }

  private constructor(folder: string, copier: WalCheckpointer | null) {
    this.#folder = folder
    this.#checkpointer = copier
    makeFolder(folder)
    const control = join(folder, 'control.db')
    this.#control = openDatabase(control, { durable: true })
    this.#renewals = openDatabase(control, { cacheMb: 1 })
    // A note may hold documents: what is taken out of it is not to be found in the file either.
    this.#control.exec('PRAGMA secure_delete = ON')
    this.#writeAhead = new WriteAheadLog(this.#control, control, null)
    this.#control.exec(CONTROL_SCHEMA)
    this.#records = new SqliteControlRecords(this.#control)
    this.#selectLive = this.#control.prepare(`SELECT ${COLUMNS} FROM generations WHERE projection = ? AND state = 'live'`).raw()
    this.#signal = new ChangeSignal(folder)
  }

  async generations(projection: string): Promise<Generation[]> {
    const rows = this.#control.prepare(`SELECT ${COLUMNS} FROM generations WHERE projection = ? ORDER BY number`).raw().all(projection)
    return (rows as unknown as GenerationRow[]).map(toGeneration).filter((generation) => this.#exists(generation))
  }

  async createGeneration(projection: string, version: number, collections: readonly Collection[]): Promise<Generation> {
    // Numbers never come back: another process may still have a dropped generation's file open under its name.
    const row = inTransaction(this.#control, () => {
      const [number] = this.#control
        .prepare('INSERT INTO numbers VALUES (?, 1) ON CONFLICT (projection) DO UPDATE SET last = last + 1 RETURNING last')
        .raw()
        .get(projection) as unknown as [number]
      return this.#control
        .prepare(`INSERT INTO generations (${COLUMNS}) VALUES (?, ?, ?, 'loading', CAST(${NOW} AS INTEGER)) RETURNING ${COLUMNS}`)
        .raw()
        .get(projection, number, version)
    })
    const generation = toGeneration(row as unknown as GenerationRow)
    await (await this.openGeneration(generation, collections)).close()
    return generation
  }

  async openGeneration(generation: Generation, collections: readonly Collection[]): Promise<GenerationStore> {
    return new SqliteGenerationStore(this.#path(generation), generation, collections, this.#checkpointer, () => this.#signal.fire())
  }

  async promote({ projection, number }: Generation, lease?: Lease): Promise<void> {
    inTransaction(this.#control, () => {
      this.#checkLease(lease)
      this.#control.prepare("UPDATE generations SET state = 'retired' WHERE projection = ? AND state = 'live'").run(projection)
      const live = this.#control
        .prepare("UPDATE generations SET state = 'live' WHERE projection = ? AND number = ?")
        .run(projection, number)
      if (live.changes === 0) throw new Error(`generation ${number} of ${projection} is gone`)
    })
    this.#signal.fire()
  }

  async dropGeneration(generation: Generation, lease?: Lease): Promise<void> {
    const { projection, number } = generation
    inTransaction(this.#control, () => {
      this.#checkLease(lease)
      const [live] = (this.#selectLive.all(projection) as unknown as GenerationRow[]).map(toGeneration)
      if (live?.number === number) throw new Error(`generation ${number} of ${projection} is live`)
      this.#control.prepare('DELETE FROM generations WHERE projection = ? AND number = ?').run(projection, number)
    })
    const path = this.#path(generation)
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
    this.#signal.fire()
  }

  /** To be called in the transaction that the lease is to fence. */
  #checkLease(lease: Lease | undefined): void {
    if (lease === undefined) return
    const row = this.#control.prepare('SELECT epoch FROM leases WHERE projection = ?').raw().get(lease.projection)
    const [epoch] = (row ?? []) as unknown as [number?]
    if (epoch !== lease.epoch) throw new FencedError(`epoch ${lease.epoch} is over: ${epoch} leads ${lease.projection} now`)
  }

  controlRecords(kind: string): Promise<ControlRecord[]> {
    return this.#records.all(kind)
  }

  async putControlRecord(note: ControlRecord): Promise<ControlRecord | null> {
    const written = await this.#records.put(note, () => this.#writeAhead.truncateSoon())
    if (written !== null) this.#signal.fire()
    return written
  }

  async deleteControlRecord(kind: string, id: string): Promise<void> {
    await this.#records.delete(kind, id)
    this.#signal.fire()
  }

  async acquireLease(projection: string, holder: string, ttlMs: number): Promise<Lease | null> {
    this.#expireLeaseOfDeadProcess(projection)
    const row = this.#control
      .prepare(
        `INSERT INTO leases (projection, holder, host, pid, epoch, expires_at) VALUES (?1, ?2, ?4, ?5, 1, ${NOW} + ?3)
         ON CONFLICT (projection) DO UPDATE SET holder = ?2, host = ?4, pid = ?5, epoch = epoch + 1, expires_at = ${NOW} + ?3
         WHERE expires_at <= ${NOW}
         RETURNING epoch`,
      )
      .raw()
      .get(projection, holder, ttlMs, hostname(), process.pid) as unknown as [number] | undefined
    if (row === undefined) return null
    // Whoever led before may have died before it came to this.
    this.#writeAhead.truncateSoon()
    return { projection, holder, epoch: row[0] }
  }

  /** Embedded stores live on one machine, so a holder that was killed can be seen to be dead: no need to wait for its lease. */
  #expireLeaseOfDeadProcess(projection: string): void {
    const row = this.#control.prepare('SELECT host, pid, epoch FROM leases WHERE projection = ?').raw().get(projection)
    const [host, pid, epoch] = (row ?? []) as unknown as [host?: string, pid?: number, epoch?: number]
    if (pid === undefined || host !== hostname() || isAlive(pid)) return
    this.#control.prepare('UPDATE leases SET expires_at = 0 WHERE projection = ? AND epoch = ?').run(projection, epoch)
  }

  async renewLease({ projection, holder, epoch }: Lease, ttlMs: number): Promise<boolean> {
    const renewed = this.#renewals
      .prepare(`UPDATE leases SET expires_at = ${NOW} + ? WHERE projection = ? AND holder = ? AND epoch = ? AND expires_at > ${NOW}`)
      .run(ttlMs, projection, holder, epoch)
    return renewed.changes === 1
  }

  async releaseLease({ projection, holder, epoch }: Lease): Promise<void> {
    this.#control
      .prepare('UPDATE leases SET expires_at = 0 WHERE projection = ? AND holder = ? AND epoch = ?')
      .run(projection, holder, epoch)
  }

  async leases(): Promise<Lease[]> {
    const rows = this.#control
      .prepare(`SELECT projection, holder, epoch FROM leases WHERE expires_at > ${NOW} ORDER BY projection`)
      .raw()
      .all()
    // Two texts and a number, as selected.
    return (rows as unknown as [string, string, number][]).map(([projection, holder, epoch]) => ({ projection, holder, epoch }))
  }

  async snapshot(projections: readonly string[], { invalidationLogs = false }: SnapshotOptions = {}): Promise<Snapshot> {
    const views = new Map<string, PooledView>()
    const release = () => {
      for (const view of views.values()) view.release()
    }
    try {
      for (const projection of projections) views.set(projection, this.#view(projection, invalidationLogs))
    } catch (error) {
      release()
      throw error
    }
    return {
      model: (projection) => {
        const view = views.get(projection)
        if (view === undefined) throw new Error(`the snapshot does not include ${projection}`)
        return view
      },
      release,
    }
  }

  /** Files do not say what has changed in them. */
  onControlRecord(listener: () => void): () => void {
    return this.onChange(listener)
  }

  onChange(listener: () => void): () => void {
    return this.#signal.listen(listener)
  }

  async close(): Promise<void> {
    this.#signal.close()
    for (const pool of this.#pools.values()) pool.close()
    await this.#writeAhead.close()
    await this.#checkpointer?.close()
    this.#renewals.close()
    this.#control.close()
  }

  #view(projection: string, trails: boolean): PooledView {
    const row = this.#selectLive.get(projection) as unknown as GenerationRow | undefined
    if (row === undefined) throw new ModelUnavailableError(projection)
    const generation = toGeneration(row)
    const path = this.#path(generation)
    let pool = this.#pools.get(projection)
    if (pool?.path !== path) {
      if (!this.#exists(generation)) throw new ModelUnavailableError(projection)
      // Open files of a generation that was live before would keep its disk space after it is dropped.
      pool?.close()
      pool = new ReadPool(path)
      this.#pools.set(projection, pool)
    }
    return pool.view(generation, trails)
  }

  /** Somebody may have taken its file away: then it has to be made anew from the log. One that is loading may be without one yet. */
  #exists(generation: Generation): boolean {
    return generation.state === 'loading' || existsSync(this.#path(generation))
  }

  #path({ projection, version, number }: Generation): string {
    return join(this.#folder, `${projection}_v${version}_g${number}.db`)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user is alive, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function toGeneration([projection, number, version, state, createdAt]: GenerationRow): Generation {
  return { projection, version, number, state, createdAt }
}
