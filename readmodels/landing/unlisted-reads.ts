import { z } from 'zod'
import { locale } from '../../src/contract/fields.js'
import { plainRead } from '../../src/contract/operation.js'
import { type CommunityLanding, renderTiles } from './public-reads.js'
import { readTiles } from './queries.js'

export type Categories = Pick<CommunityLanding, 'categories'>

/** The category tiles of the landing. Pages and answers that need only these do not read the creations of its rails. */
export const getCategories = plainRead({
  name: 'get_categories',
  input: z.object({ locale }),
  models: ['feed'],
  async run({ model, localizer }): Promise<Categories> {
    return { categories: renderTiles(await readTiles(model('feed')), localizer) }
  },
})
