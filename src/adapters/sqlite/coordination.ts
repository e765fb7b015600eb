import { hostname } from 'node:os'
import {
  type AcquiredLease,
  type ControlRecord,
  type Coordination,
  healthFrom,
  type Lead,
  type Lease,
  type ProjectionHealth,
  type StoredHealth,
} from '../../ports/coordination.js'
import { type ControlDatabase, NOW } from './control-database.js'

/** Leases and control records as rows of `control.db`. */
export class SqliteCoordination implements Coordination {
  readonly #control: ControlDatabase

  constructor(control: ControlDatabase) {
    this.#control = control
  }

  async acquireLease(projection: string, holder: string, ttlMs: number, said?: ProjectionHealth): Promise<AcquiredLease | null> {
    this.#expireLeaseOfDeadProcess(projection)
    const row = this.#control.db
      .statement<[epoch: number, health: string | null, agoMs: number | null]>(
        `INSERT INTO leases (projection, holder, host, pid, epoch, expires_at, health, health_at)
         VALUES (?1, ?2, ?4, ?5, 1, ${NOW} + ?3, json_set(?6, '$.epoch', 1), iif(?6 IS NULL, NULL, ${NOW}))
         ON CONFLICT (projection) DO UPDATE SET holder = ?2, host = ?4, pid = ?5, epoch = epoch + 1, expires_at = ${NOW} + ?3,
           health = coalesce(json_set(?6, '$.epoch', epoch + 1), health), health_at = iif(?6 IS NULL, health_at, ${NOW})
         WHERE expires_at <= ${NOW}
         RETURNING epoch, health, ${NOW} - health_at`,
      )
      .get(projection, holder, ttlMs, hostname(), process.pid, stored({ epoch: 0 }, said))
    if (row === undefined) return null
    // The previous leader may have died before it truncated the log after an erasure.
    this.#control.writeAheadLog.truncateSoon()
    const [epoch, health, agoMs] = row
    return { projection, holder, epoch, health: health === null ? null : healthFrom(JSON.parse(health), agoMs ?? 0) }
  }

  async renewLease(lease: Lease, ttlMs: number, health?: ProjectionHealth): Promise<boolean> {
    const set = `expires_at = ${NOW} + ?4, health = coalesce(?5, health), health_at = iif(?5 IS NULL, health_at, ${NOW})`
    return this.#updateLease(set, 'AND expires_at > 0', lease, ttlMs, stored(lease, health))
  }

  async releaseLease(lease: Lease, health?: ProjectionHealth): Promise<void> {
    // At the moment of the release, so that it is known when the last leader left.
    const set = `expires_at = ?4, health = coalesce(?5, health), health_at = ${NOW}`
    this.#updateLease(set, '', lease, 0, stored(lease, health))
  }

  #updateLease(set: string, condition: string, { projection, holder, epoch }: Lease, ttlMs: number, health: string | null): boolean {
    const sql = `UPDATE leases SET ${set} WHERE projection = ?1 AND holder = ?2 AND epoch = ?3 ${condition}`
    return this.#control.renewals.statement(sql).run(projection, holder, epoch, ttlMs, health).changes === 1
  }

  async leads(): Promise<Lead[]> {
    const rows = this.#control.db
      .statement<[string, string, number, expiresInMs: number, health: string | null, agoMs: number | null]>(
        `SELECT projection, holder, epoch, expires_at - ${NOW}, health, ${NOW} - health_at FROM leases ORDER BY projection`,
      )
      .all()
    return rows.map(([projection, holder, epoch, expiresInMs, health, agoMs]) => {
      const said: StoredHealth | null = health === null ? null : JSON.parse(health)
      const until = Date.now() + Math.max(expiresInMs, -(agoMs ?? Number.POSITIVE_INFINITY))
      return { projection, holder, epoch, until, health: said?.epoch === epoch ? healthFrom(said, agoMs ?? 0) : null }
    })
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

const stored = ({ epoch }: Pick<Lease, 'epoch'>, health: ProjectionHealth | undefined): string | null =>
  health === undefined ? null : JSON.stringify({ epoch, saidAt: Date.now(), health } satisfies StoredHealth)

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process of another user is alive too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
