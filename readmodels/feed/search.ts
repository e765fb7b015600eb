import type { IndexQuery, Reads } from '../../src/ports/document-store.js'
import { tokens } from '../tokens.js'
import { counters, type Item, items, SORT_FIELDS, type Sort, terms } from './documents.js'
import { EVERYTHING, facetOf } from './facets.js'
import { continuing, living, type Mark, markOf, type Page, type PageRequest } from './queries.js'

/** Up to this many candidates are gathered and sorted; more are found by walking the sort index and filtering. */
const FEW = 2000
/** Creations looked at per step of such a walk. */
const STRIDE = 100

interface Wanted {
  /** Words that must be there. */
  whole: string[]
  /** The last word, which may still be being typed. */
  prefix: string
}

/** Every word must occur, the last one perhaps only as the beginning of a word. Same order and cursors as without text. */
export async function searchPage(reads: Reads, q: string, request: PageRequest): Promise<Page> {
  const wanted = wantedOf(q)
  if (wanted === null) return { items: [], hasMore: false, total: 0 }
  const candidates = await rarest(reads, wanted, facetOf(request.filter))
  return candidates === null ? walk(reads, wanted, request) : gather(reads, candidates, wanted, request)
}

function wantedOf(q: string): Wanted | null {
  const words = tokens(q)
  const prefix = words.pop()
  return prefix === undefined ? null : { whole: [...new Set(words)], prefix }
}

const queryOf = (word: string): IndexQuery => ({ index: 'byTerm', equals: [word] })
const prefixQuery = (prefix: string): IndexQuery => ({ index: 'byTerm', equals: [], startsWith: prefix })

/** Ids of the smallest set that holds all matches, if any of them is small enough to gather. */
async function rarest(reads: Reads, { whole, prefix }: Wanted, facet: string): Promise<string[] | null> {
  const queries = [...whole.map(queryOf), prefixQuery(prefix)]
  const sizes = await Promise.all(queries.map((query) => reads.count(terms, query, FEW + 1)))
  const [counter] = await reads.get(counters, [facet])
  const least = Math.min(...sizes)
  const inFacet = counter?.count ?? 0
  if (Math.min(least, inFacet) > FEW) return null
  if (inFacet < least) return reads.ids(items, { index: 'recent', equals: [facet], limit: FEW })
  const query = queries[sizes.indexOf(least)]
  return query === undefined ? [] : [...new Set(await reads.ids(terms, { ...query, limit: FEW }))]
}

async function gather(
  reads: Reads,
  candidates: readonly string[],
  wanted: Wanted,
  { filter, sort, limit, after }: PageRequest,
): Promise<Page> {
  const facet = facetOf(filter)
  const ids = await matching(reads, candidates, wanted)
  const matches = living(await reads.get(items, ids)).filter((item) => item.facets.includes(facet))
  const ahead = matches.filter((item) => after === null || isBehind(item, sort, after)).sort(by(sort))
  return { items: ahead.slice(0, limit), hasMore: ahead.length > limit, total: matches.length }
}

async function walk(reads: Reads, wanted: Wanted, { filter, sort, limit, after }: PageRequest): Promise<Page> {
  const facet = facetOf(filter)
  const found: Item[] = []
  for (let mark = after; found.length <= limit; ) {
    const stretch = living(await reads.range(items, { index: sort, equals: [facet], limit: STRIDE, ...continuing(mark) }))
    const ids = new Set(
      await matching(
        reads,
        stretch.map((item) => item._id),
        wanted,
      ),
    )
    found.push(...stretch.filter((item) => ids.has(item._id)))
    const last = stretch.at(-1)
    if (last === undefined || stretch.length < STRIDE) break
    mark = markOf(last, sort)
  }
  return { items: found.slice(0, limit), hasMore: found.length > limit, total: await countMatches(reads, wanted, facet) }
}

async function matching(reads: Reads, ids: readonly string[], { whole, prefix }: Wanted): Promise<string[]> {
  const docs = await reads.get(terms, ids)
  return docs.flatMap((doc) => {
    if (doc === undefined) return []
    const present = new Set(doc.terms)
    return whole.every((word) => present.has(word)) && doc.terms.some((word) => word.startsWith(prefix)) ? [doc._id] : []
  })
}

/** Many matches are counted from the indexes alone, without looking at a document. */
async function countMatches(reads: Reads, { whole, prefix }: Wanted, facet: string): Promise<number> {
  const everything = { limit: Number.MAX_SAFE_INTEGER }
  let ids = new Set(await reads.ids(terms, { ...prefixQuery(prefix), ...everything }))
  const others = whole.map((word) => reads.ids(terms, { ...queryOf(word), ...everything }))
  if (facet !== EVERYTHING) others.push(reads.ids(items, { index: 'recent', equals: [facet], ...everything }))
  for (const other of await Promise.all(others)) ids = new Set(other.filter((id) => ids.has(id)))
  return ids.size
}

const by = (sort: Sort) => (a: Item, b: Item) => b[SORT_FIELDS[sort]] - a[SORT_FIELDS[sort]] || (a._id < b._id ? 1 : -1)

function isBehind(item: Item, sort: Sort, { value, id }: Mark): boolean {
  const own = item[SORT_FIELDS[sort]]
  return own < value || (own === value && item._id < id)
}
