/** Folds examples in memory, with their fan-outs, to see what they leave. */

import { exampleOf } from '../../../content/event-examples.js'
import { exampleEvent } from '../../engine/declared/check-declaration.js'
import { type EventFanOut, type Projection, strict } from '../../engine/definition/projection.js'
import type { AnyEvent } from '../../events/index.js'
import { type Collection, type Doc, findIndex, indexEntries } from '../../ports/collection.js'
import type { IndexQuery } from '../../ports/document-store.js'

export class MemoryDocs {
  readonly #collections = new Map<string, Map<string, Doc>>()

  get<D extends Doc>({ name }: Collection<D>, id: string): D | undefined {
    // Only documents of a collection are put into it.
    return this.#collections.get(name)?.get(id) as D | undefined
  }

  put<D extends Doc>({ name }: Collection<D>, doc: D): void {
    this.#collections.set(name, (this.#collections.get(name) ?? new Map()).set(doc._id, doc))
  }

  delete<D extends Doc>({ name }: Collection<D>, id: string): void {
    this.#collections.get(name)?.delete(id)
  }

  /** By their ids. */
  all({ name }: Collection): Doc[] {
    return [...(this.#collections.get(name)?.values() ?? [])].sort((a, b) => (a._id < b._id ? -1 : 1))
  }

  find(collection: Collection, query: IndexQuery | null): Doc[] {
    if (query === null) return []
    const { equals, startsWith = '' } = query
    const index = query.index === '_id' ? null : findIndex(collection, query.index)
    return this.all(collection).filter((doc) =>
      (index === null ? [[doc._id]] : indexEntries(index, doc)).some(
        (entry) => equals.every((value, i) => entry[i] === value) && String(entry[equals.length] ?? '').startsWith(startsWith),
      ),
    )
  }
}

export function foldInto(docs: MemoryDocs, { on }: Projection, event: AnyEvent): void {
  const fold = on[event.name]
  if (fold === undefined) return
  fold.apply(event, docs, false)
  if (fold.mayFanOut?.(event) !== false) for (const step of fold.fanOut ?? []) fanOut(docs, step, event)
}

function fanOut(docs: MemoryDocs, { collection, through, where, each }: EventFanOut<AnyEvent>, event: AnyEvent): void {
  const outers = through === null ? [undefined] : docs.find(through.collection, through.where(event, docs))
  for (const outer of outers) for (const member of docs.find(collection, where(event, docs, outer))) each(event, member, docs)
}

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
