import type { Collection, Doc, IndexQuery, ModelReads, RangeQuery, SearchFilter } from './document-store.js'

/** One read of a model, whichever it is. */
export interface ReadCall {
  method: keyof ModelReads
  collection: Collection
  /** The documents that are asked for. */
  ids?: readonly string[]
  query?: IndexQuery & Partial<RangeQuery>
  atMost?: number | undefined
  /** What is searched for, in this collection or another. */
  filter?: SearchFilter
  among?: readonly string[] | undefined
}

/** Calls `read`. `documentsIn` is empty for ids and counts. */
type AroundRead = <T>(call: ReadCall, read: () => Promise<T>, documentsIn: (found: T) => readonly Doc[]) => Promise<T>

/** The same model, with `around` instead of each of its reads. */
export function aroundReads(view: ModelReads, around: AroundRead): ModelReads {
  const all = (found: readonly Doc[]) => found
  const none = () => []
  return {
    get: (collection, ids) =>
      around(
        { method: 'get', collection, ids },
        () => view.get(collection, ids),
        (found) => found.filter((doc) => doc !== undefined),
      ),
    range: (collection, query) => around({ method: 'range', collection, query }, () => view.range(collection, query), all),
    ids: (collection, query) => around({ method: 'ids', collection, query }, () => view.ids(collection, query), none),
    count: (collection, query, atMost) =>
      around({ method: 'count', collection, query, atMost }, () => view.count(collection, query, atMost), none),
    countMatching: (collection, query, atMost) =>
      around(
        { method: 'countMatching', collection, filter: { collection, query }, atMost },
        () => view.countMatching(collection, query, atMost),
        none,
      ),
    idsMatching: (collection, query, among) =>
      around(
        { method: 'idsMatching', collection, filter: { collection, query }, among },
        () => view.idsMatching(collection, query, among),
        none,
      ),
    rangeMatching: (collection, query, filter, selectivity) =>
      around({ method: 'rangeMatching', collection, query, filter }, () => view.rangeMatching(collection, query, filter, selectivity), all),
  }
}
