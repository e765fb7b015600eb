import { invalid } from '../../contract/errors.js'
import { asOurCode } from '../../operations/own-code.js'
import { aroundReads } from '../../ports/around-reads.js'
import { findIndex } from '../../ports/collection.js'
import type { Collection, ModelReads, RangeQuery, SearchQuery } from '../../ports/document-store.js'

export interface OwnViewOptions {
  model: string
  /** Those that the model declares. */
  collections: readonly Collection[]
  /** The answer was given up. */
  isOver: () => boolean
}

/** A model as custom reads see it. Async, so that a rejection that own code does not await is own code's. */
export const ownView = (view: ModelReads, { model, collections, isOver }: OwnViewOptions): ModelReads =>
  aroundReads(view, async ({ collection, ids = [], query, atMost = 0, filter, among = [] }, read) => {
    // The snapshot belongs to another reader by now.
    if (isOver()) throw new Error('the answer was given up: nothing more can be read for it')
    // What a collection that is not declared says of whose words it shows was never checked.
    for (const { name } of [collection, filter?.collection ?? collection].filter((each) => !collections.includes(each)))
      throw new Error(`the model "${model}" does not declare this collection "${name}": read with the one in its projection`)
    texts(ids)
    texts(among)
    whole(atMost)
    if (query !== undefined) plain(collection, query)
    if (filter !== undefined) plain(filter.collection, filter.query)
    return asOurCode(read)
  })

/** Values are compared, never interpreted: an object from a caller could hold operators of the store. */
function plain(collection: Collection, query: Partial<RangeQuery & SearchQuery> & { index: string }): void {
  const { index, equals = [], after = [], startsWith = '', terms = [], prefix = '', limit = 0 } = query
  texts([startsWith, prefix ?? '', ...terms])
  if (![...equals, ...after].every((value) => typeof value === 'number' || typeof value === 'string')) throw invalid('input', NO_SCALAR)
  const open = (index === '_id' ? 0 : findIndex(collection, index).fields.length) - equals.length
  // Any other number would move the values after them, such as the limit. An entry ends with its id.
  if (open < 0 || (query.after !== undefined && after.length !== open + 1)) throw invalid('input', 'not as many values as the index has')
  whole(limit)
}

function whole(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 0) throw invalid('limit', 'must be a whole number')
}

function texts(values: readonly string[]): void {
  if (!values.every((value) => typeof value === 'string')) throw invalid('input', NO_SCALAR)
}

const NO_SCALAR = 'only strings and numbers can be looked up'
