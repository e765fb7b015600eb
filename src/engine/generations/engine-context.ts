import type { Position } from '../../events/index.js'
import type { DocumentStore, Generation, RunStep } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import type { Projection } from '../definition/projection.js'
import type { LogReader } from '../fold/log-reader.js'
import type { EngineLogger } from '../fold/telemetry.js'
import type { BuildGeneration } from './build-generation.js'

/** What a projection's leader works with. */
export interface EngineContext {
  /** With the dead-letter collections. */
  projection: Projection
  store: DocumentStore
  log: EventLog
  reader: LogReader
  logger: EngineLogger
  buildGeneration: BuildGeneration
  /** For work that blocks this thread for long. */
  withLongLease: RunStep
}

/** The generation readers see, and its position; 0 when this code cannot project it. */
export interface LiveGeneration {
  generation: Generation
  position: Position
}
