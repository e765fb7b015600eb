import DataLoader from 'dataloader'
import { type Db, MongoServerError } from 'mongodb'
import type { ControlRecord, Coordination, Lease } from '../../ports/coordination.js'
import type { ChangeStreamListener } from './change-stream.js'
import { controlRecordsIn, projectionsIn } from './control-documents.js'
import { answered, translateErrors } from './errors.js'

/** Leases expire by the server's clock: clocks of other machines may differ. */
const expiryAfter = (ttlMs: number) => ({ $add: ['$$NOW', ttlMs] })
const HAS_EXPIRED = { $lte: ['$expiresAt', '$$NOW'] }

const RELEASED = new Date(0)

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

  acquireLease(projection: string, holder: string, ttlMs: number): Promise<Lease | null> {
    return translateErrors(async () => {
      const taken = await answered(this.#takeLease(projection, holder, ttlMs))
      const epoch = taken ?? (await answered(this.#takeFirstLease(projection, holder, ttlMs)))
      if (epoch === null) return null
      await this.#hooks.acquired(projection)
      return { projection, holder, epoch }
    })
  }

  renewLease({ projection, holder, epoch }: Lease, ttlMs: number): Promise<boolean> {
    return translateErrors(async () => {
      const isHeld = { _id: projection, holder, epoch, expiresAt: { $gt: RELEASED } }
      const renewed = await answered(this.#projections.updateOne(isHeld, [{ $set: { expiresAt: expiryAfter(ttlMs) } }]))
      return renewed.matchedCount === 1
    })
  }

  releaseLease({ projection, holder, epoch }: Lease): Promise<void> {
    return translateErrors(async () => {
      await answered(this.#projections.updateOne({ _id: projection, holder, epoch }, { $set: { expiresAt: RELEASED } }))
    })
  }

  leases(): Promise<Lease[]> {
    return translateErrors(async () => {
      const held = await answered(this.#projections.find({ $expr: { $not: [HAS_EXPIRED] } }, { sort: { _id: 1 } }).toArray())
      return held.flatMap(({ _id: projection, holder, epoch }) =>
        holder === undefined || epoch === undefined ? [] : [{ projection, holder, epoch }],
      )
    })
  }

  controlRecords(kind: string): Promise<ControlRecord[]> {
    return translateErrors(() => this.#recordsOfKind.load(kind))
  }

  putControlRecord(record: ControlRecord): Promise<ControlRecord | null> {
    return translateErrors(async () => {
      const written = { ...record, revision: record.revision + 1 }
      if (!(await answered(this.#writeRecord(record.revision, written)))) return null
      await this.#hooks.announceChange()
      return written
    })
  }

  deleteControlRecord(kind: string, id: string): Promise<void> {
    return translateErrors(async () => {
      await answered(controlRecordsIn(this.#db).deleteOne({ _id: { kind, id } }))
      await this.#hooks.announceChange()
    })
  }

  onControlRecord(listener: () => void): () => void {
    return this.#recordChanges.listen(listener)
  }

  get #projections() {
    return projectionsIn(this.#db)
  }

  async #takeLease(projection: string, holder: string, ttlMs: number): Promise<number | null> {
    const taken = await this.#projections.findOneAndUpdate(
      { _id: projection, $expr: HAS_EXPIRED },
      [{ $set: { holder: { $literal: holder }, epoch: { $add: [{ $ifNull: ['$epoch', 0] }, 1] }, expiresAt: expiryAfter(ttlMs) } }],
      { returnDocument: 'after' },
    )
    return taken?.epoch ?? null
  }

  /** For a projection that has no document yet. */
  async #takeFirstLease(projection: string, holder: string, ttlMs: number): Promise<number | null> {
    if ((await this.#projections.findOne({ _id: projection })) !== null) return null
    await this.#projections.updateOne({ _id: projection }, { $setOnInsert: { last: 0, generations: [] } }, { upsert: true })
    return this.#takeLease(projection, holder, ttlMs)
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
