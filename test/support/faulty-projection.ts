import { type Docs, type EventFold, type Projection, ref } from '../../src/engine/definition/projection.js'
import type { AnyEvent, Position } from '../../src/events/index.js'
import type { Collection, Doc } from '../../src/ports/document-store.js'

/** Where the code of a projection fails: before, in or after a change, or by what it reads or writes. Some once for every document of a fan-out. */
export type Fault = 'touches' | 'also' | 'apply' | 'unnamed' | 'unfit' | 'where' | 'also each' | 'each' | 'unfit each'

export interface Faulty {
  projection: Projection
  /** The events that went wrong. */
  positions: Set<Position>
}

/** Which events go wrong, or which documents of their fan-outs. Asked at every such place. */
type Hits = (event: AnyEvent, member?: Doc) => boolean

/** The same projection, but for some events it does what it should and then throws, or does what it must not. */
export function faultyProjection(projection: Projection, fault: Fault, hits: Hits): Faulty {
  const positions = new Set<Position>()
  const isHere = (place: Fault, event: AnyEvent, member?: Doc): boolean => {
    if (fault !== place || !hits(event, member)) return false
    positions.add(event.position)
    return true
  }
  const fail = (place: Fault, event: AnyEvent, member?: Doc): void => {
    if (isHere(place, event, member)) throw new Error('out of order')
  }
  // Any collection will do: none of their documents is without fields.
  const [collection] = projection.collections as [Collection]
  const spoil = (docs: Docs, of: Collection, _id: string) => docs.put(of, { _id })
  const spoiltId = (event: AnyEvent) => `spoilt by ${event.position}`
  const broken = (fold: EventFold<AnyEvent>): EventFold<AnyEvent> => ({
    ...fold,
    touches(event) {
      fail('touches', event)
      return [...(fold.touches?.(event) ?? []), ref(collection, spoiltId(event))]
    },
    also(event, docs) {
      fail('also', event)
      return fold.also?.(event, docs) ?? []
    },
    ...(fault === 'also' ? { guess: undefined } : {}),
    apply(event, docs, repeated) {
      fold.apply(event, docs, repeated)
      fail('apply', event)
      if (isHere('unnamed', event)) docs.get(collection, 'a document that it does not name')
      if (isHere('unfit', event)) spoil(docs, collection, spoiltId(event))
    },
    fanOut: (fold.fanOut ?? []).map((step) => ({
      ...step,
      where(event, docs, outer) {
        fail('where', event, outer)
        return step.where(event, docs, outer)
      },
      also(event, member, docs) {
        fail('also each', event, member)
        return step.also(event, member, docs)
      },
      each(event, member, docs) {
        step.each(event, member, docs)
        fail('each', event, member)
        if (isHere('unfit each', event, member)) spoil(docs, step.collection, member._id)
      },
    })),
  })
  const on = Object.fromEntries(Object.entries(projection.on).map(([name, fold]) => [name, broken(fold)]))
  return { projection: { ...projection, on }, positions }
}
