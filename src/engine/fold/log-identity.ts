import type { Checkpoint } from '../../ports/document-store.js'
import { LogReplacedError } from '../../ports/event-log.js'
import type { LogReader } from './log-reader.js'

/** The log is not the one this generation was built from. */
export class ForeignLogError extends Error {
  override name = 'ForeignLogError'
}

/** The log itself may also notice, while it is being read. */
export const isForeignLog = (error: unknown): boolean => error instanceof ForeignLogError || error instanceof LogReplacedError

/** Throws {@link ForeignLogError} unless the log has the event at the checkpoint's position. */
export async function assertSameLog(reader: LogReader, projection: string, { position, eventId }: Checkpoint): Promise<void> {
  if (position === 0) return
  const found = await reader.eventIdAt(position)
  if (found === eventId) return
  const what = found === null ? `has no event at position ${position}` : `has another event at position ${position}`
  throw new ForeignLogError(
    `The log ${what}, where ${projection} left off. Connect the log these models were built from, or delete the models to build them from this one.`,
  )
}
