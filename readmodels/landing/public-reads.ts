import { z } from 'zod'
import { landingExample } from '../../content/examples.js'
import { count, locale, namedSchema } from '../../src/contract/fields.js'
import type { Localizer } from '../../src/contract/locale.js'
import { operation } from '../../src/contract/operation.js'
import type { Localized } from '../../src/events/index.js'
import { Creation, renderCreation } from '../feed/creation.js'
import type { Item } from '../feed/documents.js'
import { RAILS, type RailKey, readLanding, type Tile } from './queries.js'

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
    const { spotlight, rails, tiles } = await readLanding(model('feed'))
    const render = (items: readonly Item[]) => items.map((item) => renderCreation(item, localizer, urls))
    return {
      spotlight: render(spotlight),
      rails: rails.map(({ key, items }) => ({ key, title: localizer.text(RAIL_TITLES[key]), items: render(items) })),
      categories: renderTiles(tiles, localizer),
    }
  },
})

export const renderTiles = (tiles: readonly Tile[], localizer: Localizer): CommunityLanding['categories'] =>
  tiles.map(({ slug, label, count, coverUrl }) => ({ slug, label: localizer.text(label), count, coverUrl }))
