import type { DocumentStore } from '../../src/ports/document-store.js'
import { type EventLog, type LogRecord, START } from '../../src/ports/event-log.js'
import { projectInOrder } from '../support/any-order.js'
import { projections } from '../support/built-in-models.js'
import { decode } from '../support/decode.js'
import { sameDump, withoutRecordOfArrivals } from '../support/dump.js'
import { dumpLive } from '../support/live-documents.js'

/** Throws unless every live model is what the same events give when each comes once, in the order of its sequence. */
export async function sameAsInSequence(documents: DocumentStore, log: EventLog): Promise<void> {
  const inSequence = onceInSequence(await log.read(START, Number.MAX_SAFE_INTEGER))
  for (const projection of projections) {
    const actual = await dumpLive(documents, projection)
    const expected = await projectInOrder(projection, inSequence, 500)
    sameDump(withoutRecordOfArrivals(projection, actual), withoutRecordOfArrivals(projection, expected))
  }
}

/** Of the copies of an event, the one that came first. */
function onceInSequence(records: readonly LogRecord[]): LogRecord[] {
  const first = new Map<string, { record: LogRecord; sequence: number }>()
  for (const record of records) {
    const decoded = decode(record)
    const envelope = decoded.outcome === 'event' ? decoded.event : decoded.arrival
    if (envelope === null) throw new Error(`position ${record.position} has no sequence`)
    const { aggregate, sequence } = envelope
    if (!first.has(`${aggregate} ${sequence}`)) first.set(`${aggregate} ${sequence}`, { record, sequence })
  }
  return [...first.values()].sort((a, b) => a.sequence - b.sequence).map(({ record }) => record)
}
