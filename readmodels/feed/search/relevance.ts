/** The page of a search in which any word may match, and the best matches come first. */
import type { Reads, SearchReads } from '../../../src/ports/document-store.js'
import { counters, items } from '../documents.js'
import { EVERYTHING, type Filter, facetOf } from '../facets.js'
import { type Page, withoutTombstones } from '../queries.js'
import { TAG, type TermsDoc, TITLE, terms } from './documents.js'
import type { SearchedWord } from './query.js'
import { compareScored, FIELD, fitting, type Match, type Scored, scored } from './score.js'
import { MAX_DESCRIBED } from './vocabulary.js'

/** Of each form and field, the most popular; fewer where many are looked up. */
const MAX_HOLDERS = 300
const MAX_HOLDERS_IN_ALL = 6000
/** Of these the whole text is looked at. */
const MAX_SCORED = 60
/** In a facet of up to so many creations all are. */
const SMALL_FACET = 300
/** More matches are not counted. */
export const MAX_FOUND = 1000

/** Below all scores of creations whose whole text was looked at. */
const UNSEEN = -1_000_000_000

type Searchable = Reads & SearchReads

export interface RankedPage extends Page {
  /** Where the page ended. */
  last: Scored | undefined
}

export interface RankedRequest {
  filter: Filter
  limit: number
  after: Scored | null
}

export async function rankedPage(reads: Searchable, wanted: readonly SearchedWord[], request: RankedRequest): Promise<RankedPage> {
  const found = (await scoredMatches(reads, wanted, request.filter)).slice(0, MAX_FOUND)
  const { after, limit } = request
  const ahead = after === null ? found : found.filter((match) => compareScored(match, after) > 0)
  const page = ahead.slice(0, limit)
  const docs = await reads.get(
    items,
    page.map(({ id }) => id),
  )
  return { items: withoutTombstones(docs), hasMore: ahead.length > limit, total: found.length, last: page.at(-1) }
}

async function scoredMatches(reads: Searchable, wanted: readonly SearchedWord[], filter: Filter): Promise<Scored[]> {
  if (wanted.every(({ forms, described }) => forms.length + described.length === 0)) return []
  const facet = facetOf(filter)
  if (facet === EVERYTHING) return matchesAnywhere(reads, wanted)
  const [counter] = await reads.get(counters, [facet])
  if (counter === undefined) return []
  const popular = await reads.ids(items, { index: 'liked', equals: [facet], limit: SMALL_FACET })
  const candidates =
    counter.count <= SMALL_FACET ? popular : [...new Set([...(await holdersOf(reads, wanted)).map(({ id }) => id), ...popular])]
  const docs = await reads.get(terms, candidates.slice(0, SMALL_FACET))
  const matches = docs.filter((doc) => doc !== undefined && isIn(filter, doc)).map((doc) => scored(doc, wanted))
  return fitting(matches).sort(compareScored)
}

const isIn = ({ featuredOnly, category, tag }: Filter, doc: TermsDoc): doc is TermsDoc =>
  (!featuredOnly || doc.featured) && (category === null || doc.category === category) && (tag === null || doc.tags.includes(tag))

/** The best candidates in the order of their scores, then the others in that of what is known of them. */
async function matchesAnywhere(reads: Searchable, wanted: readonly SearchedWord[]): Promise<Scored[]> {
  const holders = await holdersOf(reads, wanted)
  const docs = await reads.get(
    terms,
    holders.slice(0, MAX_SCORED).map(({ id }) => id),
  )
  const seen = docs.flatMap((doc) => (doc === undefined ? [] : [scored(doc, wanted)]))
  const unseen = holders.slice(MAX_SCORED).map((match) => ({ ...match, score: UNSEEN + match.score }))
  return fitting([...seen, ...unseen]).sort(compareScored)
}

/** Who holds any of the words, as far as indexes tell; the best first, of equal ones the most popular. */
async function holdersOf(reads: Searchable, wanted: readonly SearchedWord[]): Promise<Match[]> {
  const lookups = chosenLookups(wanted)
  const limit = Math.min(MAX_HOLDERS, Math.ceil(MAX_HOLDERS_IN_ALL / lookups.length))
  const lists = await Promise.all(lookups.map((lookup) => idsOf(reads, lookup, limit)))
  const holders = new Map<string, Match>()
  for (const word of wanted) {
    const best = new Map<string, Lookup>()
    for (const [at, lookup] of lookups.entries()) {
      if (lookup.of === word) for (const id of lists[at] ?? []) if (lookup.worth >= (best.get(id)?.worth ?? 0)) best.set(id, lookup)
    }
    for (const [id, { worth, factor }] of best) {
      const { score, held } = holders.get(id) ?? { score: 0, held: 0 }
      holders.set(id, { id, score: score + worth * word.weight, quality: 0, held: held + factor * word.weight })
    }
  }
  // Sorting is stable, and the lists are by popularity.
  return [...holders.values()].sort((a, b) => b.score - a.score).slice(0, MAX_FOUND)
}

interface Lookup {
  of: SearchedWord
  /** In titles, in tags, or in descriptions. */
  field: string | null
  form: string
  factor: number
  worth: number
}

function chosenLookups(wanted: readonly SearchedWord[]): Lookup[] {
  const forms = wanted.flatMap((of) => of.forms.map(({ form, factor }) => ({ of, form, factor })))
  const described = wanted.flatMap((of) => of.described.filter(({ rare }) => rare).map(({ form, factor }) => ({ of, form, factor })))
  return [
    ...forms.map((each) => ({ ...each, field: TITLE, worth: each.factor * FIELD.title })),
    ...forms.map((each) => ({ ...each, field: TAG, worth: each.factor * FIELD.tag })),
    ...described.map((each) => ({ ...each, field: null, worth: each.factor * FIELD.description })),
  ]
}

const idsOf = (reads: Searchable, { field, form }: Lookup, limit: number): Promise<string[]> =>
  field === null
    ? reads.ids(terms, { index: 'byTerm', equals: [form], limit: MAX_DESCRIBED })
    : reads.ids(terms, { index: 'ranked', equals: [field + form], limit })
