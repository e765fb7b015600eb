import { exampleOf } from '../../../content/event-examples.js'
import { exampleEvent } from '../../engine/declared/check-declaration.js'
import { type Projection, strict } from '../../engine/definition/projection.js'
import type { Collection, Doc } from '../../ports/document-store.js'
import { MemoryDocs } from './folded-examples.js'

export interface Example {
  input: Record<string, unknown>
  output: unknown
}

/** What the examples of the events leave: a document of a collection. */
export type ExampleDocuments = (collection: Collection) => Doc | undefined

/** Folds the examples of all events that a projection handles, with functions that get only what they name. */
export function exampleDocuments(projection: Projection): ExampleDocuments {
  const docs = new ExampleDocs()
  const { on } = strict(projection)
  const sequences = new Map<string, number>()
  for (const [name, fold] of Object.entries(on)) {
    const type = projection.events.get(name)
    if (type === undefined || isRemoval(name)) continue
    const event = exampleEvent({ ...type, name }, type.schema.parse(type.example ?? exampleOf(`${name}.v${type.version}`)))
    const sequence = (sequences.get(event.aggregate) ?? 0) + 1
    sequences.set(event.aggregate, sequence)
    fold.apply({ ...event, sequence }, docs, false)
  }
  return ({ name }) => docs.fullest.get(name)
}

const isRemoval = (name: string): boolean => name.endsWith('.removed')

class ExampleDocs extends MemoryDocs {
  /** By collection, the one that shows most, also if a later event took it away. */
  readonly fullest = new Map<string, Doc>()

  override put<D extends Doc>(collection: Collection<D>, doc: D): void {
    super.put(collection, doc)
    const { name } = collection
    if (JSON.stringify(doc).length > JSON.stringify(this.fullest.get(name) ?? '').length) this.fullest.set(name, doc)
  }
}
