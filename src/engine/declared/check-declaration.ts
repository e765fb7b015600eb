/** What cannot hold in any order is refused when it is declared. */
import { didYouMean, nearestWord } from '../../lib/nearest-word.js'
import { type Definition, dependenciesOf, type Join, nameOf, ownersIn, referenceIn } from './definition.js'
import type { CompiledView, Layouts } from './layout.js'
import type { AddView, View } from './views.js'

const RESERVED = ['_id', 'seq', 'removed', 'gaps', 'v', 'people']

export function checkDeclaration(keeps: readonly Definition[], views: readonly View[], layouts: Layouts, kinds: readonly string[]): void {
  for (const definition of keeps) {
    checkFields(definition)
    checkIndexes(definition)
    checkReferences(definition, layouts, kinds)
  }
  for (const view of views) {
    dependenciesOf(view.source, view.reads)
    if (view.type === 'add') checkAddition(view, layouts)
    if (view.type === 'show' && view.into.shows === undefined)
      throw new Error(`"${view.into.name}" must say whose words it shows (shows, [] for none)`)
  }
  for (const { documents, joins } of keeps)
    for (const [name, join] of Object.entries(joins)) checkJoin(`${documents.name}.${name}`, join, views)
  for (const layout of layouts.states.values()) for (const view of layout.views) checkBlank(view, layout.nothing)
}

function checkFields({ documents: { name }, kind, registers, ends, joins, derived }: Definition): void {
  for (const field of [...Object.keys(registers), ...Object.keys(joins), ...Object.keys(derived)])
    if (RESERVED.includes(field) || field === ends?.own || field === ends?.other)
      throw new Error(`${name}: "${field}" is a field that the engine keeps: choose another name`)
  for (const [field, { rule, dates, reference }] of Object.entries(registers)) {
    if (rule === 'sum' && ends !== null)
      throw new Error(`${name}: events cannot add to "${field}" of an edge, whose sequences are not kept`)
    if (reference?.owner && kind === 'creator') throw new Error(`${name}: "${field}" cannot own a creator, who belongs to nobody else`)
    if (reference?.owner && ends !== null) throw new Error(`${name}: "${field}" cannot own an edge, which goes with its ends`)
    if (dates !== undefined && !['latest', 'first', 'best'].includes(registers[dates.field]?.rule ?? ''))
      throw new Error(`${name}: "${field}" dates "${dates.field}", which no event sets`)
  }
}

/** Before all else: what is found by its name would be another one. */
export function checkNames(keeps: readonly Definition[], events: readonly { name: string }[]): void {
  const again = repeated(keeps.map(nameOf))
  if (again !== undefined) throw new Error(`two states or edges are called "${again}": give one of them another name`)
  const event = repeated(events.map(({ name }) => name))
  if (event !== undefined) throw new Error(`two of its events are called "${event}"`)
}

const repeated = (names: readonly string[]): string | undefined => names.find((name, i) => names.indexOf(name) < i)

/** By a field that does not exist nothing would be found. */
function checkIndexes(definition: Definition): void {
  const { name, indexes } = definition.documents
  dependenciesOf(
    definition,
    indexes.flatMap(({ fields }) => fields),
  )
  const twice = indexes.find((index) => indexes.some((other) => other !== index && other.name === index.name))
  if (twice !== undefined) throw new Error(`${name} has two indexes "${twice.name}"`)
}

/** `kinds`: the aggregates that events are about. */
function checkReferences(definition: Definition, layouts: Layouts, kinds: readonly string[]): void {
  const { joins, derived, ends, kind } = definition
  if (ends !== null) layouts.state(kind)
  for (const { reference } of Object.values(definition.registers))
    if (reference !== null && !kinds.includes(reference.kind))
      throw new Error(
        `${nameOf(definition)} refers to a "${reference.kind}", which no event is about${didYouMean(nearestWord(reference.kind, kinds))}`,
      )
  for (const { reads } of Object.values(derived)) dependenciesOf(definition, reads)
  for (const [name, { through, target, reads }] of Object.entries(joins)) {
    dependenciesOf(layouts.of(target).definition, reads)
    if (definition.registers[through]?.reference?.kind !== target.kind)
      throw new Error(`${definition.documents.name}.${name}: "${through}" does not refer to a ${target.kind}`)
  }
}

const MAX_DEPTH = 2

/** A fan-out goes two documents far, and it does not begin where a view has changed a sum. */
function checkJoin(name: string, join: Join, views: readonly View[]): void {
  if (depthOf(join) > MAX_DEPTH)
    throw new Error(`${name} joins what joins something else or belongs to a person in turn: at most two documents far`)
  const { target, reads } = join
  const added = views.flatMap((view) => (view.type === 'add' && view.target.documents.name === target.documents.name ? view.adds : []))
  const sum = [...dependenciesOf(target, reads).registers].find((field) => added.includes(field))
  if (sum !== undefined)
    throw new Error(`${name} reads "${sum}" of ${target.documents.name}, which a view adds to: a join cannot follow it`)
}

/** What belongs to a person goes with them, which is one document further. */
function depthOf({ target, reads }: Join): number {
  const joins = [...dependenciesOf(target, reads).joins].flatMap((name) => target.joins[name] ?? [])
  return 1 + Math.max(ownersIn(target).length > 0 ? 1 : 0, ...joins.map(depthOf))
}

function checkAddition({ source, through, target, adds }: AddView, layouts: Layouts): void {
  const { registers } = layouts.of(target).definition
  const name = `addTo ${target.documents.name} of ${source.documents.name}`
  if (referenceIn(layouts.of(source).definition, through) !== target.kind)
    throw new Error(`${name}: "${through}" does not refer to a ${target.kind}`)
  const other = adds.find((field) => registers[field]?.group === undefined)
  if (other !== undefined) throw new Error(`${name}: "${other}" is neither a sum nor a total`)
}

/** A sum that depends on itself would never settle. */
export function checkCycles(views: readonly View[]): void {
  const additions = views.filter((view) => view.type === 'add')
  const nameOf = ({ documents }: Definition, field: string) => `${documents.name}.${field}`
  const visit = (sum: string, path: readonly string[]): void => {
    if (path.includes(sum)) throw new Error(`sums must not depend on themselves: ${[...path.slice(path.indexOf(sum)), sum].join(' → ')}`)
    for (const { source, reads, target, adds } of additions)
      if ([...dependenciesOf(source, reads).registers].some((field) => nameOf(source, field) === sum))
        for (const field of adds) visit(nameOf(target, field), [...path, sum])
  }
  for (const { target, adds } of additions) for (const field of adds) visit(nameOf(target, field), [])
}

/** A document may come to be by a reference alone, and go again: it must not count before something is known of it. */
function checkBlank({ view, label, compute }: CompiledView, nothing: Parameters<CompiledView['compute']>[0]): void {
  if (view.type === 'add') return
  const shown = compute(nothing)
  const isEmpty = view.type === 'count' ? Array.isArray(shown) && shown.length === 0 : shown === null
  if (!isEmpty) throw new Error(`${label} must show nothing of a document of which nothing is known: read a field that is null then`)
}
