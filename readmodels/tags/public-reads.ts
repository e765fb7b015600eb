import { z } from 'zod'
import { tagsExample } from '../../content/examples.js'
import { operation } from '../../src/contract/operation.js'
import { PopularTags } from '../feed/creation.js'
import { popularTags } from './queries.js'

const MAX_TAGS = 100

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
