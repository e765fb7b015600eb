import { z } from 'zod'
import { handle, locale } from '../../src/contract/fields.js'
import { operation } from '../../src/contract/operation.js'
import { Creation } from '../feed/creation.js'
import { SORTS } from '../feed/documents.js'
import { compareBy, itemsOfCreator } from '../feed/queries.js'
import { renderCreation } from '../feed/render.js'
import { profileByHandle } from './queries.js'

/** More than nearly anybody has made; of the others these are the newest. */
const MAX_WORKS = 5000

/**
 * Everything public that one creator has made. Not one of the public reads, which give pages: it is for questions such as
 * how many games somebody has made, for which the whole feed would have to be looked through.
 */
export const getCreatorWorks = operation({
  name: 'get_creator_works',
  operationId: 'getCreatorWorks',
  path: '/user/{handle}/works',
  tag: 'users',
  summary: 'All creations of a creator',
  description: 'Every public creation of one creator, in the order of the sort; none where nobody has the handle.',
  input: z.object({ handle, locale, sort: z.enum(SORTS) }),
  output: z.object({ items: z.array(Creation), complete: z.boolean() }),
  models: ['profiles', 'feed'],
  example: { input: { handle: 'ada', sort: 'recent' }, output: { items: [], complete: true } },
  async run({ model, localizer, urls }, { handle: wanted, sort }) {
    const profile = await profileByHandle(model('profiles'), wanted)
    if (profile === null) return { items: [], complete: true }
    const works = await itemsOfCreator(model('feed'), profile._id, MAX_WORKS)
    const items = works.sort(compareBy(sort)).map((item) => renderCreation(item, localizer, urls))
    return { items, complete: works.length < MAX_WORKS }
  },
})
