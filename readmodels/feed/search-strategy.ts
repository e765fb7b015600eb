import { singular, words } from '../../src/lib/tokenize.js'
import type { Reads, SearchQuery, SearchReads, Selectivity } from '../../src/ports/document-store.js'
import { counters, type Item, type ItemDoc, items, SORT_FIELDS, type Sort } from './documents.js'
import { EVERYTHING, facetOf } from './facets.js'
import { compareBy, type Page, type PageKey, type PageRequest, startingAfter, withoutTombstones } from './queries.js'
import { terms } from './search/documents.js'
import { MAX_WORDS, type SearchText } from './search/query.js'
import { withoutStopWords } from './search/stop-words.js'

/** Up to this many matches are always fetched and sorted in memory. */
const MAX_FETCHED = 100
/** A facet of up to this many creations is searched without counting the matches elsewhere. */
const SMALL_FACET = 1000

type Searchable = Reads & SearchReads

const EMPTY_PAGE: Page = { items: [], hasMore: false, total: 0 }

/** Every word but small ones must occur. Same order and cursors as without text. */
export async function searchPage(reads: Searchable, text: SearchText, request: PageRequest): Promise<Page> {
  const wanted = parseSearch(text)
  if (wanted === null) return EMPTY_PAGE
  const facet = facetOf(request.filter)
  const [everything, counter] = await reads.get(counters, [EVERYTHING, facet])
  if (everything === undefined || counter === undefined) return EMPTY_PAGE
  if (facet !== EVERYTHING && counter.count <= SMALL_FACET) return searchFacet(reads, wanted, request)
  const matches = await reads.countMatching(terms, wanted)
  if (matches === 0) return EMPTY_PAGE
  const fetched = async () => pageOfMatches(await reads.get(items, await reads.idsMatching(terms, wanted)), request)
  if (matches <= MAX_FETCHED) return fetched()
  if (facet !== EVERYTHING) return searchFacet(reads, wanted, request)
  // Few matches mean a long scan of the sort index; then fetching them all is cheaper. A document costs as much as a dozen steps or more.
  if (matches <= Math.sqrt(everything.count)) return fetched()
  return { ...(await scanSortIndex(reads, wanted, request, { matches, total: everything.count })), total: matches }
}

function parseSearch({ q, locale, prefix }: SearchText): SearchQuery | null {
  const typed = words(q)
  const wanted = withoutStopWords(typed, locale).slice(0, MAX_WORDS).map(singular)
  if (wanted.length === 0) return null
  if (!prefix) return { index: 'byTerm', terms: [...new Set(wanted)], prefix: null }
  // A small word may be the beginning of another.
  const last = singular(typed.at(-1) ?? '')
  return { index: 'byTerm', terms: [...new Set(wanted)].filter((word) => word !== last), prefix: last }
}

/** The ids in the order of the sort, then which of them match: that is the page, and the total. */
async function searchFacet(reads: Searchable, wanted: SearchQuery, { filter, sort, limit, after }: PageRequest): Promise<Page> {
  const facet = { index: sort, equals: [facetOf(filter)], limit: Number.MAX_SAFE_INTEGER }
  const matches = await reads.idsMatching(terms, wanted, await reads.ids(items, facet))
  const left = after === null ? null : new Set(await reads.ids(items, { ...facet, ...startingAfter(after) }))
  const ahead = left === null ? matches : matches.filter((id) => left.has(id))
  const found = await reads.get(items, ahead.slice(0, limit))
  return { items: withoutTombstones(found), hasMore: ahead.length > limit, total: matches.length }
}

/** Filters, sorts and cuts the page in memory. */
function pageOfMatches(docs: readonly (ItemDoc | undefined)[], { filter, sort, limit, after }: PageRequest): Page {
  const facet = facetOf(filter)
  const matches = withoutTombstones(docs).filter((item) => item.facets.includes(facet))
  const ahead = matches.filter((item) => after === null || isAfter(item, sort, after)).sort(compareBy(sort))
  return { items: ahead.slice(0, limit), hasMore: ahead.length > limit, total: matches.length }
}

async function scanSortIndex(
  reads: Searchable,
  wanted: SearchQuery,
  { filter, sort, limit, after }: PageRequest,
  selectivity: Selectivity,
): Promise<Omit<Page, 'total'>> {
  const place = { index: sort, equals: [facetOf(filter)], limit: limit + 1, ...startingAfter(after) }
  const found = await reads.rangeMatching(items, place, { collection: terms, query: wanted }, selectivity)
  return { items: withoutTombstones(found.slice(0, limit)), hasMore: found.length > limit }
}

function isAfter(item: Item, sort: Sort, { value, id }: PageKey): boolean {
  const own = item[SORT_FIELDS[sort]]
  return own < value || (own === value && item._id < id)
}
