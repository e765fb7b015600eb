import t from 'tap'
import { profilesProjection } from '../../projections/profiles/index.js'
import { follows, profiles } from '../../readmodels/profiles/documents.js'
import { but, erased, followed, handleChanged, minutes, profileChanged, registered, unfollowed } from '../spec/events.js'
import { holds, lists, only, projecting } from '../spec/given.js'

const { given, when } = projecting(profilesProjection)

const ann = registered('ann', {
  handle: 'Ann',
  displayName: 'Ann Lee',
  bio: 'Makes clocks',
  avatarUrl: 'https://img.example/ann.png',
  links: [{ label: 'Home', url: 'https://ann.example' }],
})

t.test('creator.registered: the whole profile', (t) =>
  when(ann).then(
    t,
    only(profiles, {
      ann: {
        _id: 'ann',
        seq: 1,
        removed: false,
        registered: true,
        handle: 'Ann',
        handleKey: 'ann',
        handleAt: 1,
        displayName: 'Ann Lee',
        bio: 'Makes clocks',
        avatarUrl: 'https://img.example/ann.png',
        links: [{ label: 'Home', url: 'https://ann.example' }],
        joinedAt: minutes(1),
        followers: 0,
        following: 0,
      },
    }),
    lists(profiles, 'byHandle', ['ann'], ['ann']),
  ),
)

t.test('creator.profile_changed: named fields change, absent ones stay', async (t) => {
  await t.test('one field', (t) =>
    given(ann)
      .when(profileChanged('ann', { bio: '' }))
      .then(t, holds(profiles, { ann: { bio: '', displayName: 'Ann Lee', avatarUrl: 'https://img.example/ann.png', handle: 'Ann' } })),
  )
  await t.test('all fields', (t) =>
    given(ann)
      .when(profileChanged('ann', { displayName: 'A', bio: 'B', avatarUrl: null, links: [] }))
      .then(t, holds(profiles, { ann: { displayName: 'A', bio: 'B', avatarUrl: null, links: [], joinedAt: minutes(1) } })),
  )
  await t.test('before the registration: there is no profile', (t) =>
    when(profileChanged('ann', { displayName: 'A' })).then(
      t,
      holds(profiles, { ann: { registered: false, handle: null, handleKey: null } }),
    ),
  )
})

t.test('creator.handle_changed: the new one resolves, the old one does not', async (t) => {
  await t.test('registered', (t) =>
    given(ann)
      .when(handleChanged('ann', 'LEE'))
      .then(
        t,
        holds(profiles, { ann: { handle: 'LEE', handleKey: 'lee', handleAt: 2 } }),
        lists(profiles, 'byHandle', ['lee'], ['ann']),
        lists(profiles, 'byHandle', ['ann'], []),
      ),
  )
  await t.test('before the registration it claims nothing', (t) =>
    when(handleChanged('ann', 'lee')).then(
      t,
      holds(profiles, { ann: { seq: 1, handleKey: null } }),
      lists(profiles, 'byHandle', ['lee'], []),
    ),
  )
  await t.test('taken over by another creator, who is then erased', (t) =>
    given(ann, registered('bob', { handle: 'aNN' }))
      .when(erased('bob'))
      .then(t, lists(profiles, 'byHandle', ['ann'], ['ann'])),
  )
})

t.test('creator.followed: one edge, counted at both ends, newest first', (t) =>
  given(ann, registered('bob'), registered('cyd'))
    .when(followed('ann', 'bob'), followed('ann', 'cyd'), followed('bob', 'cyd'))
    .then(
      t,
      only(follows, {
        'ann~bob': { followedId: 'ann', followerId: 'bob', since: minutes(4) },
        'ann~cyd': { since: minutes(5) },
        'bob~cyd': { since: minutes(6) },
      }),
      holds(profiles, { ann: { followers: 2, following: 0 }, bob: { followers: 1, following: 1 }, cyd: { followers: 0, following: 2 } }),
      lists(follows, 'followers', ['ann'], ['ann~cyd', 'ann~bob']),
      lists(follows, 'following', ['cyd'], ['bob~cyd', 'ann~cyd']),
    ),
)

t.test('creator.followed twice counts once, and renews the date', (t) =>
  given(ann, followed('ann', 'bob'))
    .when(but(followed('ann', 'bob'), { time: minutes(99) }))
    .then(t, only(follows, { 'ann~bob': { since: minutes(99) } }), holds(profiles, { ann: { followers: 1 }, bob: { following: 1 } })),
)

t.test('creator.followed by, and of, unknown people: stubs that their registration fills', async (t) => {
  await t.test('before', (t) =>
    when(followed('ann', 'ghost')).then(
      t,
      holds(profiles, {
        ann: { seq: 1, registered: false, followers: 1 },
        ghost: { seq: 0, registered: false, following: 1, handleKey: null },
      }),
    ),
  )
  await t.test('after', (t) =>
    given(followed('ann', 'ghost'))
      .when(registered('ghost'), ann)
      .then(t, holds(profiles, { ann: { handle: 'Ann', followers: 1 }, ghost: { handle: 'ghost', following: 1, joinedAt: minutes(2) } })),
  )
})

t.test('creator.unfollowed: the edge is inactive and in no list', async (t) => {
  await t.test('after a follow', (t) =>
    given(ann, registered('bob'), followed('ann', 'bob'))
      .when(unfollowed('ann', 'bob'), unfollowed('ann', 'bob'))
      .then(
        t,
        holds(follows, { 'ann~bob': { since: null } }),
        lists(follows, 'followers', ['ann'], []),
        lists(follows, 'following', ['bob'], []),
        holds(profiles, { ann: { followers: 0, seq: 4 }, bob: { following: 0 } }),
      ),
  )
  await t.test('without one', (t) =>
    given(ann, registered('bob'))
      .when(unfollowed('ann', 'bob'))
      .then(t, holds(follows, { 'ann~bob': { since: null } }), holds(profiles, { ann: { followers: 0 }, bob: { following: 0 } })),
  )
  await t.test('followed again: a new date', (t) =>
    given(ann, followed('ann', 'bob'), unfollowed('ann', 'bob'))
      .when(followed('ann', 'bob'))
      .then(t, only(follows, { 'ann~bob': { since: minutes(4) } }), holds(profiles, { ann: { followers: 1 } })),
  )
})

t.test('following oneself counts at both ends of the same person', (t) =>
  given(ann)
    .when(followed('ann', 'ann'))
    .then(t, holds(profiles, { ann: { followers: 1, following: 1 } })),
)

t.test('creator.removed: a tombstone; the follows of both directions go, and their counts at the other end', (t) =>
  given(
    ann,
    registered('bob'),
    registered('cyd'),
    followed('ann', 'bob'),
    followed('bob', 'ann'),
    followed('bob', 'cyd'),
    followed('ann', 'ann'),
  )
    .when(erased('ann'))
    .then(
      t,
      holds(profiles, { ann: { _id: 'ann', seq: 4, removed: true }, bob: { followers: 1, following: 0 }, cyd: { following: 1 } }),
      only(follows, { 'bob~cyd': {} }),
      lists(profiles, 'byHandle', ['ann'], []),
    ),
)

t.test('after creator.removed nothing names them any more', (t) =>
  given(ann, registered('bob'))
    .when(
      erased('ann'),
      ann,
      followed('bob', 'ann'),
      followed('ann', 'bob'),
      profileChanged('ann', { bio: 'back' }),
      unfollowed('bob', 'ann'),
    )
    .then(t, only(follows, {}), only(profiles, { ann: { _id: 'ann', seq: 5, removed: true }, bob: { followers: 0, following: 0 } })),
)
