import { z } from 'zod'
import { SORT_FIELDS, SORTS } from '../../../readmodels/feed/documents.js'
import { itemsOfCreator } from '../../../readmodels/feed/queries.js'
import { profileByHandle } from '../../../readmodels/profiles/queries.js'
import { handle, locale } from '../input.js'
import { operation } from '../operation.js'
import { renderItem } from '../render.js'
import { Creation } from '../shapes.js'

/** More than anybody has made; whoever has gets their newest. */
const MOST = 5000

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
  output: z.object({ items: z.array(Creation) }),
  models: ['profiles', 'feed'],
  example: { input: { handle: 'ada', sort: 'recent' }, output: { items: [] } },
  async run({ model, reader, addresses }, { handle: wanted, sort }) {
    const profile = await profileByHandle(model('profiles'), wanted)
    if (profile === null) return { items: [] }
    const works = await itemsOfCreator(model('feed'), profile._id, MOST)
    const field = SORT_FIELDS[sort]
    works.sort((a, b) => b[field] - a[field] || (a._id < b._id ? 1 : -1))
    return { items: works.map((item) => renderItem(item, reader, addresses)) }
  },
})
