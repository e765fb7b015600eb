import type { AggregateKind, Arrival, EventName, EventOf } from '../../events/index.js'
import type { SequenceGaps } from '../../lib/sequence-gaps.js'
import type { Collection, Doc, IndexQuery, Reads, Write } from '../../ports/document-store.js'

/** A document with an aggregate's state and the guard against duplicates. */
export interface StateDoc extends Doc {
  /** The highest sequence applied; 0 while the aggregate is only known from references to it. */
  seq: number
  /** The sequences below `seq` that have not been applied, if the collection keeps them. */
  gaps?: SequenceGaps
  /** A tombstone: only the id is left, and no later event brings it back. */
  removed: boolean
}

export interface Ref {
  collection: Collection
  id: string
}

export const ref = <D extends Doc>(collection: Collection<D>, id: string): Ref => ({ collection, id })

/** The documents a fold works on. Reading one that was not named by `touches` or `also` throws. */
export interface Docs {
  get<D extends Doc>(collection: Collection<D>, id: string): D | undefined
  put<D extends Doc>(collection: Collection<D>, doc: D): void
  delete<D extends Doc>(collection: Collection<D>, id: string): void
}

/** What one event does to one projection. Pure: no I/O, no clock, no randomness. */
export interface Fold<N extends EventName> {
  /** Documents known from the event alone. The aggregate's state document is always included. */
  touches?(event: EventOf<N>): readonly Ref[]
  /** Documents known only once others are loaded. Called until it names nothing new; must accept missing documents. */
  also?(event: EventOf<N>, docs: Docs): readonly Ref[]
  /** `repeated` only where the state document keeps its gaps: this sequence has been applied before. */
  apply(event: EventOf<N>, docs: Docs, repeated: boolean): void
  /** After `apply`: changes to the documents that an index finds. */
  fanOut?: readonly FanOut<N>[]
}

/** What the arrival of any event does to a projection. Pure, too. */
export interface ArrivalFold {
  touches(arrival: Arrival): readonly Ref[]
  also?(arrival: Arrival, docs: Docs): readonly Ref[]
  apply(arrival: Arrival, docs: Docs): void
}

/** A change to all documents that an index finds, in the order of their ids. Use {@link sweep} to write one. */
export interface FanOut<N extends EventName> {
  collection: Collection
  /** Called after `apply`, and again when a sweep resumes: it may depend only on the event and on what `apply` wrote. */
  where(event: EventOf<N>, docs: Docs, outer: Doc | undefined): IndexQuery | null
  /** Find these first, then sweep `where` for each. A visited document must not match again. */
  through: { collection: Collection; where(event: EventOf<N>, docs: Docs): IndexQuery | null } | null
  also(event: EventOf<N>, member: Doc, docs: Docs): readonly Ref[]
  each(event: EventOf<N>, member: Doc, docs: Docs): void
}

interface Sweep<N extends EventName, D extends Doc> {
  where(event: EventOf<N>, docs: Docs): IndexQuery | null
  also?(event: EventOf<N>, member: D, docs: Docs): readonly Ref[]
  each(event: EventOf<N>, member: D, docs: Docs): void
}

export function sweep<N extends EventName, D extends Doc>(collection: Collection<D>, { where, also, each }: Sweep<N, D>): FanOut<N> {
  return {
    collection,
    where,
    through: null,
    // The engine only passes documents of `collection`.
    also: (event, member, docs) => also?.(event, member as D, docs) ?? [],
    each: (event, member, docs) => each(event, member as D, docs),
  }
}

/** A sweep that deletes every document it finds. */
export const deletingSweep = <N extends EventName, D extends Doc>(collection: Collection<D>, where: Sweep<N, D>['where']): FanOut<N> =>
  sweep(collection, { where, each: (_event, member, docs) => docs.delete(collection, member._id) })

interface NestedSweep<N extends EventName, O extends Doc, D extends Doc> {
  through(event: EventOf<N>, docs: Docs): IndexQuery | null
  where(outer: O): IndexQuery
  each(event: EventOf<N>, member: D, docs: Docs): void
}

/** A sweep for each document of another one, such as the likes of every creation of a creator. */
export function nestedSweep<N extends EventName, O extends Doc, D extends Doc>(
  outer: Collection<O>,
  collection: Collection<D>,
  { through, where, each }: NestedSweep<N, O, D>,
): FanOut<N> {
  return {
    collection,
    through: { collection: outer, where: through },
    where: (_event, _docs, found) => (found === undefined ? null : where(found as O)),
    also: () => [],
    each: (event, member, docs) => each(event, member as D, docs),
  }
}

export interface StateCollection {
  collection: Collection<StateDoc>
  /** The state of an aggregate without events. With `gaps: []` the engine keeps the gaps of every aggregate. */
  blank(id: string): StateDoc
}

export const stateIn = <D extends StateDoc>(collection: Collection<D>, blank: (id: string) => D): StateCollection => ({
  // `blank` makes documents of this collection, and the engine only changes `seq` and `gaps`.
  collection,
  blank,
})

/** The aggregate's state; a blank one when it has none, or only a tombstone. */
export function livingState<D extends StateDoc, L extends D>(
  docs: Docs,
  collection: Collection<D>,
  id: string,
  blank: (id: string) => L,
): L {
  const doc = docs.get(collection, id)
  // Only tombstones have another type than what `blank` makes.
  return doc === undefined || doc.removed ? blank(id) : (doc as L)
}

/** Documents computed from the projection's other documents, in the same commit. */
export interface DerivedDefinition {
  /** All documents it writes. No index may contain them. */
  documents: readonly Ref[]
  /**
   * Whether these writes may change the result. Asked before computing without a last result, so that an unreadable
   * document does not stop events that have nothing to do with it.
   */
  mayChange(writes: readonly Write[], reads: Reads): Promise<boolean>
  compute(reads: Reads): Promise<Write[]>
  /**
   * What `compute` would give, worked out from the last result without the store, so that the commit needs no extra
   * reads. Empty when nothing changes; `null` where only the store can tell.
   */
  update(known: readonly Write[], writes: readonly Write[]): Write[] | null
}

export interface Projection {
  name: string
  /** Raise it when the same events would give other documents. */
  version: number
  /**
   * The documents depend on which events the log holds, not on their order, also within an aggregate. So an event that
   * comes late is folded when it comes, and a dead letter holds up no other event. Without it an event whose sequence
   * is not above the last one is a duplicate, and a dead letter parks its aggregate.
   */
  orderFree?: boolean
  collections: readonly Collection[]
  /** Which aggregates this projection follows, and where it keeps their state. */
  state: Partial<Record<AggregateKind, StateCollection>>
  on: { [N in EventName]?: Fold<N> }
  /** Instead of `on`: for every event whose envelope can be read, also of unknown types and with data that cannot be used. */
  onArrival?: ArrivalFold
  derived?: DerivedDefinition
}

export const projection = (definition: Projection): Projection => definition
