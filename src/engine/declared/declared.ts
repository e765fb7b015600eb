/** Compiles a declaration to a projection as the engine folds it. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type AnyEvent, aggregateIn, builtInEvents, type EventName, type EventOf, type OwnEvent } from '../../events/index.js'
import { mayBeGivenUp, type SequenceGaps } from '../../lib/sequence-gaps.js'
import type { Collection } from '../../ports/document-store.js'
import { edgeId } from '../../ports/state-documents.js'
import { type Docs, type EventFold, type Projection, type Ref, type Referring, ref, type StateDoc } from '../definition/projection.js'
import { ChangeApplier, find } from './apply-changes.js'
import { checkCycles, checkDeclaration, checkExamples, checkNames, checkTotals } from './check-declaration.js'
import { type Change, type Definition, ownersIn } from './definition.js'
import { refsUsed } from './dry-run.js'
import { FanOuts } from './fan-outs.js'
import { changesIn, effectOf, type Hops, Layouts, type Prepare, type Said } from './layout.js'
import type { Novelty } from './merge.js'
import { picked, state } from './state.js'
import { copierOf, type Fields, meet } from './values.js'
import { referenceCounts, type View } from './views.js'

type AggregateOf<N extends string> = N extends `${infer Aggregate}.${string}` ? Aggregate : never

interface Declaration<Own extends OwnEvent = never> {
  name: string
  /** Raise it when the same events would give other documents. */
  version: number
  events?: readonly Own[]
  keeps: readonly Definition[]
  /** What each event says. A removal of ours needs no word: it removes what is kept. */
  on: { [N in EventName]?: (event: EventOf<N>) => Said<AggregateOf<N>> } & {
    [N in Own['name']]?: (event: AnyEvent<N, z.output<Extract<Own, { name: N }>['schema']>>) => Said<AggregateOf<N>>
  }
  views?: readonly View[]
}

/** With any event types. */
interface AnyDeclaration extends Omit<Declaration, 'events' | 'on'> {
  events?: readonly OwnEvent[]
  on: { readonly [name: string]: ((event: AnyEvent) => Said) | undefined }
}

export function declared<Own extends OwnEvent = never>(declaration: Declaration<Own>): Projection
export function declared(declaration: AnyDeclaration): Projection {
  try {
    return { ...compile(declaration, trusting), strict: () => compile(declaration, watchful), digest: () => digestOf(declaration) }
  } catch (error) {
    throw new Error(`${declaration.name}: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}

/** Functions get what they name, and nothing more: `...rest` must not hold what the compiler does not see. */
const trusting: Prepare = (label, { reads, compute }) => {
  const pick = copierOf(reads)
  return { label, reads, compute: (values) => compute(pick(values) as never) }
}

/** Functions get what they name. Custom models are only stripped of their types, so the compiler may never have seen them. */
const watchful: Prepare = (label, { reads, compute }) => ({
  ...{ label, reads },
  compute(values) {
    const seen = new Proxy(picked(values, reads), {
      get(fields, name) {
        if (typeof name === 'string' && !(name in fields)) throw new Error(`${label} reads "${name}" without naming it`)
        return Reflect.get(fields, name)
      },
    })
    return compute(seen as never)
  },
})

function compile({ name, version, events = [], keeps: given, on: says, views: shown = [] }: AnyDeclaration, prepare: Prepare): Projection {
  if (!Number.isInteger(version) || version < 1) throw new Error('its "version" must be a whole number from 1')
  checkNames(given, events)
  const namesPeople = given.some((each) => ownersIn(each).length > 0 || each.ends?.kind === 'creator')
  const keeps = namesPeople && !given.some(({ kind, ends }) => kind === 'creator' && ends === null) ? [...given, erasedPeople()] : given
  const views = [...referenceCounts(keeps, shown), ...shown]
  checkCycles(views)
  const layouts = new Layouts(keeps, views, prepare)
  const types = builtInEvents.with(events)
  checkDeclaration(keeps, views, layouts, types.aggregates)
  checkExamples(events, says, layouts)
  const folds = new Folds(name, layouts)
  const on: Record<string, EventFold<AnyEvent>> = {}
  for (const [event, say] of Object.entries(says)) if (say !== undefined) on[event] = folds.fold(event, say)
  for (const kind of layouts.states.keys()) {
    const removal = `${kind}.removed`
    if (builtInEvents.get(removal) === undefined) continue
    if (on[removal] !== undefined) throw new Error(`${removal} needs no word: it removes what is kept of a ${kind}`)
    on[removal] = folds.removal(kind)
  }
  for (const definition of keeps) checkTotals(definition, views)
  const written = views.flatMap((view) =>
    view.type === 'add' ? [] : [view.into, ...(view.type === 'count' && view.distinct !== null ? [view.distinct] : [])],
  )
  return {
    ...{ name, version, on, events: types, ownEvents: events },
    referring: (kind, id) => folds.referring(kind, id),
    collections: [...new Set([...keeps.map(({ documents }) => documents), ...written])],
    // State collections hold what `blank` makes, and tombstones.
    state: Object.fromEntries(
      [...layouts.states].map(([kind, { collection, blank }]) => [kind, { collection: collection as Collection<StateDoc>, blank }]),
    ),
  }
}

/** Creators of whom only their erasure is known. */
const erasedPeople = (): Definition => state('creator', {}, { name: 'people' })

class Folds {
  readonly #layouts: Layouts
  readonly #applier: ChangeApplier
  readonly #fanOuts: FanOuts
  /** What the last event says. Only of one event, and forgotten with a removal: it may be the words of an erased person. */
  #last: { event: AnyEvent; changes: readonly Change[] } | null = null

  constructor(projection: string, layouts: Layouts) {
    this.#layouts = layouts
    this.#applier = new ChangeApplier(projection, layouts)
    this.#fanOuts = new FanOuts(layouts, this.#applier)
  }

  fold(name: string, say: (event: AnyEvent) => Said): EventFold<AnyEvent> {
    const kind = aggregateIn(name)
    const own = this.#layouts.state(kind)
    const label = `on ${name}`
    const joined = this.#fanOuts.readOf(kind)
    const changesOf = (event: AnyEvent): readonly Change[] => {
      if (this.#last?.event !== event) this.#last = { event, changes: changesIn(this.#applier.naming(label, event, () => say(event))) }
      return this.#last.changes
    }
    const effect = (event: AnyEvent) => effectOf(changesOf(event), this.#layouts, own)
    const applyAll = (changes: readonly Change[], docs: Docs, event: AnyEvent, novelty: Novelty): void => {
      for (const change of changes) this.#applier.apply(docs, event, change, novelty)
    }
    const dryRun = (event: AnyEvent, docs: Docs) => refsUsed(docs, (dry) => applyAll(changesOf(event), dry, event, 'new'))
    return {
      touches: (event) => {
        const refs: Ref[] = []
        for (const change of changesOf(event)) this.#addNamed(refs, event.key, change)
        return refs
      },
      refers: (event) => {
        const refs: Ref[] = []
        for (const change of changesOf(event)) this.#addReferences(refs, change)
        return refs
      },
      also: dryRun,
      guess: this.#layouts.ofKind(kind).some(({ setters }) => Object.values(setters).some(({ leadsTo }) => leadsTo.length > 0))
        ? (event, docs) => this.#follow(event, changesOf(event), docs) ?? dryRun(event, docs)
        : null,
      apply: (event, docs, repeated) => {
        const changes = changesOf(event)
        const novelty = repeated ? noveltyOf(find(docs, own, event.key), event) : 'new'
        this.#applier.naming(label, event, () => applyAll(changes, docs, event, novelty))
      },
      mayFanOut(event) {
        const { sets, mayRemove } = effect(event)
        return mayRemove || meet(sets, joined)
      },
      fanOut: this.#fanOuts.ofChanges(kind, effect),
    }
  }

  referring(kind: string, id: string): readonly Referring[] {
    return this.#fanOuts.referringTo(kind, id)
  }

  removal(kind: string): EventFold<AnyEvent> {
    const layout = this.#layouts.state(kind)
    const apply = ({ key }: AnyEvent, docs: Docs): void => {
      this.#last = null
      this.#applier.remove(docs, layout, find(docs, layout, key) ?? layout.blank(key))
    }
    return {
      also: (event, docs) => refsUsed(docs, (dry) => apply(event, dry)),
      apply,
      fanOut: this.#fanOuts.ofRemoval(kind),
    }
  }

  /** The documents that an event names itself: both ends of an edge, and what the registers will refer to. */
  #addNamed(refs: Ref[], key: string, change: Change): void {
    const { to, other } = change
    if (other !== null) {
      const layout = this.#layouts.of(to)
      refs.push(ref(layout.collection, edgeId(key, other)))
      this.#addState(refs, layout.definition.ends?.kind ?? '', other)
    }
    this.#addReferences(refs, change)
  }

  #addReferences(refs: Ref[], { to, patch }: Change): void {
    if (patch === 'removed') return
    for (const { field, kind } of this.#layouts.of(to).references) this.#addState(refs, kind, patch[field])
  }

  #addState(refs: Ref[], kind: string, id: unknown): void {
    const layout = this.#layouts.states.get(kind)
    if (layout !== undefined && typeof id === 'string') refs.push(ref(layout.collection, id))
  }

  /** The documents that changes lead to, as far as they are known; `null` where only folding tells. */
  #follow({ key }: AnyEvent, changes: readonly Change[], docs: Docs): Ref[] | null {
    const refs: Ref[] = []
    for (const { to, other, patch } of changes) {
      const layout = this.#layouts.of(to)
      const from = other === null ? find(docs, layout, key) : layout.blankEdge('', key, other)
      if (patch === 'removed') return null
      for (const field in patch) {
        const hops = patch[field] === undefined ? undefined : layout.setters[field]?.leadsTo
        if (hops === 'unknown') return null
        if (hops !== undefined) addHops(refs, docs, hops, from)
      }
    }
    return refs
  }
}

/** Of an event whose sequence was there before, or in a gap that was given up. Only states that keep their gaps know of such. */
const noveltyOf = (doc: Fields | undefined, { sequence }: AnyEvent): Novelty =>
  mayBeGivenUp((doc?.gaps ?? []) as SequenceGaps, sequence) ? 'unknown' : 'taken'

function addHops(refs: Ref[], docs: Docs, hops: Hops, from: Fields | undefined): void {
  for (const { through, target, next } of hops) {
    const id = from?.[through]
    if (typeof id !== 'string') continue
    refs.push(ref(target.collection, id))
    if (next.length > 0) addHops(refs, docs, next, find(docs, target, id))
  }
}

/** Changes with what a declaration says, not with its layout and types. Functions that its functions call are not looked into. */
function digestOf({ keeps, on, views = [] }: AnyDeclaration): string {
  const kept = keeps.map(({ kind, registers, ends, joins, derived, options }) => ({ kind, registers, ends, joins, derived, options }))
  return createHash('sha256')
    .update(JSON.stringify([kept, on, views], asText))
    .digest('hex')
    .slice(0, 16)
}

function asText(_key: string, value: unknown): unknown {
  if (value instanceof z.ZodType) return z.toJSONSchema(value, { unrepresentable: 'any' })
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'function') return value
  // States and edges are functions, too. Compilers add semicolons.
  return 'documents' in value ? Object(value.documents).name : String(value).replaceAll(/[\s;]+/g, '')
}
