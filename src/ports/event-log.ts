import type { z } from 'zod'

/** Where an event stands in the log. The first event has position 1; 0 means "before everything". */
export type Position = number & z.core.$brand<'Position'>

export const START = 0 as Position

/** One event as the log keeps it, not decoded yet. */
export interface LogRecord {
  position: Position
  /** The event's id, as its publisher gave it. */
  id: string
  /** `creation/c_81`, known even when the payload cannot be read. */
  subject: string
  payload: string
  /** Milliseconds since 1970, by the log's clock; of history brought in from elsewhere, by that log's. */
  appendedAt: number
  /** When this log stored it, if that is not when it was appended. */
  storedAt?: number
}

export interface NewRecord {
  id: string
  subject: string
  payload: string
  /** Only for history brought in from elsewhere; otherwise the log's clock decides. */
  appendedAt?: number
}

export interface AppendOptions {
  /** Refuse to append unless the log still ends here. */
  expectedLast?: Position
}

export interface AppendResult {
  last: Position
  appended: number
  /** Records whose id the log already had. They are left out, so that publishing twice is harmless. */
  duplicates: number
}

/** The payload that an event has from now on. */
export interface Replacement {
  position: Position
  payload: string
}

/** The upstream events, in one total order. */
export interface EventLog {
  /** Up to `limit` records after a position, in order. Fewer than `limit`, even none, only at the end of the log. */
  read(after: Position, limit: number): Promise<LogRecord[]>
  /**
   * Waits for records after a position and gives up to `limit` of them, not always all there are. None when the signal
   * aborts first.
   */
  next(after: Position, limit: number, signal: AbortSignal): Promise<LogRecord[]>
  /** All records with one of these subjects, in any order, found by an index as long as the subjects are few. */
  readSubjects(subjects: readonly string[]): AsyncIterable<LogRecord>
  /** Positions of the first and last record; `{first: 1, last: 0}` for an empty log. */
  bounds(): Promise<{ first: Position; last: Position }>
  append(records: readonly NewRecord[], options?: AppendOptions): Promise<AppendResult>
  /**
   * Replaces payloads; no byte of the old ones is left when this settles. Positions, ids, subjects and times stay, and an
   * id still counts as a duplicate. Unknown positions are skipped, and repeating it is harmless. This is the only way to
   * change an event: it erases a person's data.
   */
  redact(replacements: Iterable<Replacement> | AsyncIterable<Replacement>): Promise<void>
  /** Drops what is known of the log from earlier reads: it has been replaced. */
  forget?(): void
  close(): Promise<void>
}

/** The log no longer ends where the publisher thought. */
export class LogMovedError extends Error {
  override name = 'LogMovedError'
  constructor(expected: number, actual: number) {
    super(`the log ends at ${actual}, not at ${expected} as expected`)
  }
}

/** The log cannot be reached now; a later attempt may succeed. */
export class LogUnavailableError extends Error {
  override name = 'LogUnavailableError'
}

/** The log cannot be used as it is configured; the message says what to change. */
export class LogUnfitError extends Error {
  override name = 'LogUnfitError'
}

/** The log no longer holds what was read from it: its beginning was deleted, or it is another log under the same name. */
export class LogReplacedError extends Error {
  override name = 'LogReplacedError'
}
