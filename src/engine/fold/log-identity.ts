import { type Checkpoint, DamagedStoreError, type DocumentStore } from '../../ports/document-store.js'
import { LogReplacedError } from '../../ports/event-log.js'
import type { LogReader } from './log-reader.js'
import { liveGeneration, withGeneration } from './open-generation.js'

/** Not to delete the models: they may be all that knows of a removal. */
const FOREIGN_LOG_REMEDY =
  'If that log is lost, "vitrine rebuild all --accept-log" builds them from this one, and keeps removed what was removed.'

/** The log is not the one this generation was built from. */
export class ForeignLogError extends Error {
  override name = 'ForeignLogError'
}

/** The log itself may also notice, while it is being read. */
export const isForeignLog = (error: unknown): boolean => error instanceof ForeignLogError || error instanceof LogReplacedError

/** Throws {@link ForeignLogError} unless the log has the event at the checkpoint's position. */
export async function assertSameLog(reader: LogReader, projection: string, checkpoint: Checkpoint): Promise<void> {
  const foreign = await foreignLog(reader, projection, checkpoint)
  if (foreign !== null) throw foreign
}

/** `null` if the log has the event at the checkpoint's position. */
export async function foreignLog(
  reader: LogReader,
  projection: string,
  { position, eventId }: Pick<Checkpoint, 'position' | 'eventId'>,
): Promise<ForeignLogError | null> {
  if (position === 0) return null
  const found = await reader.eventIdAt(position)
  if (found === eventId) return null
  const what = found === null ? `has no event at position ${position}` : `has another event at position ${position}`
  return new ForeignLogError(
    `The log ${what}, where ${projection} left off. Connect the log these models were built from. ${FOREIGN_LOG_REMEDY}`,
  )
}

/** By projection, of all live models that were not built from this log: what is wrong. */
export async function foreignModels(store: DocumentStore, reader: LogReader): Promise<Map<string, ForeignLogError>> {
  const found = new Map<string, ForeignLogError>()
  for (const name of await store.projections()) {
    const live = await liveGeneration(store, name)
    if (live === null) continue
    try {
      const foreign = await foreignLog(reader, name, await withGeneration(store, live, [], (opened) => opened.checkpoint()))
      if (foreign !== null) found.set(name, foreign)
    } catch (error) {
      // A damaged one says nothing.
      if (!(error instanceof DamagedStoreError)) throw error
    }
  }
  return found
}
