import type { Position } from '../../events/index.js'

export type RunnerState = 'standby' | 'loading' | 'live' | 'outdated' | 'retrying' | 'stopped'

/** An event that has just been set aside. */
export interface NewlyParked {
  eventId: string
  aggregate: string
  position: Position
}

/** One commit, seen from outside. */
export interface CommittedBatch {
  /** Positions: behind the first, up to and with the second. */
  from: Position
  to: Position
  lastEventId: string | null
  /** How many events ended in which way. */
  outcomes: Record<string, number>
  parked: readonly NewlyParked[]
  /** When folding began, in milliseconds since 1970. */
  startedAt: number
  foldMs: number
  commitMs: number
}

/** Where the projector's figures go: told once per turn and once per commit, never per event. */
export interface Meter {
  /** A projection's loop has come round: it is asking for events, or for something else to do. */
  heartbeat(projection: string, state: RunnerState): void
  committed(projection: string, batch: CommittedBatch): void
}

export const NO_METER: Meter = { heartbeat() {}, committed() {} }

/** Where the projector reports what it does. */
export interface EngineLogger {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
