import type { DocumentStore, ModelView, Reads, SearchReads, Snapshot, SnapshotOptions } from '../ports/document-store.js'
import type { Tracer } from './tracing.js'

/** The same store, with a step in the trace for everything a reader asks of it. Only worth its cost while somebody traces. */
export function tracedStore(store: DocumentStore, tracer: Tracer): DocumentStore {
  const snapshot = async (projections: readonly string[], options?: SnapshotOptions): Promise<Snapshot> => {
    const taken = await tracer.span('store snapshot', { 'vitrine.models': projections.join(',') }, () =>
      store.snapshot(projections, options),
    )
    return { model: (name) => tracedView(taken.model(name), tracer), release: () => taken.release() }
  }
  return overlay(store, { snapshot })
}

function tracedView(view: ModelView, tracer: Tracer): ModelView {
  const step = <T>(kind: string, collection: { name: string }, work: () => Promise<T>): Promise<T> =>
    tracer.span(`store ${kind}`, { 'vitrine.collection': collection.name, 'vitrine.generation': view.generation.number }, work)
  const reads: Reads & SearchReads = {
    get: (collection, ids) => step('get', collection, () => view.get(collection, ids)),
    range: (collection, query) => step('range', collection, () => view.range(collection, query)),
    ids: (collection, query) => step('ids', collection, () => view.ids(collection, query)),
    count: (collection, query, atMost) => step('count', collection, () => view.count(collection, query, atMost)),
    countMatching: (collection, query) => step('countWith', collection, () => view.countMatching(collection, query)),
    idsMatching: (collection, query, limit) => step('idsWith', collection, () => view.idsMatching(collection, query, limit)),
    getMatching: (collection, filter) => step('getWith', collection, () => view.getMatching(collection, filter)),
    rangeMatching: (collection, query, filter, selectivity) =>
      step('rangeWith', collection, () => view.rangeMatching(collection, query, filter, selectivity)),
  }
  return overlay(view, reads)
}

/** Everything of the first but what the second has. Methods keep their object: adapters use private fields. */
function overlay<T extends object>(under: T, over: Partial<T>): T {
  return new Proxy(under, {
    get(target, key) {
      if (Object.hasOwn(over, key)) return Reflect.get(over, key)
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
