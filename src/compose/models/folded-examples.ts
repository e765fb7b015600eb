/** Folds examples in memory, with their fan-outs, to see what they leave. */
import type { EventFanOut, Projection } from '../../engine/definition/projection.js'
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
