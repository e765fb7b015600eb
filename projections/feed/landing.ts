import {
  type CounterDoc,
  categories,
  counters,
  type Item,
  type ItemDoc,
  items,
  SORT_FIELDS,
  type Sort,
} from '../../readmodels/feed/documents.js'
import { EVERYTHING, FEATURED, inCategory, SPOTLIGHT } from '../../readmodels/feed/facets.js'
import {
  LANDING_ID,
  type LandingDoc,
  type LandingReachDoc,
  landing,
  landingReach,
  RAIL_LENGTH,
  RAIL_SORT,
  RAILS,
  type RailKey,
  SPOTLIGHT_LENGTH,
} from '../../readmodels/landing/document.js'
import type { Doc, Reads, Write } from '../../src/ports/document-store.js'
import { type Derived, ref } from '../../src/projector/definition.js'
import { isPublic } from './item.js'

/** The landing is a pure function of the feed's documents, computed inside the commit that changed one of them. No clock. */
export const landingOfFeed: Derived = {
  documents: [ref(landing, LANDING_ID), ref(landingReach, LANDING_ID)],

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
    const rails = await Promise.all(RAILS.map(async (key) => ({ key, items: await first(reads, listOf(key)) })))
    const doc: LandingDoc = { _id: LANDING_ID, spotlight: await first(reads, SPOTLIGHT_LIST), rails, categories: await tiles(reads) }
    const [[before], [reachBefore]] = [await reads.get(landing, [LANDING_ID]), await reads.get(landingReach, [LANDING_ID])]
    return [written(landing, before, doc), written(landingReach, reachBefore, reachOf(doc))]
  },

  update([shown, reach], writes) {
    // What `compute` gave, in its order.
    const before = shown?.after as LandingDoc
    if (writes.some(({ collection }) => collection.name === categories.name)) return null
    const changed = new Map<string, ItemDoc | undefined>()
    const counted = new Map<string, number>()
    for (const { collection, id, after } of writes) {
      if (collection.name === items.name) changed.set(id, after as ItemDoc | undefined)
      else if (collection.name === counters.name) counted.set(id, (after as CounterDoc | undefined)?.count ?? 0)
    }
    const spotlight = relisted(before.spotlight, SPOTLIGHT_LIST, changed)
    const rails = before.rails.map(({ key, items }) => ({ key, items: relisted(items, listOf(key), changed) }))
    const tiled = recounted(before.categories, counted)
    if (tiled === before.categories && spotlight === before.spotlight && rails.every(({ items }, i) => items === before.rails[i]?.items))
      return []
    if (spotlight === null || !rails.every(isKnown)) return null
    const doc: LandingDoc = { _id: LANDING_ID, spotlight, rails, categories: tiled }
    return [written(landing, before, doc), written(landingReach, reach?.after, reachOf(doc))]
  },
}

const written = (collection: Write['collection'], before: Doc | undefined, after: Doc): Write => ({
  collection,
  id: LANDING_ID,
  before,
  after,
})

function reachOf({ spotlight, rails }: LandingDoc): LandingReachDoc {
  return {
    _id: LANDING_ID,
    shown: [...new Set([spotlight, ...rails.map((rail) => rail.items)].flat().map((item) => item._id))].sort(),
    least: Object.fromEntries(rails.map((rail) => [rail.key, leastOf(rail.key, rail.items)])) as Record<RailKey, number | null>,
  }
}

/** A list of the landing: the first of a facet's creations in some order. */
interface List {
  facet: string
  sort: Sort
  length: number
}

const SPOTLIGHT_LIST: List = { facet: SPOTLIGHT, sort: 'recent', length: SPOTLIGHT_LENGTH }

const listOf = (rail: RailKey): List => ({ facet: facetOfRail(rail), sort: RAIL_SORT[rail], length: RAIL_LENGTH })

/**
 * A list after changes; the very same one when they do not touch it. Creations that are not on a full list come behind
 * its last: as long as the new last is no worse, the changed ones are all that could have come or gone. `null` otherwise.
 */
function relisted(list: ItemDoc[], { facet, sort, length }: List, changed: ReadonlyMap<string, ItemDoc | undefined>): ItemDoc[] | null {
  const last = list.length < length ? undefined : (list.at(-1) as Item)
  const candidates = [...changed.values()].filter(
    (item): item is Item => item !== undefined && !item.removed && item.facets.includes(facet),
  )
  const order = (a: Item, b: Item) => b[SORT_FIELDS[sort]] - a[SORT_FIELDS[sort]] || (a._id < b._id ? 1 : -1)
  const listed = list.some(({ _id }) => changed.has(_id))
  if (!listed && !candidates.some((item) => last === undefined || order(item, last) < 0)) return list
  const unchanged = list.filter((item): item is Item => !item.removed && !changed.has(item._id))
  const next = [...unchanged, ...candidates].sort(order).slice(0, length)
  const newLast = next.at(-1)
  return last !== undefined && (next.length < length || newLast === undefined || order(newLast, last) > 0) ? null : next
}

const isKnown = <R extends { items: ItemDoc[] | null }>(rail: R): rail is R & { items: ItemDoc[] } => rail.items !== null

function recounted(tiles: LandingDoc['categories'], counted: ReadonlyMap<string, number>): LandingDoc['categories'] {
  if (!tiles.some(({ slug, count }) => (counted.get(inCategory(slug)) ?? count) !== count)) return tiles
  return tiles.map((tile) => ({ ...tile, count: counted.get(inCategory(tile.slug)) ?? tile.count }))
}

const facetOfRail = (rail: RailKey): string => (rail === 'featured' ? FEATURED : EVERYTHING)

function first(reads: Reads, { facet, sort, length }: List): Promise<ItemDoc[]> {
  return reads.range(items, { index: sort, equals: [facet], limit: length })
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
