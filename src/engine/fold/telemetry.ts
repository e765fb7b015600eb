import type { Position } from '../../events/index.js'
import type { ProjectionHealth } from '../../ports/document-store.js'

/** What a process knows of a projection by itself. */
export interface OwnHealth {
  health: ProjectionHealth
  /** Whether this process leads it. */
  isLeading: boolean
}

/** An event that has just become a dead letter. */
export interface NewlyParked {
  eventId: string
  aggregate: string
  position: Position
}

/** Figures of one commit. */
export interface CommittedBatch {
  /** Positions (from, to]. */
  from: Position
  to: Position
  lastEventId: string | null
  /** How many events ended in which way. */
  outcomes: Record<string, number>
  parked: readonly NewlyParked[]
  /** When folding began, in milliseconds since 1970. */
  startedAt: number
  foldMs: number
  /** The slowest fold, if one held up the process for long. */
  slowFold: { position: Position; ms: number } | null
  commitMs: number
}

/** Receives the projector's figures: once per turn and once per commit, never per event. */
export interface Meter {
  /** A projection's loop has come round, or its state has changed. */
  report(projection: string, own: OwnHealth): void
  committed(projection: string, batch: CommittedBatch): void
}

export interface EngineLogger {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
