/** A declared state or edge, worked out once for folding. */
import type { z } from 'zod'
import { errorMessage } from '../../lib/message-text.js'
import type { Collection } from '../../ports/document-store.js'
import type { StateDoc } from '../definition/projection.js'
import { type Change, type Definition, type Derived, dependenciesOf, keepsGaps, ownersIn, PEOPLE, versionedIn } from './definition.js'
import type { Group, Register } from './registers.js'
import { copierOf, EXISTENCE, type FieldSet, type Fields, NONE } from './values.js'
import type { View } from './views.js'

/** A function of a declaration. The label names it in errors. */
export interface Computation {
  label: string
  reads: readonly string[]
  compute(values: Fields): unknown
}

/** Depends on these fields of its document. */
interface Dependent {
  on: FieldSet
}

/** Makes the function of a declaration ready to be called. */
export type Prepare = (label: string, declared: Pick<Derived, 'reads' | 'compute'>) => Computation

export interface CompiledJoin extends Computation, Dependent {
  name: string
  set: FieldSet
  through: string
  kind: string
}

export type CompiledView = Computation & Dependent & { view: View }

export interface Setter {
  register: Register
  /** Its place among the sequences that are kept, if it has one. */
  slot: number
  owner: boolean
  dated: { name: string; by: 'position' | 'time' }[]
  /** The field, with those that date it. */
  set: FieldSet
  leadsTo: Hops | 'unknown'
}

/** The documents that additions lead to, from a document that an event changes. */
export type Hops = readonly { through: string; target: Layout; next: Hops }[]

export class Layout {
  readonly collection: Collection
  readonly setters: Readonly<Record<string, Setter>>
  readonly owners: readonly string[]
  readonly references: readonly { field: string; kind: string }[]
  readonly joins: readonly CompiledJoin[]
  readonly derived: readonly (Computation & Dependent & { name: string; set: FieldSet })[]
  readonly sums: readonly { name: string; group: Group<unknown, unknown>; set: FieldSet }[]
  readonly views: CompiledView[] = []
  /** The values of a document of which nothing is known. */
  readonly nothing: Fields
  readonly copy: (doc: Fields) => Fields
  readonly #blank: Fields
  readonly #fields: readonly string[]

  constructor(
    readonly definition: Definition,
    prepare: Prepare,
  ) {
    const { registers, joins, derived, documents } = definition
    const { name: collection } = documents
    this.collection = documents
    this.#fields = [...Object.keys(registers), ...Object.keys(joins), ...Object.keys(derived)]
    this.owners = ownersIn(definition)
    this.setters = this.#settersOf(definition)
    const entries = Object.entries(registers)
    this.references = entries.flatMap(([field, { reference }]) => (reference === null ? [] : [{ field, kind: reference.kind }]))
    this.sums = entries.flatMap(([name, { group }]) => (group === undefined ? [] : [{ name, group, set: this.setOf([name]) }]))
    this.joins = Object.entries(joins).map(([name, join]) => ({
      ...prepare(`join ${collection}.${name}`, join),
      ...{ name, set: this.setOf([name]), through: join.through, on: this.setOf([join.through]), kind: join.target.kind },
    }))
    this.derived = Object.entries(derived).map(([name, each]) => ({
      ...prepare(`derive ${collection}.${name}`, each),
      ...{ name, set: this.setOf([name]), on: this.setOf(each.reads) | EXISTENCE },
    }))
    this.nothing = nothingOf(definition, prepare)
    const { _id, ...rest } = this.nothing
    const { ends } = definition
    this.#blank = ends === null ? { _id, seq: 0, removed: false, ...rest } : { _id, [ends.own]: '', [ends.other]: '', ...rest }
    this.copy = copierOf([...new Set([...Object.keys(this.#blank), ...this.#fields])])
  }

  /** The set of some fields. Those beyond the 31st share a place: what depends on one of them is then computed without need, too. */
  setOf(fields: Iterable<string>): FieldSet {
    let set = NONE
    for (const field of fields) {
      const place = this.#fields.indexOf(field)
      // The ends of an edge never change.
      if (place >= 0) set |= 1 << Math.min(place, 30)
    }
    return set
  }

  /** A state of which nothing is known. */
  readonly blank = (id: string): Fields & StateDoc => {
    const doc = this.copy(this.#blank)
    doc._id = id
    // It has the fields of every state.
    return doc as Fields & StateDoc
  }

  #settersOf(definition: Definition): Record<string, Setter> {
    const versioned = versionedIn(definition)
    const setters: Record<string, Setter> = Object.create(null)
    for (const [field, register] of Object.entries(definition.registers)) {
      const dated = Object.entries(definition.registers).flatMap(([name, { dates }]) =>
        dates?.field === field ? [{ name, by: dates.by }] : [],
      )
      const set = this.setOf([field, ...dated.map(({ name }) => name)])
      const owner = register.reference?.owner ?? false
      setters[field] = { register, slot: versioned.indexOf(field), owner, dated, set, leadsTo: [] }
    }
    return setters
  }

  /** An edge before its first event, which computes its derived fields. */
  blankEdge(id: string, from: string, to: string): Fields {
    const { own = '', other = '' } = this.definition.ends ?? {}
    const doc = this.copy(this.#blank)
    doc._id = id
    doc[own] = from
    doc[other] = to
    return doc
  }
}

/** Of an edge without its derived fields: they may depend on its ends. */
function nothingOf(definition: Definition, prepare: Prepare): Fields {
  const { registers, joins, derived, ends } = definition
  const versioned = versionedIn(definition)
  const nothing: Fields = {
    _id: '',
    ...(keepsGaps(definition) ? { gaps: [] } : {}),
    ...(versioned.length > 0 ? { v: versioned.map(() => 0) } : {}),
    ...(ownersIn(definition).length > 0 ? { [PEOPLE]: [] } : {}),
  }
  for (const [name, { initial }] of Object.entries(registers)) nothing[name] = initial
  const compute = (label: string, computed: Derived, values: Fields) => ofNothing(prepare(label, computed), values, computed.schema)
  const { name: collection } = definition.documents
  // The target was declared before the join, so this ends.
  for (const [name, join] of Object.entries(joins))
    nothing[name] = compute(`join ${collection}.${name}`, join, nothingOf(join.target, prepare))
  if (ends === null)
    for (const [name, each] of Object.entries(derived)) nothing[name] = compute(`derive ${collection}.${name}`, each, nothing)
  return nothing
}

/** A document may come to be before the event that sets its fields: it must be possible then, too. */
function ofNothing({ label, compute }: Computation, values: Fields, schema: z.ZodType): unknown {
  let computed: unknown
  try {
    computed = compute(values)
  } catch (error) {
    throw new Error(`${label} fails while nothing is known: ${errorMessage(error)}`, { cause: error })
  }
  if (schema.safeParse(computed).success) return computed
  throw new Error(`${label} is ${computed} while nothing is known, which its schema refuses: events may come in any order`)
}

/** All layouts of a projection, with their views. */
export class Layouts {
  readonly states = new Map<string, Layout>()
  readonly edges: Layout[] = []
  readonly #byName = new Map<string, Layout>()

  constructor(definitions: readonly Definition[], views: readonly View[], prepare: Prepare) {
    for (const definition of definitions) {
      const layout = new Layout(definition, prepare)
      this.#byName.set(definition.documents.name, layout)
      if (definition.ends === null) this.states.set(definition.kind, layout)
      else this.edges.push(layout)
    }
    for (const view of views) {
      const source = this.of(view.source)
      const on = source.setOf(view.type === 'add' ? [...view.reads, view.through] : view.reads)
      source.views.push({ ...prepare(labelOf(view), view), on: on | EXISTENCE, view })
    }
    for (const layout of this.#byName.values())
      for (const [field, setter] of Object.entries(layout.setters)) setter.leadsTo = this.#hopsFrom(layout, field)
  }

  of({ documents: { name } }: Definition): Layout {
    const layout = this.#byName.get(name)
    if (layout === undefined) throw new Error(`"${name}" is not kept: add it to "keeps"`)
    return layout
  }

  /** The state and the edges that events of such an aggregate may change. */
  ofKind(kind: string): Layout[] {
    return [this.state(kind), ...this.edges.filter(({ definition }) => definition.kind === kind)]
  }

  state(kind: string): Layout {
    const layout = this.states.get(kind)
    if (layout === undefined) throw new Error(`it keeps no state of a ${kind}: add state('${kind}', …) to "keeps"`)
    return layout
  }

  /** Where setting a field leads to. Only additions can be followed without folding. */
  #hopsFrom({ definition, views }: Layout, field: string): Hops | 'unknown' {
    const hops: Hops[number][] = []
    for (const { view } of views) {
      if (view.type === 'add' && view.through === field) return 'unknown'
      if (!dependenciesOf(definition, view.reads).registers.has(field)) continue
      // What is added changes what is counted or shown now and then at most: it is then folded once more.
      if (view.type !== 'add' && definition.registers[field]?.group !== undefined) continue
      if (view.type !== 'add') return 'unknown'
      const target = this.of(view.target)
      const next = view.adds.map((sum) => this.#hopsFrom(target, sum))
      if (next.includes('unknown')) return 'unknown'
      hops.push({ through: view.through, target, next: next.flatMap((each) => (each === 'unknown' ? [] : each)) })
    }
    return hops
  }
}

const labelOf = (view: View): string =>
  view.type === 'add'
    ? `addTo ${view.target.documents.name} of ${view.source.documents.name}`
    : `${view.type === 'count' ? 'countBy' : 'show'} ${view.source.documents.name} into ${view.into.name}`

/** What an event says. */
export type Said<K extends string = string> = Change<K> | readonly Change<K>[] | null

const NOTHING: readonly Change[] = []

/** Models that are only stripped of their types may say nothing at all. */
export const changesIn = (said: Said | undefined): readonly Change[] =>
  said === null || said === undefined ? NOTHING : 'patch' in said ? [said] : said

export interface Effect {
  /** What it sets of its aggregate's state. */
  sets: FieldSet
  /** It may remove its aggregate: it says so, or it names an owner, who may be erased. */
  mayRemove: boolean
}

/** What changes do to the state of their aggregate. */
export function effectOf(changes: readonly Change[], layouts: Layouts, own: Layout): Effect {
  const effect: Effect = { sets: NONE, mayRemove: false }
  for (const { to, patch } of changes) {
    if (patch === 'removed') effect.mayRemove = true
    else if (layouts.of(to) === own)
      for (const field in patch) {
        const setter = patch[field] === undefined ? undefined : own.setters[field]
        if (setter === undefined) continue
        effect.sets |= setter.set
        effect.mayRemove ||= setter.owner
      }
  }
  return effect
}
