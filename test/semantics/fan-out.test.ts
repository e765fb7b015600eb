import t from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { items, likes } from '../../readmodels/feed/documents.js'
import { edited, erased, liked, profileChanged, published, registered } from '../spec/events.js'
import { holds, lists, projecting } from '../spec/given.js'

const { given, when } = projecting(feedProjection)

t.test('semantics 15: a fan-out sees the store and the working set, at its event’s turn', async (t) => {
  const named = (displayName: string) => ({ creator: { handle: 'ann', displayName, avatarUrl: null } })
  await t.test('a creation of this batch and one of an earlier batch', (t) =>
    given(registered('ann'), published('c1', { by: 'ann' }))
      .when(published('c2', { by: 'ann' }), profileChanged('ann', { displayName: 'New' }))
      .then(t, holds(items, { c1: named('New'), c2: named('New') })),
  )
  await t.test('all in one batch, before and after the change', (t) =>
    when(
      published('c1', { by: 'ann' }),
      registered('ann'),
      published('c2', { by: 'ann' }),
      profileChanged('ann', { displayName: 'Second' }),
      published('c3', { by: 'ann' }),
      profileChanged('ann', { displayName: 'Third' }),
      published('c4', { by: 'ann' }),
    ).then(t, holds(items, Object.fromEntries(['c1', 'c2', 'c3', 'c4'].map((id) => [id, named('Third')])))),
  )
  await t.test('a like of this batch, taken back by an erasure in the same batch', (t) =>
    given(registered('ann'), published('c1', { by: 'ann' }), liked('c1', 'old'))
      .when(liked('c1', 'bob'), erased('bob'), liked('c1', 'cyd'))
      .then(t, holds(items, { c1: { likes: 2 } }), holds(likes, { 'c1~bob': null })),
  )
  await t.test('what left the range of the fan-out earlier in the batch is not changed by it', (t) =>
    given(registered('ann'), published('c1', { by: 'ann' }), published('c2', { by: 'bob', remixOf: 'c1' }))
      .when(erased('bob'), edited('c1', { title: { en: 'x' } }))
      .then(t, holds(items, { c2: { _id: 'c2', seq: 1, removed: true } })),
  )
})

t.test('semantics 15: what an edit needs and only the loaded documents know', (t) =>
  given(registered('ann'), published('c1', { by: 'ann', category: 'games', tags: ['old'] }))
    .when(edited('c1', { tags: ['new'] }))
    .then(t, lists(items, 'recent', ['|games|old'], []), lists(items, 'recent', ['|games|new'], ['c1'])),
)
