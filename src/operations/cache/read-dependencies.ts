import { documentTag, indexTag } from '../../invalidation/invalidation-log.js'
import { aroundReads } from '../../ports/around-reads.js'
import type { ModelReads, SearchFilter } from '../../ports/document-store.js'

/** The cache tags of everything that one answer was read from. */
export class ReadDependencies {
  readonly #tags = new Set<number>()

  get tags(): Uint32Array {
    return Uint32Array.from(this.#tags)
  }

  /** The same model; reads through it add their tags here. */
  track(view: ModelReads): ModelReads {
    const tags = this.#tags
    return aroundReads(view, async ({ collection, ids, query, filter }, read, documentsIn) => {
      if (query !== undefined) tags.add(indexTag(collection, query))
      if (filter !== undefined) tags.add(wordsTag(filter))
      const found = await read()
      // Also those that are not there yet.
      for (const id of ids ?? documentsIn(found).map(({ _id }) => _id)) tags.add(documentTag(collection, id))
      return found
    })
  }
}

/** Every match is listed under the first term. A prefix alone may match any term. */
const wordsTag = ({ collection, query: { index, terms } }: SearchFilter): number =>
  indexTag(collection, { index, equals: terms.slice(0, 1) })
