import { categories, counters, type Item, type ItemDoc, items, SORT_FIELDS } from '../../readmodels/feed/documents.js'
import { EVERYTHING, FEATURED, inCategory, SPOTLIGHT } from '../../readmodels/feed/facets.js'
import {
  LANDING_ID,
  type LandingDoc,
  landing,
  landingReach,
  RAIL_LENGTH,
  RAIL_SORT,
  RAILS,
  type RailKey,
  SPOTLIGHT_LENGTH,
} from '../../readmodels/landing/document.js'
import type { Doc, Reads, Write } from '../../src/ports/document-store.js'
import type { Derived } from '../../src/projector/definition.js'
import { isPublic } from './item.js'

/** The landing is a pure function of the feed's documents, computed inside the commit that changed one of them. No clock. */
export const landingOfFeed: Derived = {
  async concerns(writes, reads) {
    const [reach] = await reads.get(landingReach, [LANDING_ID])
    if (reach === undefined) return true
    const shown = new Set(reach.shown)
    return writes.some(({ collection, id, after }) => {
      if (collection.name === categories.name) return true
      if (collection.name === counters.name) return /^\|[^|]+\|$/.test(id)
      if (collection.name !== items.name) return false
      return shown.has(id) || RAILS.some((rail) => reaches(after, rail, reach.least[rail] ?? null))
    })
  },

  async compute(reads) {
    const rails = await Promise.all(RAILS.map(async (key) => ({ key, items: await first(reads, key) })))
    const spotlight = await reads.range(items, { index: 'recent', equals: [SPOTLIGHT], limit: SPOTLIGHT_LENGTH })
    const doc: LandingDoc = { _id: LANDING_ID, spotlight, rails, categories: await tiles(reads) }
    const reach = {
      _id: LANDING_ID as typeof LANDING_ID,
      shown: [...new Set([spotlight, ...rails.map((rail) => rail.items)].flat().map((item) => item._id))].sort(),
      least: Object.fromEntries(rails.map((rail) => [rail.key, leastOf(rail.key, rail.items)])) as Record<RailKey, number | null>,
    }
    const [before, reachBefore] = [await reads.get(landing, [LANDING_ID]), await reads.get(landingReach, [LANDING_ID])]
    const write = (collection: Write['collection'], was: Doc | undefined, is: Doc): Write => ({
      collection,
      id: LANDING_ID,
      before: was,
      after: is,
    })
    return [write(landing, before[0], doc), write(landingReach, reachBefore[0], reach)]
  },
}

const facetOfRail = (rail: RailKey): string => (rail === 'featured' ? FEATURED : EVERYTHING)

function first(reads: Reads, rail: RailKey): Promise<ItemDoc[]> {
  return reads.range(items, { index: RAIL_SORT[rail], equals: [facetOfRail(rail)], limit: RAIL_LENGTH })
}

function reaches(after: Doc | undefined, rail: RailKey, least: number | null): boolean {
  // Only documents of `items` are asked about.
  const item = after as ItemDoc | undefined
  if (item === undefined || item.removed || !isPublic(item)) return false
  if (item.spotlight) return true
  return item.facets.includes(facetOfRail(rail)) && (least === null || sortValue(rail, item) >= least)
}

function leastOf(rail: RailKey, shown: readonly ItemDoc[]): number | null {
  const last = shown.at(-1)
  return shown.length < RAIL_LENGTH || last === undefined || last.removed ? null : sortValue(rail, last)
}

const sortValue = (rail: RailKey, item: Item): number => item[SORT_FIELDS[RAIL_SORT[rail]]]

async function tiles(reads: Reads): Promise<LandingDoc['categories']> {
  const defined = await reads.range(categories, { index: 'byOrder', equals: [], limit: 200 })
  const counts = await reads.get(
    counters,
    defined.map(({ _id }) => inCategory(_id)),
  )
  return defined.map(({ _id, label, coverUrl }, i) => ({ slug: _id, label, count: counts[i]?.count ?? 0, coverUrl }))
}
