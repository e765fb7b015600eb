import t from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { creators, items } from '../../readmodels/feed/documents.js'
import { EVERYTHING } from '../../readmodels/feed/facets.js'
import { handleChanged, profileChanged, published, registered, unpublished } from '../spec/events.js'
import { holds, lists, only, projecting } from '../spec/given.js'

const { given, when } = projecting(feedProjection)

const card = (handle: string, displayName = 'ann in full', avatarUrl: string | null = null) => ({ handle, displayName, avatarUrl })

t.test('creator.registered: the card, and a claim on the handle without case', (t) =>
  when(registered('ann', { handle: 'AnnLee' })).then(
    t,
    only(creators, {
      ann: { seq: 1, removed: false, registered: true, handle: 'AnnLee', handleKey: 'annlee', handleAt: 1, displayName: 'ann in full' },
    }),
  ),
)

t.test('creator.profile_changed: every embedded card follows, public or hidden; absent fields stay', (t) =>
  given(
    registered('ann', { avatarUrl: 'https://img.example/a.png' }),
    registered('bob'),
    published('c1', { by: 'ann' }),
    published('c2', { by: 'ann' }),
    published('c3', { by: 'bob' }),
    unpublished('c2'),
  )
    .when(profileChanged('ann', { displayName: 'Ann the Second' }))
    .then(
      t,
      holds(items, {
        c1: { creator: card('ann', 'Ann the Second', 'https://img.example/a.png') },
        c2: { creator: card('ann', 'Ann the Second', 'https://img.example/a.png'), facets: [] },
        c3: { creator: card('bob', 'bob in full') },
      }),
    ),
)

t.test('creator.profile_changed: a null avatar takes the picture away', (t) =>
  given(registered('ann', { avatarUrl: 'https://img.example/a.png' }), published('c1', { by: 'ann' }))
    .when(profileChanged('ann', { avatarUrl: null }))
    .then(t, holds(items, { c1: { creator: card('ann') } })),
)

t.test('creator.profile_changed before the registration makes nothing public', (t) =>
  given(published('c1', { by: 'ann' }))
    .when(profileChanged('ann', { displayName: 'Too early' }))
    .then(t, holds(items, { c1: { creator: null, facets: [] } }), holds(creators, { ann: { registered: false, handle: null } })),
)

t.test('creator.handle_changed: the new handle resolves, the old one does not, all cards follow', (t) =>
  given(registered('ann'), published('c1', { by: 'ann' }), published('c2', { by: 'ann' }))
    .when(handleChanged('ann', 'Annie'))
    .then(
      t,
      holds(items, { c1: { creator: card('Annie') }, c2: { creator: card('Annie') } }),
      holds(creators, { ann: { handle: 'Annie', handleKey: 'annie', handleAt: 4 } }),
      lists(creators, 'byHandle', ['annie'], ['ann']),
      lists(creators, 'byHandle', ['ann'], []),
      // The index key is the creator id and the slug, so a new handle does not move pages in the index.
      lists(items, 'byAddress', ['ann/c1-slug'], ['c1']),
    ),
)

t.test("creator.handle_changed: remixes show the original's new address", (t) =>
  given(registered('ann'), registered('bob'), published('c1', { by: 'ann' }), published('c2', { by: 'bob', remixOf: 'c1' }))
    .when(handleChanged('ann', 'annie'))
    .then(
      t,
      holds(items, {
        c2: { original: { handle: 'annie', slug: 'c1-slug', title: { en: 'c1 title' } }, creator: card('bob', 'bob in full') },
      }),
    ),
)

t.test('creator.handle_changed before the registration claims nothing', (t) =>
  given(handleChanged('ann', 'early'), published('c1', { by: 'ann' })).then(
    t,
    holds(creators, { ann: { registered: false, handleKey: null } }),
    holds(items, { c1: { creator: null } }),
    lists(creators, 'byHandle', ['early'], []),
  ),
)

t.test('creator.registered: all waiting creations become public at once', (t) =>
  given(published('c1', { by: 'ann' }), published('c2', { by: 'ann' }), published('c3', { by: 'bob' }), unpublished('c2'))
    .when(registered('ann'))
    .then(
      t,
      lists(items, 'recent', [EVERYTHING], ['c1']),
      holds(items, { c1: { creator: card('ann') }, c2: { creator: card('ann'), facets: [] }, c3: { creator: null } }),
      holds(creators, { ann: { creations: 2, apps: 1 } }),
    ),
)
