import { tokens } from '../../src/lib/tokenize.js'
import type { Odds, Reads, WordQuery, WordReads } from '../../src/ports/document-store.js'
import { counters, type Item, type ItemDoc, items, SORT_FIELDS, type Sort, terms } from './documents.js'
import { EVERYTHING, facetOf } from './facets.js'
import { continuing, inOrderOf, living, type Mark, type Page, type PageRequest } from './queries.js'

/** So few matches are fetched and sorted in any case. */
const FEW = 100
/** Up to this many of a facet's creations are looked at one by one. */
const SMALL_FACET = 2000

type Searchable = Reads & WordReads

const NOTHING: Page = { items: [], hasMore: false, total: 0 }

/** Every word must occur, the last one perhaps only as the beginning of a word. Same order and cursors as without text. */
export async function searchPage(reads: Searchable, q: string, request: PageRequest): Promise<Page> {
  const wanted = wantedOf(q)
  if (wanted === null) return NOTHING
  const beside = { collection: terms, query: wanted }
  const matches = await reads.countWith(terms, wanted)
  if (matches <= FEW) return sorted(matches === 0 ? [] : await reads.getWith(items, beside), request)
  const facet = facetOf(request.filter)
  const [everything, counter] = await reads.get(counters, [EVERYTHING, facet])
  if (everything === undefined || counter === undefined) return NOTHING
  if (facet !== EVERYTHING) return searchFacet(reads, wanted, facet, counter.count, request)
  // The rarer they are the longer the walk along the index of the sort; a document costs as much as a dozen steps or more.
  if (matches <= Math.sqrt(everything.count)) return sorted(await reads.getWith(items, beside), request)
  return { ...(await walk(reads, wanted, request, { matches, among: everything.count })), total: matches }
}

function wantedOf(q: string): WordQuery | null {
  const words = tokens(q)
  const prefix = words.pop()
  return prefix === undefined ? null : { index: 'byTerm', whole: [...new Set(words)], prefix }
}

async function searchFacet(reads: Searchable, wanted: WordQuery, facet: string, size: number, request: PageRequest): Promise<Page> {
  const inFacet = await reads.ids(items, { index: 'recent', equals: [facet], limit: Number.MAX_SAFE_INTEGER })
  const matches = size <= SMALL_FACET ? await matching(reads, inFacet, wanted) : await both(reads, wanted, inFacet)
  if (matches.length <= Math.sqrt(3 * size)) return sorted(await reads.get(items, matches), request)
  return { ...(await walk(reads, wanted, request, { matches: matches.length, among: size })), total: matches.length }
}

/** Found in the index of words and in the facet. */
async function both(reads: Searchable, wanted: WordQuery, inFacet: readonly string[]): Promise<string[]> {
  const found = new Set(await reads.idsWith(terms, wanted, Number.MAX_SAFE_INTEGER))
  return inFacet.filter((id) => found.has(id))
}

/** A page out of all matches. */
function sorted(docs: readonly (ItemDoc | undefined)[], { filter, sort, limit, after }: PageRequest): Page {
  const facet = facetOf(filter)
  const matches = living(docs).filter((item) => item.facets.includes(facet))
  const ahead = matches.filter((item) => after === null || isBehind(item, sort, after)).sort(inOrderOf(sort))
  return { items: ahead.slice(0, limit), hasMore: ahead.length > limit, total: matches.length }
}

async function walk(
  reads: Searchable,
  wanted: WordQuery,
  { filter, sort, limit, after }: PageRequest,
  odds: Odds,
): Promise<Omit<Page, 'total'>> {
  const place = { index: sort, equals: [facetOf(filter)], limit: limit + 1, ...continuing(after) }
  const found = await reads.rangeWith(items, place, { collection: terms, query: wanted }, odds)
  return { items: living(found.slice(0, limit)), hasMore: found.length > limit }
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
