import type { Position } from '../events/index.js'
import { type EventLog, LogMovedError, type LogRecord } from '../ports/event-log.js'

/** Records read and published at a time. */
const CHUNK = 2000

/** A log cannot be copied whole, or not there. */
export class LogCopyError extends Error {
  override name = 'LogCopyError'
}

/**
 * Copies what the log holds now. Keeps order, ids and append times, and so positions: models built from one log continue
 * with the other. The target must be empty or hold the beginning of the same log, so an interrupted copy continues.
 */
export async function copyLog(
  from: EventLog,
  to: EventLog,
  onCopied: (events: number) => void,
): Promise<{ copied: number; last: Position }> {
  const { first, last } = await from.bounds()
  if (last > 0 && first !== 1) throw new LogCopyError(`this log begins at position ${first}; only a whole one can be copied`)
  const begin = (await to.bounds()).last
  await requireSameLog(from, to, begin)
  for (let position = begin; ; ) {
    const records = (await from.read(position, CHUNK)).filter((record) => record.position <= last)
    const end = records.at(-1)?.position
    if (end === undefined) return { copied: position - begin, last: position }
    if (end - position !== records.length)
      throw new LogCopyError(`this log lacks events between ${position} and ${end}: a copy could not keep the positions of later ones`)
    const result = await to.append(records.map(withoutPosition), { expectedLast: position }).catch((error: unknown) => {
      if (error instanceof LogMovedError) throw new LogCopyError(`another process has written to the target: ${error.message}`)
      throw error
    })
    if (result.last !== end) throw new LogCopyError('another process has written to the target: it no longer ends where this log does')
    position = end
    onCopied(records.length)
  }
}

/** The target must hold the first events of this log, or none. Comparing its first and last event is enough: a log is append-only. */
async function requireSameLog(from: EventLog, to: EventLog, end: Position): Promise<void> {
  for (const position of end === 0 ? [] : [1, end]) {
    const [theirs] = await to.read((position - 1) as Position, 1)
    const [ours] = await from.read((position - 1) as Position, 1)
    if (theirs?.position === ours?.position && theirs?.id === ours?.id && theirs?.appendedAt === ours?.appendedAt) continue
    throw new LogCopyError(
      `the target holds something else: ${ours === undefined ? 'it is longer than this log' : `another event at position ${position}`}. Copy to an empty stream.`,
    )
  }
}

const withoutPosition = ({ id, subject, payload, appendedAt }: LogRecord) => ({ id, subject, payload, appendedAt })
