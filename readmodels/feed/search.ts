import type { Reads, WordQuery, WordReads } from '../../src/ports/document-store.js'
import { tokens } from '../tokens.js'
import { counters, type Item, items, SORT_FIELDS, type Sort, terms } from './documents.js'
import { EVERYTHING, facetOf } from './facets.js'
import { continuing, inOrderOf, living, type Mark, type Page, type PageRequest } from './queries.js'

/** So few matches are gathered without asking how many there are. */
const FEW = 200
/** Up to this many of a facet's creations are looked at one by one. */
const SMALL_FACET = 2000
/** More of the sort's index is looked through than should be needed, before it is found out that it was not enough. */
const MARGIN = 1.5

type Searchable = Reads & WordReads

const NOTHING: Page = { items: [], hasMore: false, total: 0 }

/** Every word must occur, the last one perhaps only as the beginning of a word. Same order and cursors as without text. */
export async function searchPage(reads: Searchable, q: string, request: PageRequest): Promise<Page> {
  const wanted = wantedOf(q)
  if (wanted === null) return NOTHING
  const few = await reads.idsWith(terms, wanted, FEW)
  if (few.length < FEW) return gather(reads, few, request)
  const facet = facetOf(request.filter)
  const [everything, counter] = await reads.get(counters, [EVERYTHING, facet])
  if (everything === undefined || counter === undefined) return NOTHING
  if (facet === EVERYTHING) return searchEverything(reads, wanted, everything.count, request)
  return searchFacet(reads, wanted, facet, counter.count, request)
}

function wantedOf(q: string): WordQuery | null {
  const words = tokens(q)
  const prefix = words.pop()
  return prefix === undefined ? null : { index: 'byTerm', whole: [...new Set(words)], prefix }
}

/**
 * Matches are gathered and sorted, or found by walking the index of the sort, whichever costs less. The rarer they are the
 * longer the walk; what a document, an id and an entry of the index cost are about 12, 1.5 and 1, and looking into the
 * words of a creation 8.
 */
async function searchEverything(reads: Searchable, wanted: WordQuery, all: number, request: PageRequest): Promise<Page> {
  const total = await reads.countWith(terms, wanted)
  if (total <= Math.sqrt(3 * all)) return gather(reads, await reads.idsWith(terms, wanted, total), request)
  const reach = all / total
  if (total > Math.sqrt(170 * all)) return { ...(await walk(reads, request, reach, (ids) => matching(reads, ids, wanted))), total }
  return { ...(await walk(reads, request, reach, among(await reads.idsWith(terms, wanted, total)))), total }
}

async function searchFacet(reads: Searchable, wanted: WordQuery, facet: string, size: number, request: PageRequest): Promise<Page> {
  const inFacet = await reads.ids(items, { index: 'recent', equals: [facet], limit: Number.MAX_SAFE_INTEGER })
  const matches = size <= SMALL_FACET ? await matching(reads, inFacet, wanted) : await both(reads, wanted, inFacet)
  if (matches.length <= Math.sqrt(3 * size)) return gather(reads, matches, request)
  return { ...(await walk(reads, request, size / matches.length, among(matches))), total: matches.length }
}

/** Found in the index of words and in the facet. */
async function both(reads: Searchable, wanted: WordQuery, inFacet: readonly string[]): Promise<string[]> {
  const found = new Set(await reads.idsWith(terms, wanted, Number.MAX_SAFE_INTEGER))
  return inFacet.filter((id) => found.has(id))
}

async function gather(reads: Reads, ids: readonly string[], { filter, sort, limit, after }: PageRequest): Promise<Page> {
  const facet = facetOf(filter)
  const matches = living(await reads.get(items, ids)).filter((item) => item.facets.includes(facet))
  const ahead = matches.filter((item) => after === null || isBehind(item, sort, after)).sort(inOrderOf(sort))
  return { items: ahead.slice(0, limit), hasMore: ahead.length > limit, total: matches.length }
}

type Sieve = (ids: readonly string[]) => Promise<string[]>

const among = (matches: readonly string[]): Sieve => {
  const known = new Set(matches)
  return async (ids) => ids.filter((id) => known.has(id))
}

/** One of `reach` creations is a match, on the whole. */
async function walk(reads: Reads, { filter, sort, limit, after }: PageRequest, reach: number, sieve: Sieve): Promise<Omit<Page, 'total'>> {
  const place = { index: sort, equals: [facetOf(filter)], ...continuing(after) }
  const found: string[] = []
  for (let seen = 0, next = Math.ceil((limit + 1) * reach * MARGIN); ; next *= 4) {
    const ids = await reads.ids(items, { ...place, limit: next })
    found.push(...(await sieve(ids.slice(seen))))
    seen = ids.length
    if (found.length > limit || seen < next) break
  }
  return { items: living(await reads.get(items, found.slice(0, limit))), hasMore: found.length > limit }
}

async function matching(reads: Reads, ids: readonly string[], { whole, prefix }: WordQuery): Promise<string[]> {
  const docs = await reads.get(terms, ids)
  return docs.flatMap((doc) => {
    if (doc === undefined) return []
    const present = new Set(doc.terms)
    return whole.every((word) => present.has(word)) && doc.terms.some((word) => word.startsWith(prefix)) ? [doc._id] : []
  })
}

function isBehind(item: Item, sort: Sort, { value, id }: Mark): boolean {
  const own = item[SORT_FIELDS[sort]]
  return own < value || (own === value && item._id < id)
}
