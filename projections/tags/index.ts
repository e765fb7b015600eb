/**
 * Tags and how many public creations carry each: exact, and never negative.
 *
 * To read first: its states, events and views are all here. The words are explained in `src/engine/declared/index.ts`.
 * States that readers read, as in `feed` and `profiles`, stand in `readmodels/`.
 */
import { z } from 'zod'
import { tags, tagTotal } from '../../readmodels/tags/documents.js'
import { tagKeys, tagLabel } from '../../readmodels/tags/tag-key.js'
import { countBy, declared, first, latest, person, state } from '../../src/engine/declared/index.js'

export const creator = state('creator', { registered: latest(false) }, { name: 'tagCreators' })

export const creation = state(
  'creation',
  // Whose it is: it goes when they are erased.
  { creatorId: first(person), published: latest(false), tags: latest(z.array(z.string()), []) },
  { name: 'tagged' },
)
  // Of the creator whose id is in `creatorId`.
  .join('creator', creator.of('creatorId', ['registered']))

export const tagsProjection = declared({
  name: 'tags',
  version: 4,
  keeps: [creation, creator],
  on: {
    'creator.registered': () => creator({ registered: true }),
    'creation.published': ({ data }) => creation({ creatorId: data.creatorId, published: true, tags: tagKeys(data.tags) }),
    'creation.edited': ({ data }) => creation({ tags: data.tags && tagKeys(data.tags) }),
    'creation.unpublished': () => creation({ published: false }),
    'creation.republished': () => creation({ published: true }),
  },
  views: [
    countBy(creation, ['published', 'creator', 'tags'], (c) => (c.published && c.creator.registered ? c.tags : []), {
      into: tags,
      doc: (key, count) => ({ label: tagLabel(key), count, rank: -count }),
      // How many tags there are.
      distinct: tagTotal,
    }),
  ],
})
