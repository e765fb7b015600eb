import { hostname } from 'node:os'
import type { ControlRecord, Coordination, Lease } from '../../ports/coordination.js'
import { type ControlDatabase, NOW } from './control-database.js'

/** Leases and control records as rows of `control.db`. */
export class SqliteCoordination implements Coordination {
  readonly #control: ControlDatabase

  constructor(control: ControlDatabase) {
    this.#control = control
  }

  async acquireLease(projection: string, holder: string, ttlMs: number): Promise<Lease | null> {
    this.#expireLeaseOfDeadProcess(projection)
    const row = this.#control.db
      .statement<[number]>(
        `INSERT INTO leases (projection, holder, host, pid, epoch, expires_at) VALUES (?1, ?2, ?4, ?5, 1, ${NOW} + ?3)
         ON CONFLICT (projection) DO UPDATE SET holder = ?2, host = ?4, pid = ?5, epoch = epoch + 1, expires_at = ${NOW} + ?3
         WHERE expires_at <= ${NOW}
         RETURNING epoch`,
      )
      .get(projection, holder, ttlMs, hostname(), process.pid)
    if (row === undefined) return null
    // The previous leader may have died before it truncated the log after an erasure.
    this.#control.writeAheadLog.truncateSoon()
    return { projection, holder, epoch: row[0] }
  }

  async renewLease({ projection, holder, epoch }: Lease, ttlMs: number): Promise<boolean> {
    const renewed = this.#control.renewals
      .statement(`UPDATE leases SET expires_at = ${NOW} + ? WHERE projection = ? AND holder = ? AND epoch = ? AND expires_at > 0`)
      .run(ttlMs, projection, holder, epoch)
    return renewed.changes === 1
  }

  async releaseLease({ projection, holder, epoch }: Lease): Promise<void> {
    this.#control.db
      .statement('UPDATE leases SET expires_at = 0 WHERE projection = ? AND holder = ? AND epoch = ?')
      .run(projection, holder, epoch)
  }

  async leases(): Promise<Lease[]> {
    const rows = this.#control.db
      .statement<[string, string, number]>(`SELECT projection, holder, epoch FROM leases WHERE expires_at > ${NOW} ORDER BY projection`)
      .all()
    return rows.map(([projection, holder, epoch]) => ({ projection, holder, epoch }))
  }

  async controlRecords(kind: string): Promise<ControlRecord[]> {
    const select = 'SELECT id, revision, value FROM notes WHERE kind = ? ORDER BY id'
    const rows = this.#control.db.statement<[id: string, revision: number, value: string]>(select).all(kind)
    return rows.map(([id, revision, value]) => ({ kind, id, revision, value: JSON.parse(value) }))
  }

  async putControlRecord(record: ControlRecord): Promise<ControlRecord | null> {
    const { kind, id, revision } = record
    const value = JSON.stringify(record.value)
    const { db } = this.#control
    const [length = 0] = db.statement<[number]>('SELECT length(value) FROM notes WHERE kind = ? AND id = ?').get(kind, id) ?? []
    const { changes } =
      revision === 0
        ? db.statement('INSERT OR IGNORE INTO notes VALUES (?, ?, 1, ?)').run(kind, id, value)
        : db
            .statement('UPDATE notes SET revision = revision + 1, value = ? WHERE kind = ? AND id = ? AND revision = ?')
            .run(value, kind, id, revision)
    if (changes === 0) return null
    // Something was removed from the record: the log must not keep it.
    if (value.length < length) this.#control.writeAheadLog.truncateSoon()
    this.#control.signal.fire()
    return { kind, id, revision: revision + 1, value: JSON.parse(value) }
  }

  async deleteControlRecord(kind: string, id: string): Promise<void> {
    this.#control.db.statement('DELETE FROM notes WHERE kind = ? AND id = ?').run(kind, id)
    this.#control.signal.fire()
  }

  /** The signal does not say what changed, so listeners hear of commits too. */
  onControlRecord(listener: () => void): () => void {
    return this.#control.signal.listen(listener)
  }

  /** An embedded store lives on one machine, so a killed holder can be recognised: no need to wait until its lease expires. */
  #expireLeaseOfDeadProcess(projection: string): void {
    const { db } = this.#control
    const holder = db.statement<[string, number, number]>('SELECT host, pid, epoch FROM leases WHERE projection = ?').get(projection)
    if (holder === undefined) return
    const [host, pid, epoch] = holder
    if (host !== hostname() || isAlive(pid)) return
    db.statement('UPDATE leases SET expires_at = 0 WHERE projection = ? AND epoch = ?').run(projection, epoch)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process of another user is alive too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
