import type { RunnerState } from '../engine/fold/telemetry.js'
import type { Heartbeat } from './projector-metrics.js'

/** A loop that waits for events comes round every two seconds; a large commit or a busy machine may take longer. */
const STALLED_AFTER_MS = 15_000
/** Loading blocks its thread: building one index of millions of entries takes minutes. */
const LOADING_STALLED_AFTER_MS = 600_000

/**
 * When each projection of this process last asked for events. Without it a dead reader looks like one that has nothing
 * to do: nobody is there to notice that the log goes on.
 */
export class Heartbeats {
  readonly #beats = new Map<string, Heartbeat>()
  readonly #now: () => number

  /** Counts from now on: a projection that never beats is silent since then. */
  constructor(projections: readonly string[], now: () => number = Date.now) {
    this.#now = now
    for (const name of projections) this.#beats.set(name, { state: 'standby', at: now() })
  }

  receive(beats: Record<string, Heartbeat>): void {
    for (const [projection, beat] of Object.entries(beats)) this.#beats.set(projection, beat)
  }

  stateOf(projection: string): RunnerState | null {
    return this.#beats.get(projection)?.state ?? null
  }

  /** Seconds since each one's last beat. */
  ages(): { projection: string; state: RunnerState; seconds: number }[] {
    const now = this.#now()
    return [...this.#beats].map(([projection, { state, at }]) => ({ projection, state, seconds: Math.max(0, now - at) / 1000 }))
  }

  /** Those that have stopped asking. */
  stalled(): string[] {
    return this.ages()
      .filter(({ state, seconds }) => seconds * 1000 > (state === 'loading' ? LOADING_STALLED_AFTER_MS : STALLED_AFTER_MS))
      .map(({ projection }) => projection)
  }
}
