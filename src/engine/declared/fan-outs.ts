/** What an event changes in documents that only an index finds: edges, what joins the aggregate, what an erased person owns. */
import type { AnyEvent } from '../../events/index.js'
import type { Collection, Doc, IndexQuery } from '../../ports/document-store.js'
import { edgesOf, fromOf } from '../../ports/state-documents.js'
import type { Docs, EventFanOut, Referring } from '../definition/projection.js'
import { type ChangeApplier, find, isRemoved } from './apply-changes.js'
import { dependenciesOf, indexThrough, PEOPLE } from './definition.js'
import { refsUsed } from './dry-run.js'
import type { CompiledJoin, Effect, Layout, Layouts } from './layout.js'
import { type FieldSet, type Fields, meet, NONE } from './values.js'

type Step = EventFanOut<AnyEvent>
type Where = (event: AnyEvent, docs: Docs) => IndexQuery | null
/** A query for what belongs to an aggregate. */
type Of = (id: string) => IndexQuery

/** The joins of documents through one of their fields. */
interface Joining {
  layout: Layout
  joins: readonly CompiledJoin[]
  /** A query for the documents that refer to an aggregate. */
  of: Of
  /** Whether there may be any that refer to this one. */
  isUsed(target: Fields | undefined): boolean
}

export class FanOuts {
  readonly #layouts: Layouts
  readonly #applier: ChangeApplier

  constructor(layouts: Layouts, applier: ChangeApplier) {
    this.#layouts = layouts
    this.#applier = applier
  }

  /** Of an event about an aggregate of this kind. */
  ofChanges(kind: string, effectOf: (event: AnyEvent) => Effect): Step[] {
    const own = this.#layouts.state(kind)
    const isGone = (event: AnyEvent, docs: Docs) => effectOf(event).mayRemove && isRemoved(find(docs, own, event.key))
    const edges = this.#edgesOf(kind).map(({ layout, of }) =>
      this.#removeEdges(layout, (event, docs) => (isGone(event, docs) ? of(event.key) : null)),
    )
    const joins = this.#joinsTo(kind).flatMap((joining) => {
      const read = readBy(joining, own)
      return this.#rejoin(joining, kind, (event, docs) => meet(effectOf(event).sets, read) || isGone(event, docs))
    })
    return [...edges, ...joins]
  }

  /** What joins read of the aggregates of this kind. */
  readOf(kind: string): FieldSet {
    return this.#joinsTo(kind).reduce((read, joining) => read | readBy(joining, this.#layouts.state(kind)), NONE)
  }

  /** Of the removal of an aggregate of this kind. All that joins a creator is owned by them. */
  ofRemoval(kind: string): Step[] {
    const edges = this.#edgesOf(kind).map(({ layout, of }) => this.#removeEdges(layout, ({ key }) => of(key)))
    if (kind === 'creator') return [...edges, ...[...this.#layouts.states.values()].flatMap((layout) => this.#removeOwned(layout))]
    return [...edges, ...this.#joinsTo(kind).flatMap((joining) => this.#rejoin(joining, kind, () => true))]
  }

  /** What refers to an aggregate of this kind. */
  referringTo(kind: string, id: string): Referring[] {
    const referring = ({ collection, definition }: Layout, query: IndexQuery): Referring => {
      const keyOf = (of: string) => (definition.ends === null ? of : fromOf(of))
      return { collection, query, subjectOf: (of) => `${definition.kind}/${keyOf(of)}` }
    }
    const addTo = (layout: Layout) => layout.views.some(({ view }) => view.type === 'add' && view.target.kind === kind)
    const edges = this.#edgesOf(kind).filter(({ layout }) => addTo(layout))
    const found = [...edges, ...this.#joinsTo(kind)].map(({ layout, of }) => referring(layout, of(id)))
    const owned = kind === 'creator' ? [...this.#layouts.states.values()].filter(({ owners }) => owners.length > 0) : []
    return [...found, ...owned.map((layout) => referring(layout, { index: PEOPLE, equals: [id] }))]
  }

  /** Removes what an erased person owns: first what depends on it, as long as it can be found. */
  #removeOwned(layout: Layout): Step[] {
    const { kind } = layout.definition
    if (layout.owners.length === 0) return []
    const theirs: Where = ({ key }) => ({ index: PEOPLE, equals: [key] })
    const through = { collection: layout.collection, where: theirs }
    return [
      ...this.#edgesOf(kind).map((edges) =>
        nested(
          through,
          { of: edges.of, isUsed: () => true },
          this.#removeEdges(edges.layout, () => null),
        ),
      ),
      ...this.#joinsTo(kind).map((joining) => {
        const rejoin = this.#sweep(
          joining.layout.collection,
          () => null,
          ({ key }, member, docs) => this.#applier.rejoin(docs, joining.layout, member, joining.joins, key),
        )
        return nested(through, joining, rejoin)
      }),
      this.#sweep(layout.collection, theirs, (_event, member, docs) => this.#applier.remove(docs, layout, member)),
    ]
  }

  /** Computes joins again in all documents that refer to the aggregate, and the joins to those in turn. */
  #rejoin(joining: Joining, kind: string, mayChange: (event: AnyEvent, docs: Docs) => boolean): Step[] {
    const { layout, joins, of, isUsed } = joining
    const target = this.#layouts.state(kind)
    const where: Where = (event, docs) => (mayChange(event, docs) && isUsed(find(docs, target, event.key)) ? of(event.key) : null)
    const rejoin = (again: Layout, joins: readonly CompiledJoin[], where: Where) =>
      this.#sweep(again.collection, where, (_event, member, docs) => this.#applier.rejoin(docs, again, member, joins, null))
    const further = this.#joinsTo(layout.definition.kind).flatMap((next) => {
      const affected = next.joins.filter(({ reads }) => joins.some(({ name }) => dependenciesOf(layout.definition, reads).joins.has(name)))
      const step = rejoin(next.layout, affected, () => null)
      return affected.length === 0 ? [] : [nested({ collection: layout.collection, where }, next, step)]
    })
    return [rejoin(layout, joins, where), ...further]
  }

  #joinsTo(kind: string): Joining[] {
    return [...this.#layouts.states.values()].flatMap((layout) => {
      const joins = layout.joins.filter((join) => join.kind === kind)
      return [...new Set(joins.map(({ through }) => through))].map((through) => {
        const index = indexThrough(layout.definition, through)
        const counted = layout.definition.registers[through]?.reference?.counted ?? null
        return {
          layout,
          joins: joins.filter((join) => join.through === through),
          of: (id) => ({ index, equals: [id] }),
          // A tombstone counts nothing.
          isUsed: (target) => counted === null || target === undefined || isRemoved(target) || target[counted] !== 0,
        } satisfies Joining
      })
    })
  }

  /** The edges with such an aggregate at either end. */
  #edgesOf(kind: string): { layout: Layout; of: Of }[] {
    return this.#layouts.edges.flatMap((layout) => {
      const { definition } = layout
      const { ends } = definition
      return [
        ...(definition.kind === kind ? [{ layout, of: edgesOf }] : []),
        ...(ends?.kind === kind ? [{ layout, of: (id: string) => ({ index: indexThrough(definition, ends.other), equals: [id] }) }] : []),
      ]
    })
  }

  #removeEdges(layout: Layout, where: Where): Step {
    return this.#sweep(layout.collection, where, (_event, edge, docs) => this.#applier.removeEdge(docs, layout, edge))
  }

  #sweep(collection: Collection, where: Where, change: (event: AnyEvent, member: Fields, docs: Docs) => void): Step {
    const each = (event: AnyEvent, member: Doc, docs: Docs): void => {
      // The collections of declared states hold documents with their fields.
      if (!isRemoved(member)) change(event, member as Fields, docs)
    }
    return {
      ...{ collection, where, through: null },
      also: (event, member, docs) => refsUsed(docs, (dry) => each(event, member, dry)),
      each: (event, member, docs) => {
        this.#applier.naming(`on ${event.name}`, event, () => each(event, member, docs))
      },
    }
  }
}

const readBy = ({ joins }: Joining, target: Layout): FieldSet =>
  target.setOf(
    dependenciesOf(
      target.definition,
      joins.flatMap(({ reads }) => reads),
    ).registers,
  )

/** A step for each document of another query. */
const nested = (through: NonNullable<Step['through']>, { of, isUsed }: Pick<Joining, 'of' | 'isUsed'>, step: Step): Step => ({
  ...step,
  through,
  // The collections of declared states hold documents with their fields.
  where: (_event, _docs, outer) => (outer !== undefined && isUsed(outer as Fields) ? of(outer._id) : null),
})
