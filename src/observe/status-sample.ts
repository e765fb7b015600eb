import type { Projection } from '../engine/definition/projection.js'
import type { Position } from '../events/index.js'
import type { DocumentStore } from '../ports/document-store.js'
import type { EventLog } from '../ports/event-log.js'
import { type EngineStatus, readEngineStatus } from './engine-status.js'

/** Log and models at one moment. */
export interface StatusSample {
  at: number
  engine: EngineStatus
  /** By projection: age of the oldest event that is not in the model yet. */
  lagSeconds: Record<string, number>
}

export async function takeStatusSample(log: EventLog, store: DocumentStore, projections: readonly Projection[]): Promise<StatusSample> {
  const engine = await readEngineStatus(log, store, projections)
  const at = Date.now()
  const lagSeconds: Record<string, number> = {}
  const known = new Map<Position, number>()
  for (const { projection, position, lag } of engine.projections) {
    if (lag > 0 && !known.has(position)) known.set(position, await ageOfNextEvent(log, position, at))
    lagSeconds[projection] = lag === 0 ? 0 : (known.get(position) ?? 0)
  }
  return { at, engine, lagSeconds }
}

async function ageOfNextEvent(log: EventLog, position: Position, now: number): Promise<number> {
  const [next] = await log.read(position, 1)
  return next === undefined ? 0 : Math.max(0, now - next.appendedAt) / 1000
}

export interface LagSample {
  at: number
  lag: number
}

/** A live projector often has fewer events than this pending. */
const BEHIND_EVENTS = 1000
/** A backlog must start to shrink within this time. */
const STUCK_AFTER_MS = 60_000

/** Far behind for a minute, and no closer at its end; catching up slowly is not stuck. Oldest sample first. */
export function isLagStuck(samples: readonly LagSample[], now: number): boolean {
  const recent = samples.filter(({ at }) => now - at <= STUCK_AFTER_MS * 1.5)
  const [first] = recent
  const last = recent.at(-1)
  if (first === undefined || last === undefined || last.at - first.at < STUCK_AFTER_MS) return false
  return recent.every(({ lag }) => lag > BEHIND_EVENTS) && last.lag >= first.lag
}
