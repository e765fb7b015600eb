import type { Reads } from '../../src/ports/document-store.js'
import { type ItemDoc, items } from '../feed/documents.js'
import { LANDING_ID, type LandingDoc, landing, type RailKey, type RankedEntry } from './documents.js'

/** Version 1 of the feed stored the cards themselves. A generation of it may be live until the next rebuild. */
interface LandingV1 extends Pick<LandingDoc, '_id' | 'categories'> {
  spotlight: ItemDoc[]
  rails: { key: RailKey; items: ItemDoc[] }[]
}

const isV1 = (doc: LandingDoc | LandingV1): doc is LandingV1 => doc.rails.some((rail) => 'items' in rail)

/** The landing with the items it shows. */
export interface Landing {
  spotlight: ItemDoc[]
  rails: { key: RailKey; items: ItemDoc[] }[]
  categories: LandingDoc['categories']
}

export async function readLanding(reads: Reads): Promise<Landing> {
  const [doc] = (await reads.get(landing, [LANDING_ID])) as (LandingDoc | LandingV1 | undefined)[]
  if (doc === undefined) return { spotlight: [], rails: [], categories: [] }
  if (isV1(doc)) return doc
  const ids = [...new Set([doc.spotlight, ...doc.rails.map(({ places }) => places)].flat().map(({ id }) => id))]
  const found = new Map((await reads.get(items, ids)).map((item, i) => [ids[i], item]))
  const shown = (places: readonly RankedEntry[]): ItemDoc[] => places.flatMap(({ id }) => found.get(id) ?? [])
  return {
    spotlight: shown(doc.spotlight),
    rails: doc.rails.map(({ key, places }) => ({ key, items: shown(places) })),
    categories: doc.categories,
  }
}
