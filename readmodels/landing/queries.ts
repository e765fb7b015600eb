import type { Reads } from '../../src/ports/document-store.js'
import { type CategoryDoc, categories, counters, items, type Sort } from '../feed/documents.js'
import { EVERYTHING, FEATURED, inCategory, SPOTLIGHT } from '../feed/facets.js'
import { withoutTombstones } from '../feed/queries.js'

export const RAILS = ['trending', 'recent', 'remixed', 'liked', 'featured'] as const
export type RailKey = (typeof RAILS)[number]

export const RAIL_LENGTH = 12
export const SPOTLIGHT_LENGTH = 6
const MAX_TILES = 200

/** A category with the number of its public creations. */
export interface Tile extends Pick<CategoryDoc, 'label' | 'coverUrl'> {
  slug: string
  count: number
}

/** Nothing of it is stored. Its lists are the beginnings of six feeds, all read at once. */
export async function readLanding(reads: Reads) {
  const first = async (limit: number, facet: string, index: Sort) =>
    withoutTombstones(await reads.range(items, { index, equals: [facet], limit }))
  const rail = async (key: RailKey) => ({
    key,
    items: await (key === 'featured' ? first(RAIL_LENGTH, FEATURED, 'recent') : first(RAIL_LENGTH, EVERYTHING, key)),
  })
  const [spotlight, rails, tiles] = await Promise.all([
    first(SPOTLIGHT_LENGTH, SPOTLIGHT, 'recent'),
    Promise.all(RAILS.map(rail)),
    readTiles(reads),
  ])
  return { spotlight, rails, tiles }
}

/** In the order of the categories. */
export async function readTiles(reads: Reads): Promise<Tile[]> {
  const defined = await reads.range(categories, { index: 'byOrder', equals: [], limit: MAX_TILES })
  const counts = await reads.get(
    counters,
    defined.map(({ _id }) => inCategory(_id)),
  )
  return defined.map(({ _id, label, coverUrl }, i) => ({ slug: _id, label, count: counts[i]?.count ?? 0, coverUrl }))
}
