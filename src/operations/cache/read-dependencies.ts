import { documentTag, indexTag } from '../../invalidation/cache-tags.js'
import type {
  Collection,
  Doc,
  IndexQuery,
  ModelView,
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
  track(view: ModelView): ModelView {
    const tags = this.#tags
    return {
      generation: view.generation,
      checkpoint: view.checkpoint,
      invalidationLog: view.invalidationLog,
      // Not part of any answer.
      indexFaults: (collection) => view.indexFaults(collection),
      get<D extends Doc>(collection: Collection<D>, ids: readonly string[]) {
        for (const id of ids) tags.add(documentTag(collection, id))
        return view.get(collection, ids)
      },
      async range<D extends Doc>(collection: Collection<D>, query: RangeQuery) {
        tags.add(indexTag(collection, query))
        const found = await view.range(collection, query)
        for (const { _id } of found) tags.add(documentTag(collection, _id))
        return found
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
      idsMatching(collection: Collection, query: SearchQuery, limit: number) {
        tags.add(wordsTag(collection, query))
        return view.idsMatching(collection, query, limit)
      },
      async getMatching<D extends Doc>(collection: Collection<D>, filter: SearchFilter) {
        tags.add(wordsTag(filter.collection, filter.query))
        const found = await view.getMatching(collection, filter)
        for (const { _id } of found) tags.add(documentTag(collection, _id))
        return found
      },
      async rangeMatching<D extends Doc>(collection: Collection<D>, query: RangeQuery, filter: SearchFilter, selectivity: Selectivity) {
        tags.add(indexTag(collection, query)).add(wordsTag(filter.collection, filter.query))
        const found = await view.rangeMatching(collection, query, filter, selectivity)
        for (const { _id } of found) tags.add(documentTag(collection, _id))
        return found
      },
    }
  }
}

/** Every match is listed under the first term. A prefix alone may match any term. */
const wordsTag = (collection: Collection, { index, terms }: SearchQuery): number =>
  indexTag(collection, { index, equals: terms.slice(0, 1) })
