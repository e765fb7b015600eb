/** All read models of a log in a store, built as the projector builds them, and every document there is. */

import { demoLog } from '../../../demo/index.js'
import type { Position } from '../../../src/events/index.js'
import type { DocumentStore } from '../../../src/ports/document-store.js'
import type { LogRecord } from '../../../src/ports/event-log.js'
import { projections } from '../../support/built-in-models.js'
import type { Dump } from '../../support/dump.js'
import { dumpLive } from '../../support/live-documents.js'
import { project } from '../../support/project-log.js'

/** The first so many events of a demo community. */
export function demoRecords(count: number): LogRecord[] {
  const records: LogRecord[] = []
  // A creation has some 15 events.
  const creations = Math.max(4000, Math.ceil(count / 12))
  for (const record of demoLog({ creators: Math.ceil(creations / 10), creations, seed: 3, webUrl: 'http://localhost:3001' })) {
    records.push({ appendedAt: Date.parse('2026-06-01T00:00:00Z'), ...record, position: (records.length + 1) as Position })
    if (records.length === count) break
  }
  return records
}

/** Per projection, all documents of its live generation. */
export async function everything(store: DocumentStore): Promise<Map<string, Dump>> {
  const dumps = new Map<string, Dump>()
  for (const projection of projections) dumps.set(projection.name, await dumpLive(store, projection))
  return dumps
}

/** The same from a clean replay in memory. */
export async function replayed(records: readonly LogRecord[]): Promise<Map<string, Dump>> {
  const dumps = new Map<string, Dump>()
  for (const projection of projections) dumps.set(projection.name, await project(projection, records))
  return dumps
}
