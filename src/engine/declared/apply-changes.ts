/** Applies what events say, and everything that follows from it in other documents. */
import type { AnyEvent } from '../../events/index.js'
import type { Collection, Doc } from '../../ports/document-store.js'
import { edgeId, tombstone } from '../../ports/state-documents.js'
import type { Docs, StateDoc } from '../definition/projection.js'
import { type Change, PEOPLE } from './definition.js'
import { DryRun } from './dry-run.js'
import type { CompiledJoin, CompiledView, Computation, Layout, Layouts } from './layout.js'
import { Draft, merge, type Novelty } from './merge.js'
import { ALL, type FieldSet, type Fields, kept, meet, same } from './values.js'
import type { AddView, CountView, ShowView } from './views.js'

type Amounts = Readonly<Record<string, unknown>> | null

export class ChangeApplier {
  /** The declaration whose function was called last, for errors. */
  #at = ''
  readonly #projection: string
  readonly #layouts: Layouts

  constructor(projection: string, layouts: Layouts) {
    this.#projection = projection
    this.#layouts = layouts
  }

  /** Runs code of a declaration. Its errors name the part of it that was called last, and the event. */
  naming<T>(label: string, event: AnyEvent, run: () => T): T {
    this.#at = label
    try {
      return run()
    } catch (error) {
      throw this.#named(error, event)
    }
  }

  #named(error: unknown, { name, aggregate, sequence }: AnyEvent): Error {
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
    const told = new Error(`${this.#projection}, ${this.#at}, at ${name} of ${aggregate} (sequence ${sequence}): ${message}`, {
      cause: error,
    })
    // Where it was thrown, not where it was named.
    const frames = stack.indexOf('\n    at ')
    told.stack = `${told.name}: ${told.message}${frames < 0 ? '' : stack.slice(frames)}`
    return told
  }

  apply(docs: Docs, event: AnyEvent, { to, other, patch }: Change, novelty: Novelty): void {
    const layout = this.#layouts.of(to)
    if (other !== null) {
      if (patch !== 'removed') this.#applyToEdge(docs, layout, event, other, patch, novelty)
      return
    }
    const stored = find(docs, layout, event.key)
    // An earlier change of this event has removed it.
    if (isRemoved(stored)) return
    const before = stored ?? layout.blank(event.key)
    if (patch === 'removed' || this.#namesSomebodyGone(docs, layout, patch)) {
      this.remove(docs, layout, before)
      return
    }
    const draft = merge(layout, before, patch, event, novelty)
    if (draft.after === before) return
    for (const join of layout.joins) if (meet(draft.changed, join.on)) this.#join(docs, draft, join, before, null)
    this.#write(docs, layout, before, draft)
  }

  #namesSomebodyGone(docs: Docs, { owners }: Layout, patch: Readonly<Record<string, unknown>>): boolean {
    for (const field of owners) if (this.#isGone(docs, 'creator', patch[field])) return true
    return false
  }

  #applyToEdge(
    docs: Docs,
    layout: Layout,
    event: AnyEvent,
    other: string,
    patch: Readonly<Record<string, unknown>>,
    novelty: Novelty,
  ): void {
    if (this.#isGone(docs, layout.definition.ends?.kind ?? '', other)) return
    const id = edgeId(event.key, other)
    const stored = find(docs, layout, id)
    const before = stored ?? layout.blankEdge(id, event.key, other)
    const draft = merge(layout, before, patch, event, novelty)
    if (draft.after !== before) this.#write(docs, layout, stored ?? null, draft)
  }

  /** What was removed stays removed, and so does what belongs to it. */
  #isGone(docs: Docs, kind: string, id: unknown): boolean {
    const layout = this.#layouts.states.get(kind)
    return layout !== undefined && typeof id === 'string' && isRemoved(find(docs, layout, id))
  }

  remove(docs: Docs, layout: Layout, doc: Fields): void {
    // Before its views: one that refers to itself would take back from itself, and with that twice from others.
    docs.put(layout.collection, tombstone(doc._id, Number(doc.seq)))
    this.#updateViews(docs, layout, doc, null, ALL)
  }

  removeEdge(docs: Docs, layout: Layout, edge: Fields): void {
    docs.delete(layout.collection, edge._id)
    this.#updateViews(docs, layout, edge, null, ALL)
  }

  /** Computes joins again. `leaving`: what belongs to this person is as good as removed. */
  rejoin(docs: Docs, layout: Layout, member: Fields, joins: readonly CompiledJoin[], leaving: string | null): void {
    const draft = new Draft(layout, member)
    for (const join of joins) this.#join(docs, draft, join, member, leaving)
    if (draft.after !== member) this.#write(docs, layout, member, draft)
  }

  #join(docs: Docs, draft: Draft, join: CompiledJoin, before: Fields, leaving: string | null): void {
    const { name, kind, through, set } = join
    const value = kept(before[name], this.#compute(join, this.valuesOf(docs, kind, draft.after[through], leaving)))
    if (value !== before[name]) draft.change(set)[name] = value
  }

  /** What a join sees of an aggregate. */
  valuesOf(docs: Docs, kind: string, id: unknown, leaving: string | null = null): Fields {
    const layout = this.#layouts.state(kind)
    const doc = typeof id === 'string' ? find(docs, layout, id) : undefined
    if (doc === undefined || isRemoved(doc)) return layout.nothing
    return leaving !== null && peopleIn(doc).includes(leaving) ? layout.nothing : doc
  }

  /** Writes a document, with the fields and views that follow from it. */
  #write(docs: Docs, layout: Layout, before: Fields | null, draft: Draft): void {
    const { after } = draft
    if (before === null) draft.changed = ALL
    for (const derived of layout.derived) {
      if (!meet(draft.changed, derived.on)) continue
      const value = kept(before?.[derived.name], this.#compute(derived, after))
      if (before === null || value !== before[derived.name]) draft.change(derived.set)[derived.name] = value
    }
    docs.put(layout.collection, after)
    this.#updateViews(docs, layout, before, after, draft.changed)
  }

  /** Takes back what a document contributed, and adds what it contributes now. */
  #updateViews(docs: Docs, layout: Layout, before: Fields | null, after: Fields | null, changed: FieldSet): void {
    for (const compiled of layout.views) {
      if (!meet(changed, compiled.on)) continue
      const { view } = compiled
      if (view.type === 'add') this.#add(docs, view, compiled, before, after)
      else if (view.type === 'show') showInto(docs, view, before?._id ?? after?._id ?? '', () => after && this.#compute(compiled, after))
      else count(docs, view, before && this.#compute(compiled, before), after && this.#compute(compiled, after))
    }
  }

  #add(docs: Docs, view: AddView, compiled: CompiledView, before: Fields | null, after: Fields | null): void {
    const from = before?.[view.through]
    const to = after?.[view.through]
    const old = before !== null && typeof from === 'string' ? this.#amounts(compiled, view, before) : null
    const now = after !== null && typeof to === 'string' ? this.#amounts(compiled, view, after) : null
    const target = this.#layouts.of(view.target)
    if (from === to) this.#addAmounts(docs, target, from, old, now)
    else {
      this.#addAmounts(docs, target, from, old, null)
      this.#addAmounts(docs, target, to, null, now)
    }
  }

  #amounts(compiled: CompiledView, { adds }: AddView, values: Fields): Amounts {
    // `addTo` has typed what its function returns.
    const amounts = this.#compute(compiled, values) as Amounts
    for (const field in amounts) if (!adds.includes(field)) throw new Error(`adds to "${field}", which it does not name`)
    return amounts
  }

  #addAmounts(docs: Docs, layout: Layout, id: unknown, old: Amounts, now: Amounts): void {
    if (typeof id !== 'string' || (old === null && now === null)) return
    const stored = find(docs, layout, id)
    if (isRemoved(stored)) return
    const before = stored ?? layout.blank(id)
    const draft = new Draft(layout, before)
    for (const { name, group, set } of layout.sums) {
      const a = old?.[name] ?? group.none
      const b = now?.[name] ?? group.none
      if (a !== b) draft.change(set)[name] = group.add(draft.after[name], group.minus(b, a))
    }
    if (draft.after === before) return
    this.#write(docs, layout, before, draft)
    // One that is only known from references goes with the last of them.
    const left = find(docs, layout, id)
    if (left?.seq === 0 && layout.sums.every(({ name, group }) => same(left[name], group.zero))) docs.delete(layout.collection, id)
  }

  #compute(computation: Computation, values: Fields): unknown {
    this.#at = computation.label
    return computation.compute(values)
  }
}

/** The collections of a layout hold documents with its fields. */
export const find = (docs: Docs, layout: Layout, id: string): Fields | undefined =>
  docs.get(layout.collection, id) as (Doc & Fields) | undefined

export const isRemoved = (doc: Fields | Doc | undefined): boolean => (doc as Partial<StateDoc> | undefined)?.removed === true

/** All owners of a document. */
const peopleIn = (doc: Fields): readonly string[] => (doc[PEOPLE] as readonly string[] | undefined) ?? []

/** A view that counts: from the keys that a document had to those it has. */
function count(docs: Docs, view: CountView, before: unknown, after: unknown): void {
  if (before === after) return
  const left = new Set(keysIn(before))
  for (const key of new Set(keysIn(after))) if (!left.delete(key)) addToCount(docs, view, key, 1)
  for (const key of left) addToCount(docs, view, key, -1)
}

/** `countBy` has typed what its function returns. */
const keysIn = (keys: unknown): readonly string[] => (keys as readonly string[] | null) ?? []

function addToCount(docs: Docs, { into, doc, distinct }: CountView, key: string, change: number): void {
  const before = countIn(docs, into, key)
  // To learn which documents are needed, the counts do not matter.
  if (docs instanceof DryRun) {
    if (distinct !== null) docs.get(distinct, TOTAL)
    return
  }
  const now = before + change
  if (now === 0) docs.delete(into, key)
  else docs.put(into, { _id: key, ...doc(key, now) })
  const appeared = (now > 0 ? 1 : 0) - (before > 0 ? 1 : 0)
  if (distinct === null || appeared === 0) return
  const keys = countIn(docs, distinct, TOTAL) + appeared
  if (keys === 0) docs.delete(distinct, TOTAL)
  else docs.put(distinct, counted(TOTAL, keys))
}

const TOTAL = 'total'

const counted = (id: string, count: number): Doc & { count: number } => ({ _id: id, count })

/** Documents of such a view have their count. */
const countIn = (docs: Docs, collection: Collection, id: string): number =>
  (docs.get(collection, id) as ReturnType<typeof counted> | undefined)?.count ?? 0

function showInto(docs: Docs, { into }: ShowView, id: string, compute: () => unknown): void {
  // To learn which documents are needed, the words do not matter.
  const shown = docs instanceof DryRun ? null : compute()
  // `show` has typed what its function returns.
  if (shown !== null) docs.put(into, { _id: id, ...(shown as object) })
  else if (docs.get(into, id) !== undefined) docs.delete(into, id)
}
