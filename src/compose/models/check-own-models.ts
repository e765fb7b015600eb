/** The rules for custom models. A set that breaks one is refused when the process starts, in a line that says what to do. */

import { z } from 'zod'
import { DEAD_LETTER_COLLECTIONS } from '../../engine/definition/dead-letter-collections.js'
import { type Projection, readWith } from '../../engine/definition/projection.js'
import { AGGREGATES, aggregateIn, builtInEvents, leavesOf, namesPeople, type OwnEvent } from '../../events/index.js'
import { errorMessage } from '../../lib/message-text.js'
import { didYouMean, nearestWord } from '../../lib/nearest-word.js'
import { checkErasure } from './check-erasure.js'
import { checkOwnRead } from './check-own-reads.js'
import { firstIssue, ModelsError, type OwnModels } from './define-models.js'
import { exampleDocuments } from './folded-examples.js'

const NAMESPACE = /^[a-z][a-z0-9]{1,30}$/

export function checkOwnModels(all: readonly OwnModels[], builtIn: readonly string[]): void {
  for (const models of all) inNamespace(models.namespace, () => checkModels(models, all, builtIn))
}

function checkModels(models: OwnModels, all: readonly OwnModels[], builtIn: readonly string[]): void {
  checkNamespace(models, all)
  checkOwnEvents(models.events)
  const names = { own: namesIn(models), all: [...builtIn, ...all.flatMap(namesIn)] }
  const types = builtInEvents.with(models.events)
  for (const { projection, reads = [] } of models.models) {
    checkOwnProjection(models.namespace, projection)
    if (names.all.filter((name) => name === projection.name).length > 1) throw new ModelsError(`two models are called "${projection.name}"`)
    const examples = exampleDocuments(projection)
    // Another model may list the event type that says whose words these are.
    checkErasure(readWith(projection, types))
    for (const read of reads) checkOwnRead(models.namespace, projection.name, read, names, examples)
  }
}

const namesIn = ({ models }: OwnModels): string[] => models.map(({ projection }) => projection.name)

/** Names the models that a rule was broken in. */
function inNamespace(namespace: string, rule: () => void): void {
  try {
    rule()
  } catch (error) {
    // They may be written without types.
    const reason = error instanceof ModelsError ? error.message : `cannot be used as they are: ${errorMessage(error)}`
    throw new ModelsError(`models "${namespace}": ${reason}`, { cause: error })
  }
}

function checkNamespace({ namespace, events, models }: OwnModels, all: readonly OwnModels[]): void {
  if (!NAMESPACE.test(namespace)) throw new ModelsError('a namespace is 2 to 31 lower-case letters and digits, beginning with a letter')
  if (models.length === 0) throw new ModelsError('there are none: defineModels({ models: [{ projection, reads }] })')
  const others = all.filter((other) => other.events !== events)
  if (all.filter((other) => other.namespace === namespace).length > 1) throw new ModelsError('the namespace is used twice')
  for (const { name } of events) {
    const aggregate = aggregateIn(name)
    if (AGGREGATES.some((ours) => ours === aggregate))
      throw new ModelsError(`"${name}" is about a ${aggregate}, which is ours: event types of your own need an aggregate of your own`)
    if (others.some((other) => other.events.some((event) => aggregateIn(event.name) === aggregate)))
      throw new ModelsError(`other models have events about a ${aggregate}, too`)
  }
}

const PROJECTION_NAME = /^[a-z][a-z0-9-]{1,40}$/
const COLLECTION = /^[a-z][A-Za-z0-9]{0,30}$/

/** What a declaration cannot say by itself: its names, within those of others. */
function checkOwnProjection(namespace: string, { name, on, state, collections, events, strict }: Projection): void {
  if (!PROJECTION_NAME.test(name) || (name !== namespace && !name.startsWith(`${namespace}-`)))
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

const EVENT_NAME = /^[a-z]{2,30}\.[a-z][a-z0-9_]{1,40}$/
/** What redacted events are called in the log. */
const RESERVED = 'vitrine'

function checkOwnEvents(events: readonly OwnEvent[]): void {
  for (const event of events) {
    if (!EVENT_NAME.test(event.name) || event.aggregate === RESERVED)
      throw new ModelsError(`"${event.name}" is no name of an event type, such as "garden.planted"`)
    if (events.filter(({ name }) => name === event.name).length > 1) throw new ModelsError(`two event types are called "${event.name}"`)
    checkVersions(event)
    checkExample(event)
    checkWords(event)
    checkPeople(event, events)
  }
}

function checkVersions({ name, version, older, schema }: OwnEvent): void {
  if (!Number.isInteger(version) || version < 1) throw new ModelsError(`the version of "${name}" must be a whole number from 1`)
  for (let v = 1; v < version; v++)
    if (older[v] === undefined) throw new ModelsError(`"${name}" has version ${version}, but nothing turns version ${v} into ${v + 1}`)
  checkSchema(name, schema)
  for (const [v, each] of Object.entries(older)) checkSchema(`${name}.v${v}`, each.schema)
}

function checkSchema(name: string, schema: z.ZodType): void {
  try {
    z.toJSONSchema(schema, { io: 'input', target: 'draft-07' })
  } catch (error) {
    throw new ModelsError(`the schema of "${name}" has no form in JSON Schema, which AsyncAPI needs: ${errorMessage(error)}`)
  }
}

function checkExample({ name, aggregate, schema, key, example }: OwnEvent): void {
  const parsed = schema.safeParse(example)
  if (!parsed.success) throw new ModelsError(`the example of "${name}" does not match its schema: ${firstIssue(parsed.error)}`)
  const { [key]: id } = example
  if (id === undefined)
    throw new ModelsError(`"${name}" has no "${key}": events about a ${aggregate} say which one (${key}: id), or name another field (key)`)
  if (typeof id !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(id))
    throw new ModelsError(`"${key}" of "${name}" must be an id of 1 to 64 letters, digits, "_" or "-"`)
}

/** Redaction must find every word, and every person. */
function checkWords({ name, key, schema }: OwnEvent): void {
  for (const { path, mark } of leavesOf(schema)) {
    if (mark === 'unclear' && path !== key)
      throw new ModelsError(
        `"${path}" of "${name}" may hold words of people: make it text(…) or words(…), an id (id, CreationId, CreatorId), or a choice (z.enum)`,
      )
    if (mark === 'person' && path.includes('.'))
      throw new ModelsError(`"${path}" of "${name}" names a person within an object or a record: put it beside the others`)
  }
}

function checkPeople(event: OwnEvent, events: readonly OwnEvent[]): void {
  const { name, aggregate, people, redact } = event
  const naming = events.filter((other) => other.aggregate === aggregate && namesPeople(other)).map((other) => other.name)
  if ('sameAs' in people && !naming.includes(people.sameAs))
    throw new ModelsError(
      `"${name}" holds words of whom "${people.sameAs}" names: no event type of a ${aggregate} with this name names people`,
    )
  if (redact !== null && !('sameAs' in people) && !namesPeople(event) && naming.length > 1)
    throw new ModelsError(`"${name}" has words, and ${naming.join(' and ')} name people: say whose they are (sameAs: '${naming[0]}')`)
}
