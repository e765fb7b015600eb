import { DEAD_LETTER_COLLECTIONS } from '../../engine/definition/dead-letter-collections.js'
import type { Projection } from '../../engine/definition/projection.js'
import { didYouMean, nearestWord } from '../../lib/nearest-word.js'
import { ModelsError } from './define-models.js'

const NAME = /^[a-z][a-z0-9-]{1,40}$/
const COLLECTION = /^[a-z][A-Za-z0-9]{0,30}$/

/** What a declaration cannot say by itself: its names, within those of others. */
export function checkOwnProjection(namespace: string, { name, on, state, collections, events, strict }: Projection): void {
  if (!NAME.test(name) || (name !== namespace && !name.startsWith(`${namespace}-`)))
    throw new ModelsError(`a projection is called "${namespace}" or "${namespace}-…", not "${name}"`)
  if (strict === undefined) throw new ModelsError(`"${name}" is folded by hand: declare it with declared()`)
  const event = Object.keys(on).find((each) => events.get(each) === undefined)
  if (event !== undefined)
    throw new ModelsError(
      `"${name}" handles "${event}", which is no event type${didYouMean(nearestWord(event, events.names))}: its "events" lists those of yours`,
    )
  const kind = Object.keys(state).find((each) => !events.aggregates.includes(each))
  if (kind !== undefined)
    throw new ModelsError(`"${name}" keeps a "${kind}", which no event is about${didYouMean(nearestWord(kind, events.aggregates))}`)
  const names = collections.map((collection) => collection.name)
  const taken = DEAD_LETTER_COLLECTIONS.map((collection) => collection.name)
  for (const collection of names) {
    if (!COLLECTION.test(collection)) throw new ModelsError(`"${collection}" of "${name}" is no name of a collection, such as "beds"`)
    if (taken.includes(collection)) throw new ModelsError(`the engine keeps a collection "${collection}" itself: call yours otherwise`)
    if (names.filter((other) => other === collection).length > 1)
      throw new ModelsError(`"${name}" has two collections called "${collection}"`)
  }
}
