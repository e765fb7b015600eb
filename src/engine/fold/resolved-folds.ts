import { type AnyEvent, REMOVAL_EVENTS } from '../../events/index.js'
import type { EventFold, Projection, StateCollection } from '../definition/projection.js'

/** A fold with its state collection. */
export type ResolvedFold = EventFold<AnyEvent> & { state: StateCollection | undefined; inOrder: boolean }

/** Gives all folds one shape in memory: every event goes through here. */
export const NO_OPTIONS = { touches: undefined, also: undefined, guess: undefined, mayFanOut: undefined, fanOut: undefined, inOrder: false }

/** Only notes the sequence, for aggregates whose gaps are kept: an event that this projection does not use is none. */
export function resolveSequenceFolds({ state }: Projection): ReadonlyMap<string, ResolvedFold> {
  const keepsGaps = Object.entries(state).filter(([, { blank }]) => blank('').gaps !== undefined)
  return new Map(keepsGaps.map(([kind, state]) => [kind, { ...NO_OPTIONS, apply() {}, state }]))
}

export function resolveFolds({ name: projection, state, on, events, inOrder = false }: Projection): ReadonlyMap<string, ResolvedFold> {
  const resolved = new Map<string, ResolvedFold>()
  for (const [name, fold] of Object.entries(on)) {
    const type = events.get(name)
    if (type === undefined) throw new Error(`${projection} handles "${name}", which is no event type`)
    // A removal is never too late.
    resolved.set(name, { ...NO_OPTIONS, ...fold, state: state[type.aggregate], inOrder: inOrder && !REMOVAL_EVENTS.has(name) })
  }
  return resolved
}
