import { invalid } from '../../contract/errors.js'
import { asOurCode } from '../../operations/own-code.js'
import { findIndex } from '../../ports/collection.js'
import type { Collection, ModelReads, RangeQuery, SearchFilter, SearchQuery } from '../../ports/document-store.js'

export interface OwnViewOptions {
  model: string
  /** Those that the model declares. */
  collections: readonly Collection[]
  /** The answer was given up. */
  isOver: () => boolean
}

/** A model as own reads see it. */
export function ownView(view: ModelReads, { model, collections, isOver }: OwnViewOptions): ModelReads {
  /** What a collection that is not declared says of whose words it shows was never checked. */
  const known = <C extends Collection>(collection: C): C => {
    if (collections.includes(collection)) return collection
    throw new Error(`the model "${model}" does not declare this collection "${collection.name}": read with the one in its projection`)
  }
  const filtered = ({ collection, query }: SearchFilter): SearchFilter => ({
    collection: known(collection),
    query: plain(collection, query),
  })
  /** Async, so that a rejection that own code does not await is own code's. */
  const reading = async <T>(read: () => Promise<T>): Promise<T> => {
    // The snapshot belongs to another reader by now.
    if (isOver()) throw new Error('the answer was given up: nothing more can be read for it')
    return asOurCode(read)
  }
  return {
    get: (collection, ids) => reading(() => view.get(known(collection), texts(ids))),
    range: (collection, query) => reading(() => view.range(known(collection), plain(collection, query))),
    ids: (collection, query) => reading(() => view.ids(known(collection), plain(collection, query))),
    count: (collection, query, atMost) =>
      reading(() => view.count(known(collection), plain(collection, query), atMost === undefined ? undefined : whole(atMost))),
    countMatching: (collection, query) => reading(() => view.countMatching(known(collection), plain(collection, query))),
    idsMatching: (collection, query, among) =>
      reading(() => view.idsMatching(known(collection), plain(collection, query), among === undefined ? undefined : texts(among))),
    getMatching: (collection, filter) => reading(() => view.getMatching(known(collection), filtered(filter))),
    rangeMatching: (collection, query, filter, selectivity) =>
      reading(() => view.rangeMatching(known(collection), plain(collection, query), filtered(filter), selectivity)),
  }
}

/** Values are compared, never interpreted: an object from a caller could hold operators of the store. */
function plain<Q extends Partial<RangeQuery & SearchQuery> & { index: string }>(collection: Collection, query: Q): Q {
  const { index, equals = [], after = [], startsWith = '', terms = [], prefix = '', limit = 0 } = query
  texts([startsWith, prefix, ...terms])
  if (![...equals, ...after].every((value) => typeof value === 'number' || typeof value === 'string')) throw invalid('input', NO_SCALAR)
  const open = (index === '_id' ? 0 : findIndex(collection, index).fields.length) - equals.length
  // Any other number would move the values after them, such as the limit. An entry ends with its id.
  if (open < 0 || (query.after !== undefined && after.length !== open + 1)) throw invalid('input', 'not as many values as the index has')
  whole(limit)
  return query
}

function whole(limit: number): number {
  if (Number.isSafeInteger(limit) && limit >= 0) return limit
  throw invalid('limit', 'must be a whole number')
}

function texts(values: readonly string[]): readonly string[] {
  if (values.every((value) => typeof value === 'string')) return values
  throw invalid('input', NO_SCALAR)
}

const NO_SCALAR = 'only strings and numbers can be looked up'
