/** The feed: one document per creation, with all that pages, filters, sorts, searches and the landing need. */
import { category, counters, creation, creator, like } from '../../readmodels/feed/documents.js'
import { creatorNames, terms, wordCounts } from '../../readmodels/feed/search/documents.js'
import { weightOf } from '../../readmodels/feed/trending.js'
import { tagKeys } from '../../readmodels/tags/tag-key.js'
import { addTo, countBy, declared, show } from '../../src/engine/declared/index.js'
import { namesDoc, rankedForms, termsDoc, wordDoc } from './search-terms.js'

export const feedProjection = declared({
  name: 'feed',
  version: 7,
  keeps: [creation, creator, like, category],
  on: {
    'creator.registered': ({ data: { handle, displayName, avatarUrl } }) => creator({ registered: true, handle, displayName, avatarUrl }),
    'creator.profile_changed': ({ data: { displayName, avatarUrl } }) => creator({ displayName, avatarUrl }),
    'creator.handle_changed': ({ data: { handle } }) => creator({ handle }),
    // `creatorId`, `remixOf` and `publishedAt` keep what the lowest sequence said.
    'creation.published': ({ key, data, time }) =>
      creation({
        creatorId: data.creatorId,
        // A remix of itself is none.
        remixOf: data.remixOf === key ? null : data.remixOf,
        publishedAt: time,
        published: true,
        kind: data.kind,
        slug: data.slug,
        title: data.title,
        description: data.description,
        category: data.category,
        tags: tagKeys(data.tags),
        coverUrl: data.coverUrl,
        updatedAt: time,
      }),
    'creation.edited': ({ data: { creationId: _, tags, ...fields }, time }) =>
      creation({ ...fields, tags: tags && tagKeys(tags), updatedAt: time }),
    'creation.unpublished': () => creation({ published: false }),
    'creation.republished': () => creation({ published: true }),
    'creation.featured': ({ data }) => creation({ featured: true, spotlight: data.spotlight }),
    'creation.unfeatured': () => creation({ featured: false, spotlight: false }),
    // `firstAt` is that of the like with the lowest sequence.
    'creation.liked': ({ data, time }) => like(data.userId, { active: true, firstAt: time }),
    'creation.unliked': ({ data }) => like(data.userId, { active: false }),
    // Added, not set. Who played or scored is not kept, so nothing has to be taken back when they are erased.
    'creation.played': ({ time }) => creation({ plays: 1, heat: weightOf('play', time) }),
    'creation.scored': ({ time }) => creation({ heat: weightOf('score', time) }),
    'category.defined': ({ data: { label, order, coverUrl } }) => category({ label, order, coverUrl }),
  },
  views: [
    countBy(creation, ['facets'], ({ facets }) => facets, { into: counters, doc: (_facet, count) => ({ count }) }),
    show(creation, ['isPublic', 'title', 'description', 'tags', 'quality', 'kind', 'featured', 'category'], terms, (c) =>
      c.isPublic ? termsDoc(c) : null,
    ),
    countBy(creation, ['isPublic', 'title', 'tags'], (c) => (c.isPublic ? rankedForms(c) : []), { into: wordCounts, doc: wordDoc }),
    show(creator, ['registered', 'handle', 'displayName'], creatorNames, ({ registered, handle, displayName }) =>
      registered && handle !== null ? namesDoc(displayName, handle) : null,
    ),
    // A like that is taken back has raised `trending` all the same.
    addTo(creation, { of: like, through: 'creationId', reads: ['active', 'firstAt'], adds: ['likes', 'heat'] }, ({ active, firstAt }) => ({
      likes: active ? 1 : 0,
      heat: firstAt === null ? 0n : weightOf('like', firstAt),
    })),
    // So has a remix that is not public, or never was.
    addTo(creation, { of: creation, through: 'remixOf', reads: ['isPublic', 'publishedAt'], adds: ['remixes', 'heat'] }, (remix) => ({
      remixes: remix.isPublic ? 1 : 0,
      heat: weightOf('remix', remix.publishedAt),
    })),
    addTo(
      creator,
      { of: creation, through: 'creatorId', reads: ['isPublic', 'likes', 'plays', 'remixes'], adds: ['apps', 'likes', 'plays', 'remixes'] },
      ({ isPublic, likes, plays, remixes }) => (isPublic ? { apps: 1, likes, plays, remixes } : null),
    ),
  ],
})
