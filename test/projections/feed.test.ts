import t from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { categories, creators, items } from '../../readmodels/feed/documents.js'
import { EVERYTHING, FEATURED, inCategory, SPOTLIGHT } from '../../readmodels/feed/facets.js'
import { terms } from '../../readmodels/feed/search/documents.js'
import {
  but,
  defined,
  edited,
  featured,
  liked,
  minutes,
  played,
  published,
  registered,
  removed,
  republished,
  unpublished,
} from '../spec/events.js'
import { holds, lists, only, projecting } from '../spec/given.js'

const { given } = projecting(feedProjection)

const ann = registered('ann', { displayName: 'Ann Lee', avatarUrl: 'https://img.example/ann.png' })

t.test('creation.published: the item holds everything a page shows', (t) =>
  given(ann)
    .when(
      published('c1', {
        by: 'ann',
        slug: 'tide-clock',
        kind: 'widget',
        title: { en: 'Tide clock', de: 'Gezeitenuhr' },
        description: { en: 'High water at a glance' },
        category: 'weather',
        tags: ['Sea', '#sea', 'Home Screen'],
        coverUrl: 'https://img.example/tide.png',
      }),
    )
    .then(
      t,
      only(items, {
        c1: {
          _id: 'c1',
          seq: 1,
          removed: false,
          published: true,
          creatorId: 'ann',
          kind: 'widget',
          slug: 'tide-clock',
          slugAt: 2,
          title: { en: 'Tide clock', de: 'Gezeitenuhr' },
          description: { en: 'High water at a glance' },
          category: 'weather',
          tags: ['sea', 'home-screen'],
          coverUrl: 'https://img.example/tide.png',
          featured: false,
          spotlight: false,
          publishedAt: minutes(2),
          updatedAt: minutes(2),
          creator: { handle: 'ann', displayName: 'Ann Lee', avatarUrl: 'https://img.example/ann.png' },
          remixOf: null,
          original: null,
          originalCreatorId: [],
          derivatives: 0,
          likes: 0,
          plays: 0,
          remixes: 0,
          heat: '0',
          trending: 0,
          facets: ['||', '||sea', '||home-screen', '|weather|', '|weather|sea', '|weather|home-screen'],
          publicAddress: 'ann/tide-clock',
          publicCreatorId: 'ann',
          publicRemixOf: null,
        },
      }),
      holds(creators, { ann: { creations: 1, apps: 1, likes: 0, plays: 0, remixes: 0 } }),
      only(terms, { c1: { terms: ['a', 'at', 'clock', 'gezeitenuhr', 'glance', 'high', 'home', 'screen', 'sea', 'tide', 'water'] } }),
    ),
)

t.test('creation.published a second time: an edit that shows it again, but never changes whose it is', (t) =>
  given(ann, registered('bob'), published('c1', { by: 'ann', slug: 'first' }), unpublished('c1'))
    .when(published('c1', { by: 'bob', slug: 'second', title: { en: 'Second' }, remixOf: 'c9' }))
    .then(
      t,
      holds(items, {
        c1: { creatorId: 'ann', slug: 'second', title: { en: 'Second' }, remixOf: null, publishedAt: minutes(3), updatedAt: minutes(5) },
      }),
      holds(creators, { ann: { creations: 1, apps: 1 }, bob: { creations: 0, apps: 0 } }),
      lists(items, 'ofCreator', ['ann'], ['c1']),
    ),
)

t.test('creation.edited: named fields change, absent ones stay', async (t) => {
  const before = published('c1', { by: 'ann', slug: 'one', category: 'puzzles', tags: ['logic'], coverUrl: 'https://img.example/1.png' })
  await t.test('texts: search follows', (t) =>
    given(ann, before)
      .when(edited('c1', { title: { en: 'Maze' }, description: { en: 'Find the exit' } }))
      .then(
        t,
        holds(items, {
          c1: {
            title: { en: 'Maze' },
            description: { en: 'Find the exit' },
            slug: 'one',
            slugAt: 2,
            tags: ['logic'],
            publishedAt: minutes(2),
          },
        }),
        holds(items, { c1: { updatedAt: minutes(3), coverUrl: 'https://img.example/1.png', category: 'puzzles' } }),
        only(terms, { c1: { terms: ['exit', 'find', 'logic', 'maze', 'the'] } }),
      ),
  )
  await t.test('cover: null takes it away', (t) =>
    given(ann, before)
      .when(edited('c1', { coverUrl: null }))
      .then(t, holds(items, { c1: { coverUrl: null } })),
  )
  await t.test('an older time does not turn the clock back', (t) =>
    given(ann, before)
      .when(but(edited('c1', { title: { en: 'X' } }), { time: minutes(1) }))
      .then(t, holds(items, { c1: { title: { en: 'X' }, updatedAt: minutes(2) } })),
  )
  await t.test('while hidden: shown with the edit once it is public again', (t) =>
    given(ann, before, unpublished('c1'), edited('c1', { tags: ['calm'], title: { en: 'Maze' } }))
      .when(republished('c1'))
      .then(t, holds(items, { c1: { tags: ['calm'] } }), lists(terms, 'byTerm', ['maze'], ['c1']), lists(terms, 'byTerm', ['logic'], [])),
  )
})

t.test('creation.unpublished: hidden everywhere, its state kept; likes and plays go on counting', (t) =>
  given(ann, published('c1', { by: 'ann', tags: ['logic'] }), featured('c1', true), liked('c1', 'bob'))
    .when(unpublished('c1'), liked('c1', 'cyd'), played('c1'))
    .then(
      t,
      holds(items, {
        c1: { published: false, likes: 2, plays: 1, facets: [], publicAddress: null, publicCreatorId: null, tags: ['logic'] },
      }),
      holds(creators, { ann: { creations: 1, apps: 0, likes: 0, plays: 0 } }),
      ...[EVERYTHING, FEATURED, SPOTLIGHT, inCategory('puzzles')].map((facet) => lists(items, 'trending', [facet], [])),
      lists(items, 'byAddress', ['ann/c1-slug'], []),
      only(terms, {}),
    ),
)

t.test('creation.republished: back as it was, with what was counted while it was hidden', (t) =>
  given(ann, published('c1', { by: 'ann' }), liked('c1', 'bob'), unpublished('c1'), liked('c1', 'cyd'), played('c1'))
    .when(republished('c1'))
    .then(
      t,
      holds(items, { c1: { published: true, likes: 2, plays: 1, publishedAt: minutes(2), updatedAt: minutes(2) } }),
      holds(creators, { ann: { apps: 1, likes: 2, plays: 1 } }),
      lists(items, 'recent', [EVERYTHING], ['c1']),
      lists(items, 'byAddress', ['ann/c1-slug'], ['c1']),
      lists(terms, 'byTerm', ['c1'], ['c1']),
    ),
)

t.test('creation.removed: a tombstone, and nothing later brings it back', (t) =>
  given(ann, published('c1', { by: 'ann', tags: ['logic'] }), liked('c1', 'bob'), played('c1'))
    .when(removed('c1'), republished('c1'), published('c1', { by: 'ann' }), liked('c1', 'cyd'), edited('c1', { title: { en: 'Back' } }))
    .then(
      t,
      only(items, { c1: { _id: 'c1', seq: 8, removed: true } }),
      holds(creators, { ann: { creations: 0, apps: 0, likes: 0, plays: 0 } }),
      only(terms, {}),
      lists(items, 'recent', [EVERYTHING], []),
    ),
)

t.test('creation.featured and creation.unfeatured', async (t) => {
  const two = [ann, published('c1', { by: 'ann' }), published('c2', { by: 'ann' })]
  await t.test('in the spotlight, then featured without it', (t) =>
    given(...two, featured('c1', true), featured('c2', true))
      .when(featured('c1', false))
      .then(t, lists(items, 'recent', [FEATURED], ['c2', 'c1']), lists(items, 'recent', [SPOTLIGHT], ['c2'])),
  )
  await t.test('featured while hidden counts once it is shown', (t) =>
    given(...two, unpublished('c1'), featured('c1', true))
      .when(republished('c1'))
      .then(t, lists(items, 'recent', [SPOTLIGHT], ['c1'])),
  )
})

t.test('category.defined: added, then relabelled; unknown categories of creations need none', (t) =>
  given(defined('games', { label: { en: 'Games' }, order: 2 }), defined('music', { order: 1 }))
    .when(defined('games', { label: { en: 'Play', de: 'Spielen' }, order: 0, coverUrl: 'https://img.example/g.png' }))
    .then(
      t,
      only(categories, {
        games: { seq: 2, removed: false, label: { en: 'Play', de: 'Spielen' }, order: 0, coverUrl: 'https://img.example/g.png' },
        music: { seq: 1, order: 1, coverUrl: null },
      }),
      lists(categories, 'byOrder', [], ['games', 'music']),
    ),
)
