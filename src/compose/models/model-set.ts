import type { Operation } from '../../contract/operation.js'
import { type Projection, readWith } from '../../engine/definition/projection.js'
import { builtInEvents, type EventTypes } from '../../events/index.js'
import type { StateLocation } from '../../operations/tombstones.js'
import { BUILT_IN } from './built-in.js'
import { checkOwnModels } from './check-own-models.js'
import { checkPublicReads } from './check-own-reads.js'
import type { OwnModels } from './define-models.js'
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
  /** The models that any public read reads. */
  readModels: readonly string[]
  /** Where each model keeps its creators and creations, and so their tombstones. */
  stateLocations: readonly StateLocation[]
  events: EventTypes
  own: readonly OwnModels[]
}

/** Throws a `ModelsError` if own models break a rule. */
export function modelSet(own: readonly OwnModels[] = []): ModelSet {
  checkOwnModels(
    own,
    BUILT_IN.flatMap(({ projection }) => projection?.name ?? []),
  )
  const events = builtInEvents.with(own.flatMap((models) => models.events))
  const all: readonly Model[] = [...BUILT_IN, ...own.flatMap(asModels)]
  const projections = all.flatMap(({ projection }) => (projection === null ? [] : [readWith(projection, events)]))
  const reads = all.flatMap(({ reads }) => reads)
  checkPublicReads(reads)
  return {
    projections,
    reads,
    names: projections.map(({ name }) => name),
    readModels: [...new Set(reads.flatMap(({ models }) => models))],
    stateLocations: projections.flatMap(statesOf),
    events,
    own,
  }
}

const asModels = ({ namespace, models }: OwnModels): Model[] =>
  models.map(({ projection, reads = [] }) => ({ projection, reads: reads.map((read) => publicRead(namespace, projection.name, read)) }))

const statesOf = ({ name, state: { creator, creation } }: Projection): StateLocation[] =>
  [creator, creation].flatMap((state) => (state === undefined ? [] : [{ model: name, collection: state.collection }]))
