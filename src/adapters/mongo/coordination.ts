import DataLoader from 'dataloader'
import { type Db, MongoServerError } from 'mongodb'
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
import type { ChangeStreamListener } from './change-stream.js'
import { controlRecordsIn, type ProjectionDoc, projectionsIn } from './control-documents.js'
import { answered } from './errors.js'

/** Leases expire by the server's clock: clocks of other machines may differ. */
const expiryAfter = (ttlMs: number) => ({ $add: ['$$NOW', ttlMs] })
const HAS_EXPIRED = { $lte: ['$expiresAt', '$$NOW'] }

const RELEASED = new Date(0)

/** With the server's clock. */
const WITH_CLOCK = { holder: 1, epoch: 1, expiresAt: 1, health: 1, healthAt: 1, now: '$$NOW' }

/** The server's clock, and how long ago the health was said. */
function clockOf(doc: ProjectionDoc): { now: number; ago: number } {
  const now = (doc as ProjectionDoc & { now?: Date }).now?.getTime() ?? Date.now()
  return { now, ago: doc.healthAt === undefined ? Number.POSITIVE_INFINITY : now - doc.healthAt.getTime() }
}

const DUPLICATE_KEY = 11_000

export interface CoordinationHooks {
  /** Runs before a new leader gets its lease. */
  acquired(projection: string): Promise<void>
  /** Tells the listeners of all processes. */
  announceChange(): Promise<void>
}

/** Leases in the documents of their projections, control records in a collection of their own. */
export class MongoCoordination implements Coordination {
  readonly #db: Db
  readonly #recordChanges: ChangeStreamListener
  readonly #hooks: CoordinationHooks
  readonly #recordsOfKind: DataLoader<string, ControlRecord[]>

  constructor(db: Db, recordChanges: ChangeStreamListener, hooks: CoordinationHooks) {
    this.#db = db
    this.#recordChanges = recordChanges
    this.#hooks = hooks
    // The projections of a process all look for control records after they commit together: one command reads them for all.
    this.#recordsOfKind = new DataLoader((kinds) => this.#readRecords(kinds), { cache: false, batchScheduleFn: setImmediate })
  }

  async acquireLease(projection: string, holder: string, ttlMs: number, said?: ProjectionHealth): Promise<AcquiredLease | null> {
    const taken =
      (await answered(this.#takeLease(projection, holder, ttlMs, said))) ??
      (await answered(this.#takeFirstLease(projection, holder, ttlMs, said)))
    if (taken === null) return null
    await this.#hooks.acquired(projection)
    return taken
  }

  renewLease(lease: Lease, ttlMs: number, health?: ProjectionHealth): Promise<boolean> {
    return this.#updateLease(lease, { expiresAt: { $gt: RELEASED } }, { expiresAt: expiryAfter(ttlMs) }, health)
  }

  async releaseLease(lease: Lease, health?: ProjectionHealth): Promise<void> {
    // With the moment of the release, so that it is known when the last leader left.
    await this.#updateLease(lease, {}, { expiresAt: RELEASED, healthAt: '$$NOW' }, health)
  }

  async #updateLease({ projection, holder, epoch }: Lease, condition: object, set: object, health?: ProjectionHealth): Promise<boolean> {
    const said: StoredHealth | undefined = health && { epoch, saidAt: Date.now(), health }
    const stages = [{ $set: { ...set, ...(said && { health: { $literal: said }, healthAt: '$$NOW' }) } }]
    const updated = await answered(this.#projections.updateOne({ _id: projection, holder, epoch, ...condition }, stages))
    return updated.matchedCount === 1
  }

  async leads(): Promise<Lead[]> {
    const docs = await answered(this.#projections.find({}, { sort: { _id: 1 }, projection: WITH_CLOCK }).toArray())
    return docs.flatMap((doc) => {
      const { _id: projection, holder, epoch, expiresAt = RELEASED, health } = doc
      if (holder === undefined || epoch === undefined) return []
      const { now, ago } = clockOf(doc)
      const until = Date.now() + Math.max(expiresAt.getTime() - now, -ago)
      return [{ projection, holder, epoch, until, health: health?.epoch === epoch ? healthFrom(health, ago) : null }]
    })
  }

  controlRecords(kind: string): Promise<ControlRecord[]> {
    return this.#recordsOfKind.load(kind)
  }

  async putControlRecord(record: ControlRecord): Promise<ControlRecord | null> {
    const written = { ...record, revision: record.revision + 1 }
    if (!(await answered(this.#writeRecord(record.revision, written)))) return null
    await this.#hooks.announceChange()
    return written
  }

  async deleteControlRecord(kind: string, id: string): Promise<void> {
    await answered(controlRecordsIn(this.#db).deleteOne({ _id: { kind, id } }))
    await this.#hooks.announceChange()
  }

  onControlRecord(listener: () => void): () => void {
    return this.#recordChanges.listen(listener)
  }

  get #projections() {
    return projectionsIn(this.#db)
  }

  async #takeLease(projection: string, holder: string, ttlMs: number, said?: ProjectionHealth): Promise<AcquiredLease | null> {
    const epoch = { $add: [{ $ifNull: ['$epoch', 0] }, 1] }
    const health = said && { health: { epoch, saidAt: Date.now(), health: { $literal: said } }, healthAt: '$$NOW' }
    const taken = await this.#projections.findOneAndUpdate(
      { _id: projection, $expr: HAS_EXPIRED },
      [{ $set: { holder: { $literal: holder }, epoch, expiresAt: expiryAfter(ttlMs), ...health } }],
      { returnDocument: 'after', projection: WITH_CLOCK },
    )
    if (taken?.epoch === undefined) return null
    return {
      projection,
      holder,
      epoch: taken.epoch,
      health: taken.health === undefined ? null : healthFrom(taken.health, clockOf(taken).ago),
    }
  }

  /** For a projection that has no document yet. */
  async #takeFirstLease(projection: string, holder: string, ttlMs: number, said?: ProjectionHealth): Promise<AcquiredLease | null> {
    if ((await this.#projections.findOne({ _id: projection })) !== null) return null
    await this.#projections.updateOne({ _id: projection }, { $setOnInsert: { last: 0, generations: [] } }, { upsert: true })
    return this.#takeLease(projection, holder, ttlMs, said)
  }

  async #readRecords(kinds: readonly string[]): Promise<ControlRecord[][]> {
    const found = controlRecordsIn(this.#db).find({ '_id.kind': { $in: [...new Set(kinds)] } }, { sort: { '_id.id': 1 } })
    const docs = await answered(found.toArray())
    return kinds.map((kind) =>
      docs.flatMap(({ _id, revision, value }) => (_id.kind === kind ? [{ kind, id: _id.id, revision, value }] : [])),
    )
  }

  /** False unless the stored revision is `before`; 0 means that there is none. */
  async #writeRecord(before: number, { kind, id, revision, value }: ControlRecord): Promise<boolean> {
    const _id = { kind, id }
    const records = controlRecordsIn(this.#db)
    if (before > 0) return (await records.replaceOne({ _id, revision: before }, { revision, value })).matchedCount === 1
    try {
      await records.insertOne({ _id, revision, value })
      return true
    } catch (error) {
      if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return false
      throw error
    }
  }
}
