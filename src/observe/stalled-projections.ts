/** Whether the projections of this process still ask for events, and whether they catch up. */

import type { RunnerState } from '../engine/fold/telemetry.js'
import type { Heartbeat } from './projector-metrics.js'

/** A waiting loop asks for events every two seconds; a large commit or a busy machine may delay it. */
const STALLED_AFTER_MS = 15_000
/** Loading blocks its thread: building one index of millions of entries takes minutes. */
const LOADING_STALLED_AFTER_MS = 600_000

/**
 * When each projection of this process last asked for events. Without it, a dead projection looks like one that has nothing
 * to do.
 */
export class Heartbeats {
  readonly #heartbeats = new Map<string, Heartbeat>()
  readonly #now: () => number

  /** A projection without any heartbeat counts from now. */
  constructor(projections: readonly string[], now: () => number = Date.now) {
    this.#now = now
    for (const name of projections) this.#heartbeats.set(name, { state: 'standby', at: now() })
  }

  receive(heartbeats: Record<string, Heartbeat>): void {
    for (const [projection, heartbeat] of Object.entries(heartbeats)) this.#heartbeats.set(projection, heartbeat)
  }

  stateOf(projection: string): RunnerState | null {
    return this.#heartbeats.get(projection)?.state ?? null
  }

  /** Seconds since the last heartbeat of each projection. */
  ages(): { projection: string; state: RunnerState; seconds: number }[] {
    const now = this.#now()
    return [...this.#heartbeats].map(([projection, { state, at }]) => ({ projection, state, seconds: Math.max(0, now - at) / 1000 }))
  }

  /** Projections that have stopped asking for events. */
  stalled(): string[] {
    return this.ages()
      .filter(({ state, seconds }) => seconds * 1000 > (state === 'loading' ? LOADING_STALLED_AFTER_MS : STALLED_AFTER_MS))
      .map(({ projection }) => projection)
  }
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
