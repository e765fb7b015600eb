import { z } from 'zod'
import { landingExample } from '../../content/examples.js'
import { count, locale, namedSchema } from '../../src/contract/fields.js'
import type { Localizer } from '../../src/contract/locale.js'
import { operation } from '../../src/contract/operation.js'
import type { Localized } from '../../src/events/index.js'
import type { Reads } from '../../src/ports/document-store.js'
import { Creation, renderCreation } from '../feed/creation.js'
import { type ItemDoc, items } from '../feed/documents.js'
import { withoutTombstones } from '../feed/queries.js'
import { LANDING_ID, type LandingDoc, landing, RAILS, type RailKey, type RankedEntry } from './documents.js'

const RAIL_TITLES: Record<RailKey, Localized> = {
  trending: { en: 'Trending now', es: 'Tendencias', de: 'Gerade beliebt', ja: '人気急上昇' },
  recent: { en: 'Fresh', es: 'Recién publicadas', de: 'Neu dabei', ja: '新着' },
  remixed: { en: 'Most remixed', es: 'Las más remezcladas', de: 'Am häufigsten abgewandelt', ja: 'リミックスが多い作品' },
  liked: { en: 'Most liked', es: 'Las más queridas', de: 'Am beliebtesten', ja: 'いいねが多い作品' },
  featured: { en: 'Featured', es: 'Destacadas', de: 'Empfohlen', ja: '注目の作品' },
}

export const CommunityLanding = namedSchema(
  'CommunityLanding',
  z.object({
    spotlight: z.array(Creation),
    rails: z.array(z.object({ key: z.enum(RAILS), title: z.string(), items: z.array(Creation) })),
    categories: z.array(z.object({ slug: z.string(), label: z.string(), count, coverUrl: z.string().nullable() })),
  }),
  'Spotlight, themed rails and category tiles.',
)
export type CommunityLanding = z.infer<typeof CommunityLanding>

export const getCommunityLanding = operation({
  name: 'get_community_landing',
  operationId: 'getCommunityLanding',
  path: '/public/share/community/landing',
  tag: 'community',
  summary: 'Community landing',
  description: 'A composite for a front page: spotlight, rails for trending, recent, remixed, liked and featured, and category tiles.',
  input: z.object({ locale }),
  output: CommunityLanding,
  models: ['feed'],
  example: landingExample,
  async run({ model, localizer, urls }) {
    const landing = await readLanding(model('feed'))
    const render = (docs: Parameters<typeof withoutTombstones>[0]) =>
      withoutTombstones(docs).map((item) => renderCreation(item, localizer, urls))
    return {
      spotlight: render(landing.spotlight),
      rails: landing.rails.map(({ key, items }) => ({ key, title: localizer.text(RAIL_TITLES[key]), items: render(items) })),
      categories: renderCategories(landing.categories, localizer),
    }
  },
})

export const renderCategories = (categories: LandingDoc['categories'], localizer: Localizer): CommunityLanding['categories'] =>
  categories.map(({ slug, label, count, coverUrl }) => ({ slug, label: localizer.text(label), count, coverUrl }))

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
