/** What an event changes in documents that only an index finds: edges, what joins the aggregate, what an erased person owns. */
import type { AnyEvent } from '../../events/index.js'
import type { Collection, Doc, IndexQuery } from '../../ports/document-store.js'
import { edgesOf } from '../../ports/state-documents.js'
import type { Docs, EventFanOut } from '../definition/projection.js'
import { type ChangeApplier, find, isRemoved } from './apply-changes.js'
import { type Change, dependenciesOf, PEOPLE } from './definition.js'
import { indexThrough } from './documents.js'
import { refsUsed } from './dry-run.js'
import type { CompiledJoin, Layout, Layouts } from './layout.js'
import type { Fields } from './values.js'

type Step = EventFanOut<AnyEvent>
type Where = (event: AnyEvent, docs: Docs) => IndexQuery | null
/** A query for what belongs to an aggregate. */
type Of = (id: string) => IndexQuery

interface Joining {
  layout: Layout
  join: CompiledJoin
}

export class FanOuts {
  readonly #layouts: Layouts
  readonly #applier: ChangeApplier

  constructor(layouts: Layouts, applier: ChangeApplier) {
    this.#layouts = layouts
    this.#applier = applier
  }

  /** Of an event about an aggregate of this kind. */
  ofChanges(kind: string, changesOf: (event: AnyEvent) => readonly Change[]): Step[] {
    const own = this.#layouts.state(kind)
    const isGone = ({ key }: AnyEvent, docs: Docs) => isRemoved(find(docs, own, key))
    const edges = this.#edgesOf(kind).map(({ layout, of }) =>
      this.#removeEdges(layout, (event, docs) => (isGone(event, docs) ? of(event.key) : null)),
    )
    const joins = this.#joinsTo(kind).flatMap((joining) => {
      const { registers } = dependenciesOf(own.definition, joining.join.reads)
      const sets = ({ to, patch }: Change) =>
        patch !== 'removed' &&
        to.documents.name === own.collection.name &&
        Object.keys(patch).some((field) => registers.has(field) && patch[field] !== undefined)
      return this.#rejoin(joining, (event, docs) => changesOf(event).some(sets) || isGone(event, docs))
    })
    return [...edges, ...joins]
  }

  /** Of the removal of an aggregate of this kind. All that joins a creator is owned by them. */
  ofRemoval(kind: string): Step[] {
    const edges = this.#edgesOf(kind).map(({ layout, of }) => this.#removeEdges(layout, ({ key }) => of(key)))
    if (kind === 'creator') return [...edges, ...[...this.#layouts.states.values()].flatMap((layout) => this.#removeOwned(layout))]
    return [...edges, ...this.#joinsTo(kind).flatMap((joining) => this.#rejoin(joining, () => true))]
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
          edges.of,
          this.#removeEdges(edges.layout, () => null),
        ),
      ),
      ...this.#joinsTo(kind).map(({ layout: joining, join }) =>
        nested(
          through,
          referring(joining, join),
          this.#sweep(
            joining.collection,
            () => null,
            ({ key }, member, docs) => this.#applier.rejoin(docs, joining, member, join, key),
          ),
        ),
      ),
      this.#sweep(layout.collection, theirs, (_event, member, docs) => this.#applier.remove(docs, layout, member)),
    ]
  }

  /** Computes a join again in all documents that refer to the aggregate, and the joins to those in turn. */
  #rejoin({ layout, join }: Joining, mayChange: (event: AnyEvent, docs: Docs) => boolean): Step[] {
    const where: Where = (event, docs) => (mayChange(event, docs) ? referring(layout, join)(event.key) : null)
    const rejoin = (joining: Layout, again: CompiledJoin, where: Where) =>
      this.#sweep(joining.collection, where, (_event, member, docs) => this.#applier.rejoin(docs, joining, member, again, null))
    const outer = this.#joinsTo(layout.definition.kind).filter(({ join: next }) =>
      dependenciesOf(layout.definition, next.reads).joins.has(join.name),
    )
    return [
      rejoin(layout, join, where),
      ...outer.map((next) =>
        nested(
          { collection: layout.collection, where },
          referring(next.layout, next.join),
          rejoin(next.layout, next.join, () => null),
        ),
      ),
    ]
  }

  #joinsTo(kind: string): Joining[] {
    return [...this.#layouts.states.values()].flatMap((layout) =>
      layout.joins.filter((join) => join.kind === kind).map((join) => ({ layout, join })),
    )
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
        try {
          each(event, member, docs)
        } catch (error) {
          throw this.#applier.named(error, event)
        }
      },
    }
  }
}

const referring =
  ({ definition }: Layout, { through }: CompiledJoin): Of =>
  (id) => ({ index: indexThrough(definition, through), equals: [id] })

const nested = (through: NonNullable<Step['through']>, of: Of, step: Step): Step => ({
  ...step,
  through,
  where: (_event, _docs, outer) => (outer === undefined ? null : of(outer._id)),
})
