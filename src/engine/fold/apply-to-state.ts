import { type AnyEvent, REMOVAL_EVENTS } from '../../events/index.js'
import { addGap, fillGap, hasGapAt } from '../../lib/sequence-gaps.js'
import type { EventFold, Projection, StateCollection, StateDoc } from '../definition/projection.js'
import { assertDone } from './fan-out.js'
import type { UnitOfWork } from './unit-of-work.js'

/** A duplicate changes nothing; an event about a removed aggregate only its sequence. */
export function applyToState(unit: UnitOfWork, event: AnyEvent, fold: ResolvedFold): 'applied' | 'duplicate' | 'removed' {
  const { state } = fold
  if (state === undefined) {
    assertDone(fold.apply(event, unit, false), 'apply')
    return 'applied'
  }
  const { sequence } = event
  const stored = unit.get(state.collection, event.key)
  const before = stored ?? state.blank(event.key)
  const isLate = sequence <= before.seq
  if (before.removed) {
    if (isLate) return 'duplicate'
    unit.put(state.collection, { ...before, seq: sequence })
    return 'removed'
  }
  if (isLate && fold.inOrder) return 'duplicate'
  const { gaps } = before
  const repeated = gaps !== undefined && isLate && !hasGapAt(gaps, sequence)
  assertDone(fold.apply(event, unit, repeated), 'apply')
  const written = unit.get(state.collection, event.key)
  const isNew = written !== undefined && written !== stored
  if (isNew || !isLate || (gaps !== undefined && !repeated)) {
    // The fold has just created this document, so it can be changed in place.
    const after = isNew ? written : { ...before }
    recordSequence(before, after, sequence)
    if (!isNew) unit.put(state.collection, after)
  }
  if (!isLate || unit.hasChanges) return 'applied'
  unit.discardDrafts()
  return 'duplicate'
}

function recordSequence({ seq, gaps }: StateDoc, after: StateDoc, sequence: number): void {
  after.seq = Math.max(seq, sequence)
  if (gaps === undefined || after.removed || sequence === seq + 1) return
  after.gaps = sequence > seq ? addGap(gaps, seq, sequence) : fillGap(gaps, sequence)
}

/** The removal of a creation that no event of its own removes. It has no sequence. */
export function removalOf(aggregate: string, { id, position }: Pick<AnyEvent, 'id' | 'position'>): AnyEvent {
  const key = aggregate.slice(aggregate.indexOf('/') + 1)
  return { name: 'creation.removed', id, aggregate, kind: 'creation', key, sequence: 0, position, time: 0, data: { creationId: key } }
}

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
