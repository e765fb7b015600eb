import { dirname } from 'node:path'
import type { Position } from '../../ports/event-log.js'
import {
  type CategoryEvent,
  categoryOf,
  type EventStore,
  type EventStoreOptions,
  type ExpectedRevision,
  type NewStreamEvent,
  NO_REVISION,
  type OnReached,
  revisionOfRepeat,
  type StreamEvent,
  type StreamName,
} from '../../ports/event-store.js'
import { ChangeSignal } from './change-signal.js'
import { type Connection, inTransaction, openDatabase } from './database.js'
import { WriteAheadLog } from './write-ahead-log.js'

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

const MAX_EXPIRY_WAIT_MS = 60_000

/** How many events a subscription reads at once. */
const PAGE = 256

/** The event store of a machine without EventStoreDB or NATS: one file, shared by any number of processes. */
export class SqliteEventStore implements EventStore {
  readonly #db: Connection
  readonly #writeAheadLog: WriteAheadLog
  readonly #signal: ChangeSignal
  readonly #maxAges: NonNullable<EventStoreOptions['maxAges']>
  readonly #now: () => number
  readonly #closing = new AbortController()
  #expiryTimer: NodeJS.Timeout | null = null

  constructor(path: string, { maxAges = {}, now = Date.now }: EventStoreOptions = {}) {
    this.#db = openDatabase(path, { durable: true })
    // Questions may name people: what is deleted is overwritten.
    this.#db.exec('PRAGMA secure_delete = ON')
    this.#db.exec(SCHEMA)
    this.#writeAheadLog = new WriteAheadLog(this.#db, path, null)
    this.#signal = new ChangeSignal(dirname(path))
    this.#maxAges = maxAges
    this.#now = now
    this.#scheduleExpiry(0)
    // What a process deleted that was killed before it could truncate.
    this.#writeAheadLog.truncateSoon()
  }

  async append(stream: StreamName, events: readonly NewStreamEvent[], expected: ExpectedRevision): Promise<number> {
    const category = categoryOf(stream)
    if (events.length === 0) throw new RangeError('there is nothing to append')
    this.#expire()
    const revision = inTransaction(this.#db, () => {
      const now = this.#now()
      const db = this.#db
      const [last] = db.statement<[number | null]>('SELECT max(revision) FROM events WHERE stream = ?').one(stream)
      const idsAfter = db.statement<[string]>('SELECT id FROM events WHERE stream = ? AND revision > ? ORDER BY revision LIMIT ?')
      const repeated = revisionOfRepeat(stream, events, expected, last, (after, count) =>
        idsAfter.all(stream, after, count).map(([id]) => id),
      )
      if (repeated !== null) return repeated
      let revision = last ?? NO_REVISION
      const insert = db.statement(
        'INSERT INTO events (stream, revision, category, id, type, recorded_at, data) VALUES (?, ?, ?, ?, ?, ?, ?)',
      )
      for (const { id, type, data } of events) insert.run(stream, ++revision, category, id, type, now, JSON.stringify(data))
      return revision
    })
    this.#signal.fire()
    return revision
  }

  async read(stream: StreamName, from = 0): Promise<StreamEvent[]> {
    const cutoff = this.#cutoff(categoryOf(stream), this.#now())
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
    while (!end.aborted) {
      const rows = page.all(category, position, this.#cutoff(category, this.#now()))
      for (const row of rows) {
        if (end.aborted) return
        position = row[0]
        yield { ...streamEvent(row), position }
      }
      onReached?.(position)
      if (rows.length < PAGE) await this.#signal.until(() => this.#hasMore(category, position), end)
    }
  }

  async delete(stream: StreamName): Promise<void> {
    categoryOf(stream)
    const { changes } = this.#db.statement('DELETE FROM events WHERE stream = ?').run(stream)
    if (changes > 0) this.#writeAheadLog.truncateSoon()
  }

  async close(): Promise<void> {
    if (this.#expiryTimer !== null) clearTimeout(this.#expiryTimer)
    this.#closing.abort()
    this.#signal.close()
    await this.#writeAheadLog.close()
    this.#db.close()
  }

  /** Deletes what has expired, now and when the next event does. */
  #expire(): void {
    const now = this.#now()
    let next = Number.POSITIVE_INFINITY
    for (const [category, maxAgeS] of Object.entries(this.#maxAges)) {
      const oldest = this.#db.statement<[at: number | null]>('SELECT min(recorded_at) FROM events WHERE category = ?')
      const cutoff = now - maxAgeS * 1000
      let [at] = oldest.one(category)
      if (at !== null && at <= cutoff) {
        this.#db.statement('DELETE FROM events WHERE category = ? AND recorded_at <= ?').run(category, cutoff)
        this.#writeAheadLog.truncateSoon()
        ;[at] = oldest.one(category)
      }
      if (at !== null) next = Math.min(next, at - cutoff)
    }
    // Other processes append, too, so it looks again every minute.
    this.#scheduleExpiry(Math.min(MAX_EXPIRY_WAIT_MS, next))
  }

  #scheduleExpiry(ms: number): void {
    if (this.#expiryTimer !== null) clearTimeout(this.#expiryTimer)
    this.#expiryTimer = setTimeout(() => {
      try {
        this.#expire()
      } catch {
        // A full or failing disk: the next append reports it.
        this.#scheduleExpiry(MAX_EXPIRY_WAIT_MS)
      }
    }, ms).unref()
  }

  #hasMore(category: string, position: Position): boolean {
    const next = this.#db.statement('SELECT 1 FROM events WHERE category = ? AND position > ? AND recorded_at > ? LIMIT 1')
    return next.get(category, position, this.#cutoff(category, this.#now())) !== undefined
  }

  /** Events recorded at this time or earlier have expired. */
  #cutoff(category: string, now: number): number {
    const maxAgeS = this.#maxAges[category]
    return maxAgeS === undefined ? BEFORE_EVERYTHING : now - maxAgeS * 1000
  }
}

/** Earlier than every event. */
const BEFORE_EVERYTHING = -1

function streamEvent([, stream, revision, id, type, recordedAt, data]: Row): StreamEvent {
  return { stream, revision, id, type, recordedAt, data: JSON.parse(data) }
}
