import { z } from 'zod'
import { living } from '../../../readmodels/feed/queries.js'
import type { RailKey } from '../../../readmodels/landing/document.js'
import { readLanding } from '../../../readmodels/landing/queries.js'
import type { Localized } from '../../events/index.js'
import { landingExample } from '../examples.js'
import { locale } from '../input.js'
import { operation } from '../operation.js'
import { renderItem } from '../render.js'
import { CommunityLanding } from '../shapes.js'

const TITLES: Record<RailKey, Localized> = {
  trending: { en: 'Trending now', es: 'Tendencias', de: 'Gerade beliebt', ja: '人気急上昇' },
  recent: { en: 'Fresh', es: 'Recién publicadas', de: 'Neu dabei', ja: '新着' },
  remixed: { en: 'Most remixed', es: 'Las más remezcladas', de: 'Am häufigsten abgewandelt', ja: 'リミックスが多い作品' },
  liked: { en: 'Most liked', es: 'Las más queridas', de: 'Am beliebtesten', ja: 'いいねが多い作品' },
  featured: { en: 'Featured', es: 'Destacadas', de: 'Empfohlen', ja: '注目の作品' },
}

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
  async run({ model, reader, addresses }) {
    const landing = await readLanding(model('feed'))
    const render = (docs: Parameters<typeof living>[0]) => living(docs).map((item) => renderItem(item, reader, addresses))
    return {
      spotlight: render(landing.spotlight),
      rails: landing.rails.map(({ key, items }) => ({ key, title: reader.text(TITLES[key]), items: render(items) })),
      categories: landing.categories.map(({ slug, label, count, coverUrl }) => ({ slug, label: reader.text(label), count, coverUrl })),
    }
  },
})
