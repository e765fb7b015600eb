import { isAsyncFunction } from 'node:util/types'
import { DEAD_LETTER_COLLECTIONS } from '../../engine/definition/dead-letter-collections.js'
import type { Projection } from '../../engine/definition/projection.js'
import { builtInEvents, type EventType, type OwnEvent } from '../../events/index.js'
import { didYouMean, nearestWord } from '../../lib/nearest-word.js'
import type { Collection } from '../../ports/document-store.js'
import { ModelsError } from './define-models.js'
import { mayHoldIds } from './schema-fields.js'

const NAME = /^[a-z][a-z0-9-]{1,40}$/
const COLLECTION = /^[a-z][A-Za-z0-9]{0,30}$/

export function checkOwnProjection(namespace: string, projection: Projection, events: readonly OwnEvent[]): void {
  const { name, version, on, onArrival, ownEvents } = projection
  if (!NAME.test(name) || (name !== namespace && !name.startsWith(`${namespace}-`)))
    throw new ModelsError(`a projection is called "${namespace}" or "${namespace}-…", not "${name}"`)
  if (!Number.isInteger(version) || version < 1) throw new ModelsError(`the version of "${name}" must be a whole number from 1`)
  if (onArrival !== undefined) throw new ModelsError(`"${name}" has "onArrival", which is for our own check of sequences`)
  for (const event of ownEvents)
    if (!events.includes(event)) throw new ModelsError(`"${name}" uses the event type "${event.name}", which defineModels() does not list`)
  const types = builtInEvents.with(events)
  const handled = Object.keys(on).map((event): [string, EventType] => {
    const type = types.get(event)
    if (type === undefined)
      throw new ModelsError(`"${name}" handles "${event}", which is no event type${didYouMean(nearestWord(event, types.names))}`)
    return [event, type]
  })
  // TypeScript is only stripped of its types here, so the compiler may never have seen it.
  for (const [event, { apply }] of Object.entries(on))
    if (isAsyncFunction(apply)) throw new ModelsError(`"${name}" folds "${event}" with an async function: apply must not be async`)
  checkState(projection, handled, types.aggregates)
  checkCollections(projection)
  checkErasure(projection, handled)
}

/** Without the state of an aggregate nothing tells a duplicate from a new event. */
function checkState({ name, state }: Projection, handled: readonly [string, EventType][], aggregates: readonly string[]): void {
  for (const [event, { aggregate }] of handled)
    if (state[aggregate] === undefined)
      throw new ModelsError(`"${name}" handles "${event}" but keeps no state of a ${aggregate}: state: { ${aggregate}: stateIn(…) }`)
  const unknown = Object.keys(state).find((kind) => !aggregates.includes(kind))
  if (unknown !== undefined) throw new ModelsError(`"${name}" keeps the state of "${unknown}", which no event type is about`)
}

function checkCollections({ name, collections, state }: Projection): void {
  const names = collections.map((collection) => collection.name)
  const taken = DEAD_LETTER_COLLECTIONS.map((collection) => collection.name)
  for (const collection of names) {
    if (!COLLECTION.test(collection)) throw new ModelsError(`"${collection}" of "${name}" is no name of a collection, such as "beds"`)
    if (taken.includes(collection)) throw new ModelsError(`the engine keeps a collection "${collection}" itself: call yours otherwise`)
    if (names.filter((other) => other === collection).length > 1)
      throw new ModelsError(`"${name}" has two collections called "${collection}"`)
  }
  for (const { collection } of Object.values(state))
    if (!collections.includes(collection))
      throw new ModelsError(`"${name}" keeps state in "${collection.name}", which is not among its collections`)
  for (const collection of collections) checkShows(name, collection)
}

/** By a field that does not exist no person is found, and what was kept of them would stay. */
function checkShows(projection: string, { name, schema, shows = [] }: Collection): void {
  const wrong = shows.map((shown) => (typeof shown === 'string' ? shown : shown.id)).find((field) => !mayHoldIds(schema, field))
  if (wrong !== undefined)
    throw new ModelsError(
      `"${name}" of "${projection}" shows words of whom "${wrong}" names, but has no such field with an id or a list of ids`,
    )
}

/** Erasure has to reach every model, and every answer that was kept. */
function checkErasure({ name, on, state, collections }: Projection, handled: readonly [string, EventType][]): void {
  const personal = handled.find(([, { people }]) => 'sameAs' in people || people.length > 0)
  if (personal === undefined) return
  const because = `it handles "${personal[0]}", which holds data of people`
  if (on['creator.removed'] === undefined || state.creator === undefined)
    throw new ModelsError(`"${name}" must handle "creator.removed" and keep the state of creators: ${because}`)
  const silent = collections.find(({ shows }) => shows === undefined)
  if (silent !== undefined)
    throw new ModelsError(
      `"${silent.name}" of "${name}" must say which of its fields are ids of people whose words it shows (shows, [] for none): ${because}`,
    )
}
