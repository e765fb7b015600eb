import { type Docs, type EventFanOut, type Fold, type Projection, ref } from '../../src/engine/definition/projection.js'
import type { EventName, EventOf, Position } from '../../src/events/index.js'
import type { Collection, Doc } from '../../src/ports/document-store.js'

/** Where a projection's own code fails: before, in or after a change, or by writing an invalid document. */
export type Fault = 'touches' | 'apply' | 'each' | 'unfit'

export interface Faulty {
  projection: Projection
  /** The events that went wrong. */
  positions: Set<Position>
}

/** The same projection, but for some events it does what it should and then throws, or writes what it must not. */
export function faultyProjection(projection: Projection, fault: Fault, hits: (event: EventOf<EventName>) => boolean): Faulty {
  const positions = new Set<Position>()
  const fail = (event: EventOf<EventName>) => {
    if (!hits(event)) return
    positions.add(event.position)
    throw new Error('out of order')
  }
  // Any collection will do: none of their documents has this shape.
  const collection = projection.collections[0] as Collection<Doc & { spoilt: true }>
  const spoiltId = (event: EventOf<EventName>) => `spoilt by ${event.position}`
  const spoil = (event: EventOf<EventName>, docs: Docs) => {
    if (!hits(event)) return
    positions.add(event.position)
    docs.put(collection, { _id: spoiltId(event), spoilt: true })
  }
  const broken = (fold: Fold<EventName>): Fold<EventName> => ({
    ...fold,
    touches(event) {
      if (fault === 'touches') fail(event)
      return [...(fold.touches?.(event) ?? []), ref(collection, spoiltId(event))]
    },
    apply(event, docs, repeated) {
      fold.apply(event, docs, repeated)
      if (fault === 'apply') fail(event)
      if (fault === 'unfit') spoil(event, docs)
    },
    fanOut: (fold.fanOut ?? []).map(
      (step): EventFanOut<EventOf<EventName>> => ({
        ...step,
        each(event, member, docs) {
          step.each(event, member, docs)
          if (fault === 'each') fail(event)
        },
      }),
    ),
  })
  // Each fold keeps its event name, which the compiler cannot follow.
  const folds = Object.entries(projection.on) as [EventName, Fold<EventName>][]
  const on = Object.fromEntries(folds.map(([name, fold]) => [name, broken(fold)])) as Projection['on']
  return { projection: { ...projection, on }, positions }
}
