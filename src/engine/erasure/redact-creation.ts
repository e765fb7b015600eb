import { decode, isEvent, type Position } from '../../events/index.js'
import type { DocumentStore } from '../../ports/document-store.js'
import type { EventLog, LogRecord } from '../../ports/event-log.js'
import { type Projection, sharedEvents } from '../definition/projection.js'
import type { Redaction } from './redact-creator.js'
import { checkErased, RedactionError, replaceWords, scanLog } from './redaction.js'

/** Removes the texts of a removed creation from the log: where its publication never came, nothing says whose they are. */
export async function redactCreation(
  log: EventLog,
  store: DocumentStore,
  projections: readonly Projection[],
  id: string,
  onProgress: (events: number) => void,
): Promise<Redaction> {
  const types = sharedEvents(projections)
  const subject = `creation/${id}`
  let removedAt: Position | null = null
  for await (const record of scanLog(log, onProgress)) {
    const decoded = record.subject === subject ? decode(record, types) : null
    if (decoded?.outcome === 'event' && isEvent(decoded.event, 'creation.removed')) removedAt ??= record.position
  }
  if (removedAt === null) throw new RedactionError(`${subject} has not been removed: there is no creation.removed in the log`)
  await checkErased(store, projections, { kind: 'creation', id }, removedAt)
  const events = await replaceWords(log, store, projections, types, eventsOf(log, subject, onProgress))
  return { creations: 1, events, left: [] }
}

async function* eventsOf(log: EventLog, subject: string, onProgress: (events: number) => void): AsyncGenerator<LogRecord, void, void> {
  for await (const record of scanLog(log, onProgress)) if (record.subject === subject) yield record
}
