import { z } from 'zod'
import { handle, locale } from '../../src/contract/fields.js'
import { operation } from '../../src/contract/operation.js'
import { Creation, renderCreation } from '../feed/creation.js'
import { SORTS } from '../feed/documents.js'
import { compareBy, itemsOfCreator } from '../feed/queries.js'
import { popularTags, tagsStartingWith } from '../tags/queries.js'
import { tagKey } from '../tags/tag-key.js'
import { handlesStartingWith, profileByHandle } from './queries.js'

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

/** What somebody who is typing could mean. No public reads of their own: surfaces that complete arguments use them. */
const MAX_SUGGESTIONS = 20

const prefix = z.string().max(200)
const output = z.object({ values: z.array(z.string()) })
const unlisted = { path: '', description: '', example: { input: {}, output: { values: [] } }, output }

export const suggestHandles = operation({
  ...unlisted,
  name: 'suggest_handles',
  operationId: 'suggestHandles',
  tag: 'users',
  summary: 'Handles that begin with something',
  input: z.object({ prefix }),
  models: ['profiles'],
  run: async ({ model }, input) => ({
    values: await handlesStartingWith(model('profiles'), input.prefix.replace(/^@/, ''), MAX_SUGGESTIONS),
  }),
})

export const suggestSlugs = operation({
  ...unlisted,
  name: 'suggest_slugs',
  operationId: 'suggestSlugs',
  tag: 'apps',
  summary: 'Slugs of one creator that begin with something',
  input: z.object({ prefix, handle: z.string().default('') }),
  models: ['profiles', 'feed'],
  async run({ model }, input) {
    const profile = await profileByHandle(model('profiles'), input.handle)
    if (profile === null) return { values: [] }
    const items = await itemsOfCreator(model('feed'), profile._id, 100)
    const slugs = items.map(({ slug }) => slug ?? '')
    return { values: slugs.filter((slug) => slug.toLowerCase().startsWith(input.prefix.toLowerCase())).slice(0, MAX_SUGGESTIONS) }
  },
})

export const suggestTags = operation({
  ...unlisted,
  name: 'suggest_tags',
  operationId: 'suggestTags',
  tag: 'community',
  summary: 'Tags that begin with something, the most used first',
  input: z.object({ prefix }),
  models: ['tags'],
  async run({ model }, input) {
    const key = tagKey(input.prefix)
    const found =
      key === '' ? (await popularTags(model('tags'), MAX_SUGGESTIONS)).tags : await tagsStartingWith(model('tags'), key, MAX_SUGGESTIONS)
    return { values: found.map(({ _id }) => _id) }
  },
})
