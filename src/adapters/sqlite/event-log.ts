import { dirname } from 'node:path'
import {
  type AppendOptions,
  type AppendResult,
  type EventLog,
  LogMovedError,
  type LogRecord,
  type NewRecord,
  type Position,
  type Replacement,
} from '../../ports/event-log.js'
import { ChangeSignal } from './change-signal.js'
import { addColumns, type Connection, inTransaction, openDatabase, truncateWriteAheadLog } from './database.js'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    subject TEXT NOT NULL,
    appended_at INTEGER NOT NULL,
    payload TEXT NOT NULL,
    stored_at INTEGER
  );
  CREATE INDEX IF NOT EXISTS events_by_subject ON events (subject)`

/** Records of a subject at a time. */
const PAGE = 1000

const COLUMNS = 'position, id, subject, appended_at, payload, coalesce(stored_at, appended_at)'

type Row = [position: Position, id: string, subject: string, appendedAt: number, payload: string, storedAt: number]

/** The event log of a machine without NATS: one table, positions without holes. */
export class SqliteEventLog implements EventLog {
  readonly #db: Connection
  readonly #signal: ChangeSignal

  constructor(path: string) {
    this.#db = openDatabase(path, { durable: true })
    this.#db.exec(SCHEMA)
    addColumns(this.#db, 'events', { stored_at: 'INTEGER' })
    this.#signal = new ChangeSignal(dirname(path))
  }

  async read(after: Position, limit: number): Promise<LogRecord[]> {
    return this.#db
      .statement<Row>(`SELECT ${COLUMNS} FROM events WHERE position > ? ORDER BY position LIMIT ?`)
      .all(after, limit)
      .map(toRecord)
  }

  async *readSubjects(subjects: readonly string[]): AsyncIterable<LogRecord> {
    const page = this.#db.statement<Row>(`SELECT ${COLUMNS} FROM events WHERE subject = ? AND position > ? ORDER BY position LIMIT ?`)
    for (const subject of new Set(subjects)) {
      for (let after = 0, rows: Row[] = []; ; ) {
        rows = page.all(subject, after, PAGE)
        yield* rows.map(toRecord)
        if (rows.length < PAGE) break
        after = rows.at(-1)?.[0] ?? after
      }
    }
  }

  async next(after: Position, limit: number, signal: AbortSignal): Promise<LogRecord[]> {
    await this.#signal.until(() => this.#lastPosition() > after, signal)
    return signal.aborted ? [] : this.read(after, limit)
  }

  async bounds(): Promise<{ first: Position; last: Position }> {
    const [first] = this.#db.statement<[Position | null]>('SELECT min(position) FROM events').one()
    return { first: first ?? (1 as Position), last: this.#lastPosition() }
  }

  async append(records: readonly NewRecord[], { expectedLast }: AppendOptions = {}): Promise<AppendResult> {
    const now = Date.now()
    // Not "OR IGNORE": with AUTOINCREMENT an ignored row would still use up a position.
    const insert = this.#db.statement(
      'INSERT INTO events (id, subject, appended_at, payload, stored_at) SELECT ?1, ?2, ?3, ?4, ?5 WHERE NOT EXISTS (SELECT 1 FROM events WHERE id = ?1)',
    )
    const result = inTransaction(this.#db, () => {
      const before = this.#lastPosition()
      if (expectedLast !== undefined && before !== expectedLast) throw new LogMovedError(expectedLast, before)
      let appended = 0
      for (const { id, subject, appendedAt, payload } of records)
        appended += insert.run(id, subject, appendedAt ?? now, payload, now).changes
      return { last: (before + appended) as Position, appended, duplicates: records.length - appended }
    })
    if (result.appended > 0) this.#signal.fire()
    return result
  }

  async redact(replacements: Iterable<Replacement> | AsyncIterable<Replacement>): Promise<void> {
    const update = this.#db.prepare('UPDATE events SET payload = ? WHERE position = ?')
    for await (const chunk of chunksOf(replacements, PAGE))
      inTransaction(this.#db, () => {
        for (const { position, payload } of chunk) update.run(payload, position)
      })
    // Split and freed pages may still hold copies of old rows; only rewriting the file removes them all.
    this.#db.exec('VACUUM')
    await truncateWriteAheadLog(this.#db)
  }

  async close(): Promise<void> {
    this.#signal.close()
    this.#db.close()
  }

  #lastPosition(): Position {
    const [last] = this.#db.statement<[Position | null]>('SELECT max(position) FROM events').one()
    return last ?? (0 as Position)
  }
}

async function* chunksOf<T>(all: Iterable<T> | AsyncIterable<T>, size: number): AsyncGenerator<T[], void, void> {
  let chunk: T[] = []
  for await (const each of all) {
    chunk.push(each)
    if (chunk.length < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

const toRecord = ([position, id, subject, appendedAt, payload, storedAt]: Row): LogRecord => ({
  ...{ position, id, subject, appendedAt, payload, storedAt },
})
