/** The rules for custom models. A set that breaks one is refused when the process starts, in a line that says what to do. */
import { readWith } from '../../engine/definition/projection.js'
import { AGGREGATES, aggregateIn, builtInEvents } from '../../events/index.js'
import { errorMessage } from '../../lib/message-text.js'
import { checkErasure } from './check-erasure.js'
import { checkOwnEvents } from './check-own-events.js'
import { checkOwnProjection } from './check-own-projections.js'
import { checkOwnRead } from './check-own-reads.js'
import { ModelsError, type OwnModels } from './define-models.js'
import { exampleDocuments } from './example-documents.js'

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
