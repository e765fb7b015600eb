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
  landing,
  RAIL_LENGTH,
  RAIL_SORT,
  RAILS,
  type RailKey,
  type RankedEntry,
  SPOTLIGHT_LENGTH,
} from '../../readmodels/landing/documents.js'
import { type DerivedDefinition, ref } from '../../src/engine/definition/projection.js'
import type { Reads, Write } from '../../src/ports/document-store.js'

/** The landing is a pure function of the feed's documents, computed in the commit that changes one of them. No clock. */
export const derivedLanding: DerivedDefinition = {
  documents: [ref(landing, LANDING_ID)],

  async mayChange(writes, reads) {
    const [known] = await reads.get(landing, [LANDING_ID])
    return known === undefined || updatedLanding(known, writes) !== known
  },

  async compute(reads) {
    const rails = await Promise.all(RAILS.map(async (key) => ({ key, places: await readList(reads, listOf(key)) })))
    const doc: LandingDoc = { _id: LANDING_ID, spotlight: await readList(reads, SPOTLIGHT_LIST), rails, categories: await readTiles(reads) }
    const [before] = await reads.get(landing, [LANDING_ID])
    return [landingWrite(before, doc)]
  },

  update([known], writes) {
    // What `compute` gave.
    const before = known?.after as LandingDoc
    const after = updatedLanding(before, writes)
    if (after === null) return null
    return after === before ? [] : [landingWrite(before, after)]
  },
}

const landingWrite = (before: LandingDoc | undefined, after: LandingDoc): Write => ({ collection: landing, id: LANDING_ID, before, after })

/** The landing after these writes; the same object when they do not change it, `null` where only the store can tell. */
function updatedLanding(before: LandingDoc, writes: readonly Write[]): LandingDoc | null {
  if (writes.some(({ collection }) => collection.name === categories.name)) return null
  const changed = new Map<string, ItemDoc | undefined>()
  const counted = new Map<string, number>()
  for (const { collection, id, after } of writes) {
    if (collection.name === items.name) changed.set(id, after as ItemDoc | undefined)
    else if (collection.name === counters.name) counted.set(id, (after as CounterDoc | undefined)?.count ?? 0)
  }
  const spotlight = updatedList(before.spotlight, SPOTLIGHT_LIST, changed)
  const rails = before.rails.map(({ key, places }) => ({ key, places: updatedList(places, listOf(key), changed) }))
  const tiled = updatedTiles(before.categories, counted)
  if (spotlight === null || !rails.every(isKnown)) return null
  if (tiled === before.categories && spotlight === before.spotlight && rails.every(({ places }, i) => places === before.rails[i]?.places))
    return before
  return { _id: LANDING_ID, spotlight, rails, categories: tiled }
}

/** A list of the landing: the first of a facet's creations in some order. */
interface List {
  facet: string
  sort: Sort
  length: number
}

const SPOTLIGHT_LIST: List = { facet: SPOTLIGHT, sort: 'recent', length: SPOTLIGHT_LENGTH }

const listOf = (rail: RailKey): List => ({ facet: rail === 'featured' ? FEATURED : EVERYTHING, sort: RAIL_SORT[rail], length: RAIL_LENGTH })

/**
 * A list after changes; the same object when they do not affect it. Creations that are not on a full list rank after its
 * last one: while the new last one is no worse, only changed creations can enter or leave. `null` otherwise.
 */
function updatedList(
  list: RankedEntry[],
  { facet, sort, length }: List,
  changed: ReadonlyMap<string, ItemDoc | undefined>,
): RankedEntry[] | null {
  const last = list.length < length ? undefined : list.at(-1)
  const candidates = [...changed.values()].flatMap((item) =>
    item === undefined || item.removed || !item.facets.includes(facet) ? [] : [placeOf(item, sort)],
  )
  const unchanged = list.filter(({ id }) => !changed.has(id))
  if (unchanged.length === list.length && !candidates.some((place) => last === undefined || comparePlaces(place, last) < 0)) return list
  const next = [...unchanged, ...candidates].sort(comparePlaces).slice(0, length)
  const newLast = next.at(-1)
  if (last !== undefined && (next.length < length || newLast === undefined || comparePlaces(newLast, last) > 0)) return null
  const isSame = next.length === list.length && next.every(({ id, value }, i) => id === list[i]?.id && value === list[i]?.value)
  return isSame ? list : next
}

const comparePlaces = (a: RankedEntry, b: RankedEntry): number => b.value - a.value || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

const placeOf = (item: Item, sort: Sort): RankedEntry => ({ id: item._id, value: item[SORT_FIELDS[sort]] })

const isKnown = <R extends { places: RankedEntry[] | null }>(rail: R): rail is R & { places: RankedEntry[] } => rail.places !== null

function updatedTiles(tiles: LandingDoc['categories'], counted: ReadonlyMap<string, number>): LandingDoc['categories'] {
  if (!tiles.some(({ slug, count }) => (counted.get(inCategory(slug)) ?? count) !== count)) return tiles
  return tiles.map((tile) => ({ ...tile, count: counted.get(inCategory(tile.slug)) ?? tile.count }))
}

async function readList(reads: Reads, { facet, sort, length }: List): Promise<RankedEntry[]> {
  const found = await reads.range(items, { index: sort, equals: [facet], limit: length })
  return found.flatMap((item) => (item.removed ? [] : [placeOf(item, sort)]))
}

async function readTiles(reads: Reads): Promise<LandingDoc['categories']> {
  const defined = await reads.range(categories, { index: 'byOrder', equals: [], limit: 200 })
  const counts = await reads.get(
    counters,
    defined.map(({ _id }) => inCategory(_id)),
  )
  return defined.map(({ _id, label, coverUrl }, i) => ({ slug: _id, label, count: counts[i]?.count ?? 0, coverUrl }))
}
