import { z } from 'zod'
import { tagsExample } from '../../content/examples.js'
import { count, namedSchema } from '../../src/contract/fields.js'
import { MAX_SUGGESTIONS, operation, plainRead, suggestionPrefix } from '../../src/contract/operation.js'
import type { Reads } from '../../src/ports/document-store.js'
import { TAG_TOTAL, type TagDoc, tags, tagTotal } from './documents.js'
import { tagKey } from './tag-key.js'

const MAX_TAGS = 100

export const PopularTags = namedSchema(
  'PopularTags',
  z.object({
    items: z.array(z.object({ key: z.string(), label: z.string(), count })),
    total: count.meta({ description: 'How many different tags are in use.' }),
  }),
  'The most used tags, most frequent first.',
)
export type PopularTags = z.infer<typeof PopularTags>

export const getPopularTags = operation({
  name: 'get_popular_tags',
  operationId: 'getPopularTags',
  path: '/public/share/tags',
  tag: 'community',
  summary: 'Popular tags',
  description: `The ${MAX_TAGS} most used tags with the number of public creations that carry each, most frequent first.`,
  input: z.object({}),
  output: PopularTags,
  models: ['tags'],
  example: tagsExample,
  async run({ model }) {
    const { tags, total } = await popularTags(model('tags'), MAX_TAGS)
    return { items: tags.map(({ _id, label, count }) => ({ key: _id, label, count })), total }
  },
})

/** Tags that begin with something, the most used first. */
export const suggestTags = plainRead({
  name: 'suggest_tags',
  input: z.object({ prefix: suggestionPrefix }),
  models: ['tags'],
  async run({ model }, { prefix }) {
    const key = tagKey(prefix)
    const found =
      key === '' ? (await popularTags(model('tags'), MAX_SUGGESTIONS)).tags : await tagsStartingWith(model('tags'), key, MAX_SUGGESTIONS)
    return { values: found.map(({ _id }) => _id) }
  },
})

export async function popularTags(reads: Reads, limit: number): Promise<{ tags: TagDoc[]; total: number }> {
  const [total] = await reads.get(tagTotal, [TAG_TOTAL])
  return { tags: await reads.range(tags, { index: 'popular', equals: [], limit }), total: total?.count ?? 0 }
}

/** How many tags with the prefix are compared by use. */
const CANDIDATES = 200

export async function tagsStartingWith(reads: Reads, prefix: string, limit: number): Promise<TagDoc[]> {
  const found = await reads.range(tags, { index: '_id', equals: [], startsWith: prefix, limit: CANDIDATES })
  return found.sort((a, b) => a.rank - b.rank).slice(0, limit)
}
