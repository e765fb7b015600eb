import type { Decoded, Position } from '../../events/index.js'
import type { EventLog, LogRecord } from '../../ports/event-log.js'

export interface DecodedRecord {
  record: LogRecord
  decoded: Decoded
}

export interface Page {
  events: readonly DecodedRecord[]
  /** Nothing followed these events in the log when they were read. */
  isLast: boolean
}

/** A page ends with the event that brings it to this many characters. Usual events are a thousand times smaller. */
export const MAX_PAGE_LENGTH = 8_000_000
/** So few at a time that no read gets much longer than a page may be. */
export const RECORDS_PER_READ = 25

/** Up to `limit` records after a position; fewer at the end of the log, or if they are large. */
export async function readRecords(log: EventLog, after: Position, limit: number): Promise<LogRecord[]> {
  const records: LogRecord[] = []
  for (let length = 0; records.length < limit && length < MAX_PAGE_LENGTH; ) {
    const wanted = Math.min(limit - records.length, RECORDS_PER_READ)
    const read = await log.read(records.at(-1)?.position ?? after, wanted)
    for (const record of read) {
      records.push(record)
      length += record.payload.length
    }
    if (read.length < wanted) break
  }
  return records
}

export const isFull = (events: readonly DecodedRecord[], limit: number): boolean =>
  events.length >= limit || lengthOf(events) >= MAX_PAGE_LENGTH

export const lengthOf = (events: readonly DecodedRecord[]): number => events.reduce((sum, { record }) => sum + record.payload.length, 0)

/** The event at a position; `null` where the log has none. */
export async function recordAt(log: EventLog, position: Position): Promise<LogRecord | null> {
  const [record] = await log.read((position - 1) as Position, 1)
  return record?.position === position ? record : null
}
