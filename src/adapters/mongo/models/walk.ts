import { valueAt } from '../../../ports/collection.js'
import type { SearchFilter, Collection, Selectivity, RangeQuery, Reads, SearchQuery, SearchReads } from '../../../ports/document-store.js'
import { findIndex } from './collections.js'

/** More of the index is looked through than should be needed, before it is found out that it was not enough. */
const MARGIN = 1.5

/**
 * Ids in the order of an index, of documents beside words. Which those are is found out for what the walk comes by, or
 * for all of them before it: an id costs about 1.5 where an entry of the index costs 1, and looking into words 8.
 */
export async function matchingIdsInOrder(
  reads: Reads & SearchReads,
  collection: Collection,
  query: RangeQuery,
  { collection: words, query: wanted }: SearchFilter,
  { matches, total }: Selectivity,
): Promise<string[]> {
  const listed = matches <= Math.sqrt(170 * total) ? new Set(await reads.idsMatching(words, wanted, Number.MAX_SAFE_INTEGER)) : null
  const { limit } = query
  const found: string[] = []
  for (let seen = 0, next = Math.ceil((limit * total * MARGIN) / Math.max(1, matches)); ; next *= 4) {
    const ids = await reads.ids(collection, { ...query, limit: next })
    const unseen = ids.slice(seen)
    found.push(...(listed === null ? await idsContaining(reads, words, wanted, unseen) : unseen.filter((id) => listed.has(id))))
    seen = ids.length
    if (found.length >= limit || seen < next) return found.slice(0, limit)
  }
}

async function idsContaining(reads: Reads, words: Collection, { index, terms, prefix }: SearchQuery, ids: readonly string[]): Promise<string[]> {
  const list = findIndex(words, index).each ?? ''
  const docs = await reads.get(words, ids)
  return docs.flatMap((doc) => {
    if (doc === undefined) return []
    const present = valueAt(doc, list) as string[]
    return terms.every((word) => present.includes(word)) && present.some((word) => word.startsWith(prefix)) ? [doc._id] : []
  })
}
