import type { Position } from '../events/ids.js'

/** One event as the log keeps it, before anybody has looked inside. */
export interface LogRecord {
  position: Position
  /** The event's id, as its publisher gave it. */
  id: string
  /** `creation/c_81`, known even when the payload cannot be read. */
  subject: string
  payload: string
  /** Milliseconds since 1970, by the log's clock. */
  appendedAt: number
}

export interface NewRecord {
  id: string
  subject: string
  payload: string
  /** Only for history brought in from elsewhere; otherwise the log's clock decides. */
  appendedAt?: number
}

export interface AppendOptions {
  /** Refuse unless the log still ends here. */
  expectedLast?: Position
}

export interface AppendResult {
  last: Position
  appended: number
  /** Records whose id the log already had: left out, so that publishing twice is harmless. */
  duplicates: number
}

/** What an event says from now on. */
export interface Replacement {
  position: Position
  payload: string
}

/** The upstream events, in one total order. */
export interface EventLog {
  /** Up to `limit` records after a position, in order. Fewer than `limit`, even none, only at the end of the log. */
  read(after: Position, limit: number): Promise<LogRecord[]>
  /**
   * What comes after a position, up to `limit` records, as soon as there is something: not always all there is. None when
   * the signal aborts first.
   */
  next(after: Position, limit: number, signal: AbortSignal): Promise<LogRecord[]>
  /** Position of the first and last record; `{first: 1, last: 0}` of an empty log. */
  bounds(): Promise<{ first: Position; last: Position }>
  append(records: readonly NewRecord[], options?: AppendOptions): Promise<AppendResult>
  /**
   * Puts other payloads in the place of old ones, of which no byte is left when this settles. Positions, ids, subjects
   * and times stay, and an id goes on being a duplicate. Positions the log does not have are passed over, and doing it
   * again is harmless. The one way to change an event: for the payloads of somebody who was erased.
   */
  redact(replacements: readonly Replacement[]): Promise<void>
  close(): Promise<void>
}

/** The log no longer ends where the publisher thought. */
export class LogMovedError extends Error {
  override name = 'LogMovedError'
  constructor(expected: number, actual: number) {
    super(`the log ends at ${actual}, not at ${expected} as expected`)
  }
}

/** The log cannot be reached now; trying again later may help. */
export class LogUnavailableError extends Error {
  override name = 'LogUnavailableError'
}

/** The log cannot be used as it is, and the message says what to change. */
export class LogUnfitError extends Error {
  override name = 'LogUnfitError'
}

/** The log no longer holds what was read from it: it has lost its beginning, or is another one under the same name. */
export class LogReplacedError extends Error {
  override name = 'LogReplacedError'
}
