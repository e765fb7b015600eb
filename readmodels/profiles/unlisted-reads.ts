import { z } from 'zod'
import { handle, locale } from '../../src/contract/fields.js'
import { MAX_SUGGESTIONS, plainRead, suggestionPrefix } from '../../src/contract/operation.js'
import { KINDS } from '../../src/events/index.js'
import { renderCreation } from '../feed/creation.js'
import { SORTS } from '../feed/documents.js'
import { compareBy, itemsOfCreator } from '../feed/queries.js'
import { handlesStartingWith, profileByHandle } from './queries.js'

/** More than nearly any creator has made. Of a creator with more, the newest are read. */
const MAX_WORKS = 500

/**
 * The public works of one creator, filtered. For questions such as how many games a creator has made; the public reads
 * give pages and would have to go through the whole feed. Only what is shown is rendered. Of an unknown handle there are none.
 */
export const getCreatorWorks = plainRead({
  name: 'get_creator_works',
  input: z.object({
    handle,
    locale,
    sort: z.enum(SORTS),
    kind: z.enum(KINDS).nullable().default(null),
    category: z.string().nullable().default(null),
    tag: z.string().nullable().default(null),
    featured: z.boolean().default(false),
    remixed: z.boolean().default(false),
    limit: z.int().default(MAX_WORKS),
  }),
  models: ['profiles', 'feed'],
  async run({ model, localizer, urls }, { handle: wanted, sort, kind, category, tag, featured, remixed, limit }) {
    const profile = await profileByHandle(model('profiles'), wanted)
    if (profile === null) return { items: [], total: 0, complete: true }
    const works = await itemsOfCreator(model('feed'), profile._id, MAX_WORKS)
    const found = works.filter(
      (item) =>
        (kind === null || item.kind === kind) &&
        (category === null || item.category === category) &&
        (tag === null || item.tags.includes(tag)) &&
        (!featured || item.featured) &&
        (!remixed || item.original !== null),
    )
    const shown = found.sort(compareBy(sort)).slice(0, limit)
    const items = shown.map((item) => renderCreation(item, localizer, urls))
    return { items, total: found.length, complete: works.length < MAX_WORKS }
  },
})

/** Handles that begin with something. */
export const suggestHandles = plainRead({
  name: 'suggest_handles',
  input: z.object({ prefix: suggestionPrefix }),
  models: ['profiles'],
  run: async ({ model }, input) => ({
    values: await handlesStartingWith(model('profiles'), input.prefix.replace(/^@/, ''), MAX_SUGGESTIONS),
  }),
})

/** Slugs of one creator that begin with something. */
export const suggestSlugs = plainRead({
  name: 'suggest_slugs',
  input: z.object({ prefix: suggestionPrefix, handle: z.string().default('') }),
  models: ['profiles', 'feed'],
  async run({ model }, input) {
    const profile = await profileByHandle(model('profiles'), input.handle)
    if (profile === null) return { values: [] }
    const items = await itemsOfCreator(model('feed'), profile._id, 100)
    const slugs = items.map(({ slug }) => slug ?? '')
    return { values: slugs.filter((slug) => slug.toLowerCase().startsWith(input.prefix.toLowerCase())).slice(0, MAX_SUGGESTIONS) }
  },
})
