/** A declared state or edge, worked out once for folding. */
import type { Collection } from '../../ports/document-store.js'
import type { StateDoc } from '../definition/projection.js'
import { type Definition, type Derived, dependenciesOf, ownersIn, PEOPLE } from './definition.js'
import { keepsGaps, versionedIn } from './documents.js'
import type { Group, Register } from './registers.js'
import type { Fields } from './values.js'
import type { View } from './views.js'

/** A function of a declaration. The label names it in errors. */
export interface Computation {
  label: string
  reads: readonly string[]
  compute(values: Fields): unknown
}

/** Makes the function of a declaration ready to be called. */
export type Prepare = (label: string, declared: Pick<Derived, 'reads' | 'compute'>) => Computation

export interface CompiledJoin extends Computation {
  name: string
  through: string
  kind: string
}

export type CompiledView = Computation & { view: View }

export interface Setter {
  register: Register
  /** Its place among the sequences that are kept, if it has one. */
  slot: number
  owner: boolean
  dated: { name: string; by: 'position' | 'time' }[]
  /** Setting it may need documents that the event does not name. */
  leadsOn: boolean
}

export class Layout {
  readonly collection: Collection
  readonly setters: Readonly<Record<string, Setter>>
  readonly owners: readonly string[]
  readonly references: readonly { field: string; kind: string }[]
  readonly joins: readonly CompiledJoin[]
  readonly derived: readonly (Computation & { name: string })[]
  readonly sums: readonly { name: string; group: Group<unknown, unknown> }[]
  readonly views: CompiledView[] = []
  /** The values of a document of which nothing is known. */
  readonly nothing: Fields
  readonly #rest: Omit<Fields, '_id'>

  constructor(
    readonly definition: Definition,
    prepare: Prepare,
  ) {
    const { registers, joins, derived, documents } = definition
    const { name: collection } = documents
    this.collection = documents
    this.owners = ownersIn(definition)
    this.setters = settersOf(definition)
    const entries = Object.entries(registers)
    this.references = entries.flatMap(([field, { reference }]) => (reference === null ? [] : [{ field, kind: reference.kind }]))
    this.sums = entries.flatMap(([name, { group }]) => (group === undefined ? [] : [{ name, group }]))
    this.joins = Object.entries(joins).map(([name, join]) => ({
      ...prepare(`join ${collection}.${name}`, join),
      ...{ name, through: join.through, kind: join.target.kind },
    }))
    this.derived = Object.entries(derived).map(([name, each]) => ({ ...prepare(`derive ${collection}.${name}`, each), name }))
    this.nothing = nothingOf(definition, prepare)
    const { _id, ...rest } = this.nothing
    this.#rest = rest
  }

  readonly blank = (id: string): Fields & StateDoc => ({ _id: id, seq: 0, removed: false, ...this.#rest })

  /** An edge before its first event, which computes its derived fields. */
  blankEdge(id: string, from: string, to: string): Fields {
    const { own = '', other = '' } = this.definition.ends ?? {}
    return { _id: id, [own]: from, [other]: to, ...this.#rest }
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
  // The target was declared before the join, so this ends.
  for (const [name, join] of Object.entries(joins)) nothing[name] = prepare(name, join).compute(nothingOf(join.target, prepare))
  if (ends === null) for (const [name, each] of Object.entries(derived)) nothing[name] = prepare(name, each).compute(nothing)
  return nothing
}

function settersOf(definition: Definition): Record<string, Setter> {
  const versioned = versionedIn(definition)
  const setters: Record<string, Setter> = Object.create(null)
  for (const [field, register] of Object.entries(definition.registers)) {
    const dated = Object.entries(definition.registers).flatMap(([name, { dates }]) =>
      dates?.field === field ? [{ name, by: dates.by }] : [],
    )
    setters[field] = { register, slot: versioned.indexOf(field), owner: register.reference?.owner ?? false, dated, leadsOn: false }
  }
  return setters
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
    for (const view of views) this.of(view.source).views.push({ ...prepare(labelOf(view), view), view })
    for (const layout of this.#byName.values())
      for (const [field, setter] of Object.entries(layout.setters)) setter.leadsOn = this.#leadsOn(layout, field)
  }

  of({ documents: { name } }: Definition): Layout {
    const layout = this.#byName.get(name)
    if (layout === undefined) throw new Error(`"${name}" is not among what the projection keeps`)
    return layout
  }

  /** The state and the edges that events of such an aggregate may change. */
  ofKind(kind: string): Layout[] {
    return [this.state(kind), ...this.edges.filter(({ definition }) => definition.kind === kind)]
  }

  state(kind: string): Layout {
    const layout = this.states.get(kind)
    if (layout === undefined) throw new Error(`the projection keeps no state of a ${kind}`)
    return layout
  }

  /** Whether a view that depends on the field needs more than the documents which every event names. */
  #leadsOn({ definition, views }: Layout, field: string): boolean {
    return views.some(({ view }) => {
      const isThrough = view.type === 'add' && view.through === field
      if (!isThrough && !dependenciesOf(definition, view.reads).registers.has(field)) return false
      if (view.type !== 'add' || definition.ends === null) return true
      const target = this.of(view.target)
      return view.adds.some((sum) => this.#leadsOn(target, sum))
    })
  }
}

const labelOf = (view: View): string =>
  view.type === 'add'
    ? `addTo ${view.target.documents.name} of ${view.source.documents.name}`
    : `${view.type === 'count' ? 'countBy' : 'show'} ${view.source.documents.name} into ${view.into.name}`
