import { documentTag, indexTag } from '../../invalidation/cache-tags.js'
import type {
  Collection,
  Doc,
  IndexQuery,
  ModelReads,
  RangeQuery,
  SearchFilter,
  SearchQuery,
  Selectivity,
} from '../../ports/document-store.js'

/** The cache tags of everything that one answer was read from. */
export class ReadDependencies {
  readonly #tags = new Set<number>()

  get tags(): Uint32Array {
    return Uint32Array.from(this.#tags)
  }

  /** The same model; reads through it add their tags here. */
  track(view: ModelReads): ModelReads {
    const tags = this.#tags
    const tagDocuments = async <D extends Doc>(collection: Collection<D>, reading: Promise<D[]>): Promise<D[]> => {
      const found = await reading
      for (const { _id } of found) tags.add(documentTag(collection, _id))
      return found
    }
    return {
      get<D extends Doc>(collection: Collection<D>, ids: readonly string[]) {
        for (const id of ids) tags.add(documentTag(collection, id))
        return view.get(collection, ids)
      },
      range<D extends Doc>(collection: Collection<D>, query: RangeQuery) {
        tags.add(indexTag(collection, query))
        return tagDocuments(collection, view.range(collection, query))
      },
      ids(collection: Collection, query: RangeQuery) {
        tags.add(indexTag(collection, query))
        return view.ids(collection, query)
      },
      count(collection: Collection, query: IndexQuery, atMost?: number) {
        tags.add(indexTag(collection, query))
        return view.count(collection, query, atMost)
      },
      countMatching(collection: Collection, query: SearchQuery) {
        tags.add(wordsTag(collection, query))
        return view.countMatching(collection, query)
      },
      idsMatching(collection: Collection, query: SearchQuery, among?: readonly string[]) {
        tags.add(wordsTag(collection, query))
        return view.idsMatching(collection, query, among)
      },
      getMatching<D extends Doc>(collection: Collection<D>, filter: SearchFilter) {
        tags.add(wordsTag(filter.collection, filter.query))
        return tagDocuments(collection, view.getMatching(collection, filter))
      },
      rangeMatching<D extends Doc>(collection: Collection<D>, query: RangeQuery, filter: SearchFilter, selectivity: Selectivity) {
        tags.add(indexTag(collection, query)).add(wordsTag(filter.collection, filter.query))
        return tagDocuments(collection, view.rangeMatching(collection, query, filter, selectivity))
      },
    }
  }
}

/** Every match is listed under the first term. A prefix alone may match any term. */
const wordsTag = (collection: Collection, { index, terms }: SearchQuery): number =>
  indexTag(collection, { index, equals: terms.slice(0, 1) })
