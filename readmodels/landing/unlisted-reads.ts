import { z } from 'zod'
import { locale } from '../../src/contract/fields.js'
import { operation } from '../../src/contract/operation.js'
import { CommunityLanding, renderTiles } from './public-reads.js'
import { readTiles } from './queries.js'

const Categories = CommunityLanding.pick({ categories: true })
export type Categories = z.infer<typeof Categories>

/** The category tiles of the landing. Pages and answers that need only these do not read the creations of its rails. */
export const getCategories = operation({
  name: 'get_categories',
  operationId: 'getCategories',
  path: '/categories',
  tag: 'community',
  summary: 'Categories',
  description: 'The categories with their labels and counts.',
  input: z.object({ locale }),
  output: Categories,
  models: ['feed'],
  example: { input: {}, output: { categories: [] } },
  async run({ model, localizer }) {
    return { categories: renderTiles(await readTiles(model('feed')), localizer) }
  },
})
