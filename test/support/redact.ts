import type { Projection } from '../../src/engine/definition/projection.js'
import { type Redaction, redact } from '../../src/engine/erasure/redact.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import type { EventLog } from '../../src/ports/event-log.js'

type Redact = (
  log: EventLog,
  store: DocumentStore,
  projections: readonly Projection[],
  id: string,
  onProgress: (events: number) => void,
  also?: readonly number[],
) => Promise<Redaction>

/** One creator. */
export const redactCreator: Redact = (log, store, projections, id, onProgress, also) =>
  redact(log, store, projections, [{ kind: 'creator', id }], onProgress, also && { also })

/** One creation. */
export const redactCreation: Redact = (log, store, projections, id, onProgress) =>
  redact(log, store, projections, [{ kind: 'creation', id }], onProgress)
