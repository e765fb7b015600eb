import type { Operation } from '../../contract/operation.js'
import { type Projection, readWith } from '../../engine/definition/projection.js'
import { builtInEvents, type EventTypes } from '../../events/index.js'
import type { StateLocation } from '../../operations/tombstones.js'
import { BUILT_IN } from './built-in.js'
import { checkOwnModels } from './check-own-models.js'
import { checkPublicReads } from './check-own-reads.js'
import type { OwnModels } from './define-models.js'
import { exampleDocuments } from './folded-examples.js'
import { publicRead } from './own-reads.js'

/** The projection that folds a model, and the public reads it serves. */
export interface Model {
  /** Null if another model's projection folds it in its own commit. */
  projection: Projection | null
  reads: readonly Operation[]
}

/** All models of an installation: ours, and those that its configuration names. Made at the start of a process and passed down. */
export interface ModelSet {
  projections: readonly Projection[]
  /** REST, batch, MCP and every published description are made from this list, in this order. */
  reads: readonly Operation[]
  /** The names of all projections. */
  names: readonly string[]
  /** Those of ours. */
  builtIn: readonly string[]
  /** The models that any public read reads. */
  readModels: readonly string[]
  /** The models that a process needs to be ready: ours, and custom ones that any public read reads. */
  requiredModels: readonly string[]
  /** Where each model keeps its creators and creations, and so their tombstones. */
  stateLocations: readonly StateLocation[]
  events: EventTypes
  own: readonly OwnModels[]
}

/** Throws a `ModelsError` if custom models break a rule. */
export function modelSet(own: readonly OwnModels[] = []): ModelSet {
  const builtIn = BUILT_IN.flatMap(({ projection }) => projection?.name ?? [])
  checkOwnModels(own, builtIn)
  const events = builtInEvents.with(own.flatMap((models) => models.events))
  const all: readonly Model[] = [...BUILT_IN, ...own.flatMap(asModels)]
  const projections = all.flatMap(({ projection }) => (projection === null ? [] : [readWith(projection, events)]))
  const reads = all.flatMap(({ reads }) => reads)
  checkPublicReads(reads)
  const names = projections.map(({ name }) => name)
  const readModels = [...new Set(reads.flatMap(({ models }) => models))]
  return {
    projections,
    reads,
    names,
    builtIn,
    readModels,
    requiredModels: names.filter((name) => builtIn.includes(name) || readModels.includes(name)),
    stateLocations: projections.flatMap((projection) => statesOf(projection, !builtIn.includes(projection.name))),
    events,
    own,
  }
}

const asModels = (own: OwnModels): Model[] =>
  own.models.map(({ projection, reads = [] }) => {
    const examples = exampleDocuments(projection)
    return { projection, reads: reads.map((read) => publicRead(own, projection.name, read, examples)) }
  })

const statesOf = ({ name, state: { creator, creation } }: Projection, own: boolean): StateLocation[] =>
  [creator, creation].flatMap((state) => (state === undefined ? [] : [{ model: name, collection: state.collection, own }]))
