import {
  type AggregateKind,
  type AnyEvent,
  type Arrival,
  builtInEvents,
  type EventName,
  type EventOf,
  type EventTypes,
  type OwnEvent,
} from '../../events/index.js'
import type { SequenceGaps } from '../../lib/sequence-gaps.js'
import type { Collection, Doc, IndexQuery } from '../../ports/document-store.js'

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

/** `void` alone would also take async functions, whose changes would come after the event. */
// biome-ignore lint/suspicious/noConfusingVoidType: a fold that is one call returns what that returns
type Nothing = void | undefined

/** What one event does to one projection. Pure: no I/O, no clock, no randomness. */
export interface EventFold<E extends AnyEvent> {
  /** Documents known from the event alone. The aggregate's state document is always included. */
  touches?(event: E): readonly Ref[]
  /** Those of them that are states of other aggregates and show in documents, such as an owner's. Unset: any of them may. */
  refers?(event: E): readonly Ref[]
  /** Documents known only once others are loaded. Called until it names nothing new; must accept missing documents. */
  also?(event: E, docs: Docs): readonly Ref[]
  /**
   * Instead of `also` when a batch is prefetched: cheaper, and may name too little, as `also` is asked where a document is
   * missing. `null`: what `touches` names is enough.
   */
  guess?: EventFold<E>['also'] | null
  /** `repeated` only where the state document keeps its gaps: this sequence has been applied before. */
  apply(event: E, docs: Docs, repeated: boolean): Nothing
  /** `false`: this event has no fan-out. Asked first, because it is cheaper than to ask each of them. */
  mayFanOut?(event: E): boolean
  /** After `apply`: changes to the documents that an index finds. */
  fanOut?: readonly EventFanOut<E>[]
}

/** The fold of an event of ours. */
type Fold<N extends EventName> = EventFold<EventOf<N>>

/** What the arrival of any event does to a projection. Pure, too. */
export interface ArrivalFold {
  touches(arrival: Arrival): readonly Ref[]
  also?(arrival: Arrival, docs: Docs): readonly Ref[]
  apply(arrival: Arrival, docs: Docs): Nothing
}

/** A change to all documents that an index finds, in the order of their ids. */
export interface EventFanOut<E extends AnyEvent> {
  collection: Collection
  /** Called after `apply`, and again when a sweep resumes: it may depend only on the event and on what `apply` wrote. */
  where(event: E, docs: Docs, outer: Doc | undefined): IndexQuery | null
  /** Find these first, then sweep `where` for each. A document that is visited again must not match, or not change. */
  through: { collection: Collection; where(event: E, docs: Docs): IndexQuery | null } | null
  also(event: E, member: Doc, docs: Docs): readonly Ref[]
  each(event: E, member: Doc, docs: Docs): Nothing
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

/** Documents that refer to an aggregate, and the aggregates whose events they come from. */
export interface Referring {
  collection: Collection
  query: IndexQuery
  subjectOf(id: string): string
}

interface ProjectionBasics {
  name: string
  /** Raise it when the same events would give other documents. */
  version: number
  collections: readonly Collection[]
  /** Instead of `on`: for every event whose envelope can be read, also of unknown types and with data that cannot be used. */
  onArrival?: ArrivalFold
}

/** A projection as the engine folds it. */
export interface Projection extends ProjectionBasics {
  /** Of one written by hand: an event whose sequence is not above the last one is dropped. */
  inOrder?: boolean
  /** Which aggregates it follows, and where it keeps their state. */
  state: Readonly<Record<string, StateCollection>>
  on: Readonly<Record<string, EventFold<AnyEvent>>>
  /** Of a declared projection: what refers to an aggregate, where an index finds it. */
  referring?: (kind: string, id: string) => readonly Referring[]
  /** The types that the log is read with: those of the whole set of models. */
  events: EventTypes
  /** Those of them that its definition has declared. */
  ownEvents: readonly OwnEvent[]
  /** Of a declared projection: the same one, in which a function that reads a field it does not name throws. */
  strict?: () => Projection
  /** Of a declared projection: another one once its declaration says something else. */
  digest?: () => string
}

/** A projection as it is written by hand. */
interface ProjectionDefinition extends ProjectionBasics {
  state: Partial<Record<AggregateKind, StateCollection>>
  on: { [N in EventName]?: Fold<N> }
}

export const projection = ({ state, on, ...basics }: ProjectionDefinition): Projection => ({
  ...{ ...basics, inOrder: true, events: builtInEvents, ownEvents: [] },
  ...{ state: present<StateCollection>(state), on: present<EventFold<AnyEvent>>(on) },
})

/** A field may also be left out by setting it to undefined. */
function present<T>(fields: { readonly [name: string]: T | undefined }): Record<string, T> {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

/** The same projection within a set of models. */
export const readWith = (projection: Projection, events: EventTypes): Projection => ({ ...projection, events })

/** For specs: a declared projection finds out about fields that are read without being named. */
export const strict = (projection: Projection): Projection => readWith(projection.strict?.() ?? projection, projection.events)

/** How projections that share a reader of the log read it. */
export function sharedEvents(projections: readonly Projection[]): EventTypes {
  const [first, ...others] = projections
  if (others.some(({ events }) => events !== first?.events)) throw new Error('these projections are not of one set of models')
  return first?.events ?? builtInEvents
}
