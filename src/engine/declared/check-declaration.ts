/** What cannot hold in any order is refused when it is declared. */
import type { z } from 'zod'
import { type AnyEvent, builtInEvents, type OwnEvent, START } from '../../events/index.js'
import { errorMessage } from '../../lib/message-text.js'
import { didYouMean, nearestWord } from '../../lib/nearest-word.js'
import { type Change, type Definition, dependenciesOf, type Join, nameOf, ownersIn, referenceIn } from './definition.js'
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

export function checkTotals({ documents: { name }, registers }: Definition, views: readonly View[]): void {
  const added = views.flatMap((view) => (view.type === 'add' && view.target.documents.name === name ? view.adds : []))
  const never = Object.keys(registers).find((field) => registers[field]?.rule === 'total' && !added.includes(field))
  if (never !== undefined) throw new Error(`${name}: no view adds to the total "${never}": name it in an addTo() among the "views"`)
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

type Says = Readonly<Record<string, ((event: AnyEvent) => unknown) | undefined>>

/** What events of custom types say, tried with their examples: types may never have been checked there. */
export function checkExamples(events: readonly OwnEvent[], on: Says, layouts: Layouts): void {
  const types = builtInEvents.with(events)
  for (const type of events) {
    const data = type.schema.safeParse(type.example)
    // One that does not match is refused with its event type.
    if (!data.success) continue
    const check = (data: unknown) => {
      const event = exampleEvent(type, data)
      const said = naming(
        (message) => `on ${type.name}: ${message}`,
        () => on[type.name]?.(event),
      )
      for (const change of changesIn(type.name, said)) checkChange(event, change, layouts, types.peopleIn(event))
    }
    check(data.data)
    for (const field of Object.keys(type.example)) {
      const without = type.schema.safeParse({ ...type.example, [field]: undefined })
      if (without.success)
        naming(
          (message) => `${message} (without "${field}")`,
          () => check(without.data),
        )
    }
  }
}

function naming<T>(named: (message: string) => string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new Error(named(errorMessage(error)), { cause: error })
  }
}

/** What was expected. */
const messageOf = ({ issues: [issue] }: z.ZodError): string => issue?.message ?? 'it is not valid'

/** The first of its aggregate. */
export function exampleEvent({ name, aggregate: kind, key: field }: Pick<OwnEvent, 'name' | 'aggregate' | 'key'>, data: unknown): AnyEvent {
  const key = String(Object(data)[field])
  return { name, id: name, aggregate: `${kind}/${key}`, kind, key, sequence: 1, position: START, time: Date.UTC(2026, 2, 2, 9, 15), data }
}

function changesIn(event: string, said: unknown): Change[] {
  const changes: unknown[] = [said ?? []].flat()
  const isChange = (each: unknown): each is Change => typeof each === 'object' && each !== null && 'patch' in each
  if (!changes.every(isChange)) throw new Error(`on ${event}: must return what a state or an edge makes of it, and no promise`)
  return changes
}

function checkChange({ name: event, kind }: AnyEvent, { to, other, patch }: Change, layouts: Layouts, people: readonly string[]): void {
  if (to.kind !== kind) throw new Error(`on ${event}: says something of a ${to.kind}, but is about a ${kind}: add to others by a view`)
  const { setters, owners, collection, definition } = layouts.of(to)
  const fields = patch === 'removed' ? {} : patch
  for (const [field, value] of Object.entries(fields)) {
    const setter = setters[field]
    if (setter === undefined)
      throw new Error(
        `on ${event}: ${collection.name} has no field "${field}" that events set${didYouMean(nearestWord(field, Object.keys(setters)))}`,
      )
    // Erasure would not find it.
    if (!setter.owner && people.some((id) => id === value))
      throw new Error(
        `on ${event}: "${field}" of ${collection.name} holds the id of a person: make it first(person) if the document goes with them; of somebody it only mentions keep an edge()`,
      )
    const parsed = value === undefined || setter.slot < 0 ? undefined : setter.register.schema.safeParse(value)
    if (parsed?.success === false)
      throw new Error(`on ${event}: "${field}" of ${collection.name} cannot be ${JSON.stringify(value)}: ${messageOf(parsed.error)}`)
  }
  const named = [...owners.map((field) => fields[field]), definition.ends?.kind === 'creator' ? other : null]
  const unsaid = named.find((id) => typeof id === 'string' && !people.includes(id))
  // Otherwise their words would stay in the log.
  if (unsaid !== undefined) throw new Error(`on ${event}: "${unsaid}" is a person: make that field of its schema a CreatorId`)
}
