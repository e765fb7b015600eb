import { dirname } from 'node:path'
import type { Position } from '../../ports/event-log.js'
import {
  type AppendOptions,
  type CategoryEvent,
  categoryOf,
  type EventStore,
  type EventStoreOptions,
  type ExpectedRevision,
  expiredUntil,
  type NewStreamEvent,
  NO_REVISION,
  type OnReached,
  revisionOfRepeat,
  type StreamEvent,
  type StreamName,
} from '../../ports/event-store.js'
import { ChangeSignal } from './change-signal.js'
import { type Connection, inTransaction, openDatabase } from './database.js'
import { DiskSync, WriteAheadLog } from './write-ahead-log.js'

// AUTOINCREMENT, because a position must not be reused after the last events have expired.
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    stream TEXT NOT NULL,
    revision INTEGER NOT NULL,
    category TEXT NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    data TEXT NOT NULL,
    UNIQUE (stream, revision)
  );
  CREATE INDEX IF NOT EXISTS events_in_category ON events (category, position);
  CREATE INDEX IF NOT EXISTS events_by_age ON events (category, recorded_at)`

const COLUMNS = 'position, stream, revision, id, type, recorded_at, data'
type Row = [position: Position, stream: StreamName, revision: number, id: string, type: string, recordedAt: number, data: string]

/** Together what has expired by then: each time, the write-ahead log is copied and truncated. */
const EXPIRE_EVERY_MS = 10_000

/** How many events a subscription reads at once. */
const PAGE = 256

/** The event store of a machine without EventStoreDB or NATS: one file, shared by any number of processes. */
export class SqliteEventStore implements EventStore {
  readonly #db: Connection
  readonly #writeAheadLog: WriteAheadLog
  readonly #disk: DiskSync
  readonly #signal: ChangeSignal
  readonly #maxAges: NonNullable<EventStoreOptions['maxAges']>
  readonly #now: () => number
  readonly #closing = new AbortController()
  readonly #expiryTimer: NodeJS.Timeout

  constructor(path: string, { maxAges = {}, now = Date.now }: EventStoreOptions = {}) {
    // An append waits for the disk itself, so that the event loop does not.
    this.#db = openDatabase(path)
    // Questions may name people: what is deleted is overwritten.
    this.#db.exec('PRAGMA secure_delete = ON')
    this.#db.exec(SCHEMA)
    this.#writeAheadLog = new WriteAheadLog(this.#db, path, null)
    this.#disk = new DiskSync(path)
    this.#signal = new ChangeSignal(dirname(path))
    this.#maxAges = maxAges
    this.#now = now
    this.#expiryTimer = setInterval(() => this.#expire(), EXPIRE_EVERY_MS).unref()
    this.#expire()
    // What a process deleted that was killed before it could truncate.
    this.#writeAheadLog.truncateSoon()
  }

  async append(
    stream: StreamName,
    events: readonly NewStreamEvent[],
    expected: ExpectedRevision,
    { repeatable = false }: AppendOptions = {},
  ): Promise<number> {
    const category = categoryOf(stream)
    if (events.length === 0) throw new RangeError('there is nothing to append')
    try {
      const revision = inTransaction(this.#db, () => this.#append(stream, category, events, expected))
      this.#signal.fire()
      return revision
    } finally {
      // Also where another process was first: its event decides only once it is on the disk.
      if (!repeatable) await this.#disk.reached()
    }
  }

  #append(stream: StreamName, category: string, events: readonly NewStreamEvent[], expected: ExpectedRevision): number {
    const now = this.#now()
    const db = this.#db
    const rows = db
      .statement<[id: string, revision: number]>('SELECT id, revision FROM events WHERE stream = ? ORDER BY revision')
      .all(stream)
    const stored = rows.map(([id, revision]) => ({ id, revision }))
    const repeated = revisionOfRepeat(stream, events, expected, stored)
    if (repeated !== null) return repeated
    let revision = stored.at(-1)?.revision ?? NO_REVISION
    const insert = db.statement('INSERT INTO events (stream, revision, category, id, type, recorded_at, data) VALUES (?, ?, ?, ?, ?, ?, ?)')
    for (const { id, type, data } of events) insert.run(stream, ++revision, category, id, type, now, JSON.stringify(data))
    return revision
  }

  async read(stream: StreamName, from = 0): Promise<StreamEvent[]> {
    const cutoff = this.#cutoff(categoryOf(stream))
    return this.#db
      .statement<Row>(`SELECT ${COLUMNS} FROM events WHERE stream = ? AND revision >= ? AND recorded_at > ? ORDER BY revision`)
      .all(stream, from, cutoff)
      .map(streamEvent)
  }

  async *subscribe(category: string, after: Position, signal: AbortSignal, onReached?: OnReached): AsyncGenerator<CategoryEvent> {
    const end = AbortSignal.any([signal, this.#closing.signal])
    const page = this.#db.statement<Row>(
      `SELECT ${COLUMNS} FROM events WHERE category = ? AND position > ? AND recorded_at > ? ORDER BY position LIMIT ${PAGE}`,
    )
    let position = after
    let rows: Row[] = []
    const readOn = () => {
      rows = page.all(category, position, this.#cutoff(category))
      return rows.length > 0
    }
    readOn()
    while (!end.aborted) {
      for (const row of rows) {
        if (end.aborted) return
        position = row[0]
        yield { ...streamEvent(row), position }
      }
      onReached?.(position)
      await this.#signal.until(readOn, end)
    }
  }

  async delete(stream: StreamName): Promise<void> {
    categoryOf(stream)
    const { changes } = this.#db.statement('DELETE FROM events WHERE stream = ?').run(stream)
    if (changes === 0) return
    this.#writeAheadLog.truncateSoon()
    await this.#disk.reached()
  }

  async close(): Promise<void> {
    clearInterval(this.#expiryTimer)
    this.#closing.abort()
    this.#signal.close()
    await this.#writeAheadLog.close()
    await this.#disk.close()
    this.#db.close()
  }

  /** Deletes what has expired: it is no longer read, but its bytes are still there. */
  #expire(): void {
    try {
      for (const category of Object.keys(this.#maxAges)) {
        const cutoff = this.#cutoff(category)
        const expired = this.#db.statement('SELECT 1 FROM events WHERE category = ? AND recorded_at <= ? LIMIT 1')
        if (expired.get(category, cutoff) === undefined) continue
        this.#db.statement('DELETE FROM events WHERE category = ? AND recorded_at <= ?').run(category, cutoff)
        this.#writeAheadLog.truncateSoon()
      }
    } catch {
      // A full or failing disk: the next append reports it.
    }
  }

  #cutoff(category: string): number {
    return expiredUntil({ maxAges: this.#maxAges }, category, this.#now())
  }
}

function streamEvent([, stream, revision, id, type, recordedAt, data]: Row): StreamEvent {
  return { stream, revision, id, type, recordedAt, data: JSON.parse(data) }
}
