import t from 'tap'
import { creation, player, sharesProjection } from '../../projections/shares/index.js'
import { scores } from '../../readmodels/shares/documents.js'
import { but, erased, minutes, published, registered, removed, scored, unpublished } from '../spec/events.js'
import { holds, lists, only, projecting } from '../spec/given.js'

const { documents: scoredCreations } = creation
const { documents: players } = player
const { given, when } = projecting(sharesProjection)

const game = published('c1', { by: 'ann' })

t.test('creation.published: whose scores these will be', (t) =>
  when(game).then(t, only(scoredCreations, { c1: { _id: 'c1', seq: 1, removed: false, creatorId: 'ann' } })),
)

t.test('creation.published a second time does not change whose it is', (t) =>
  given(game)
    .when(published('c1', { by: 'bob' }))
    .then(t, holds(scoredCreations, { c1: { creatorId: 'ann' } })),
)

t.test('creation.scored: the best of each person stays', async (t) => {
  const first = scored('c1', 'bob', 100)
  const cases = [
    { name: 'better', next: scored('c1', 'bob', 101), score: 101, at: 3 },
    { name: 'worse', next: scored('c1', 'bob', 99), score: 100, at: 2 },
    { name: 'equal and later', next: scored('c1', 'bob', 100), score: 100, at: 2 },
    { name: 'equal and earlier', next: but(scored('c1', 'bob', 100), { time: minutes(1) }), score: 100, at: 1 },
    { name: 'worse and earlier', next: but(scored('c1', 'bob', 99), { time: minutes(1) }), score: 100, at: 2 },
  ]
  for (const { name, next, score, at } of cases)
    await t.test(name, (t) =>
      given(game, first)
        .when(next)
        .then(
          t,
          only(scores, { 'c1~bob': { creationId: 'c1', userId: 'bob', score, rank: -score, achievedAt: minutes(at) } }),
          holds(scoredCreations, { c1: { seq: 3 } }),
        ),
    )
})

t.test('the leaderboard: higher first, then earlier, then id; anonymous people too', (t) =>
  given(game, published('c10', { by: 'ann' }))
    .when(
      but(scored('c1', 'dan', 50), { time: minutes(7) }),
      but(scored('c1', 'cyd', 50), { time: minutes(7) }),
      but(scored('c1', 'eve', 50), { time: minutes(6) }),
      scored('c1', 'bob', 900),
      scored('c1', 'fay', -3),
      scored('c10', 'bob', 9),
      scored('c1', 'gus', 1.5),
      scored('c1', 'hal', 0),
    )
    .then(
      t,
      lists(scores, 'leaderboard', ['c1'], ['c1~bob', 'c1~eve', 'c1~cyd', 'c1~dan', 'c1~gus', 'c1~hal', 'c1~fay']),
      lists(scores, 'best', ['bob'], ['c1~bob', 'c10~bob']),
    ),
)

t.test('scores at the ends of what a number holds exactly', (t) =>
  given(game)
    .when(
      scored('c1', 'bob', Number.MAX_SAFE_INTEGER),
      scored('c1', 'cyd', Number.MAX_SAFE_INTEGER - 1),
      scored('c1', 'dan', Number.MIN_SAFE_INTEGER),
    )
    .then(t, lists(scores, 'leaderboard', ['c1'], ['c1~bob', 'c1~cyd', 'c1~dan'])),
)

t.test('minus zero and zero are one score', (t) =>
  given(game, scored('c1', 'bob', 0))
    .when(scored('c1', 'bob', -0), scored('c1', 'cyd', -0))
    .then(t, only(scores, { 'c1~bob': { score: 0, rank: 0, achievedAt: minutes(2) }, 'c1~cyd': { score: 0, rank: 0 } })),
)

t.test('creation.scored before the publication counts', (t) =>
  given(scored('c1', 'bob', 5))
    .when(game)
    .then(t, only(scores, { 'c1~bob': { score: 5 } }), holds(scoredCreations, { c1: { creatorId: 'ann', seq: 2 } })),
)

t.test('hidden creations keep their scores: readers come in through the feed', (t) =>
  given(game, scored('c1', 'bob', 5))
    .when(unpublished('c1'))
    .then(t, only(scores, { 'c1~bob': { score: 5 } })),
)

t.test('creation.removed: the leaderboard goes, and no later score brings it back', (t) =>
  given(game, published('c10', { by: 'ann' }), scored('c1', 'bob', 5), scored('c10', 'bob', 6))
    .when(removed('c1'), scored('c1', 'bob', 7))
    .then(t, only(scores, { 'c10~bob': { score: 6 } }), holds(scoredCreations, { c1: { _id: 'c1', seq: 4, removed: true } })),
)

t.test('creator.removed: their scores everywhere, and all scores in their creations', (t) =>
  given(
    game,
    published('c2', { by: 'bob' }),
    scored('c1', 'ann', 1),
    scored('c1', 'bob', 2),
    scored('c1', 'cyd', 3),
    scored('c2', 'ann', 4),
    scored('c2', 'cyd', 5),
  )
    .when(erased('ann'), scored('c2', 'ann', 999), published('c3', { by: 'ann' }), scored('c3', 'cyd', 6))
    .then(
      t,
      only(scores, { 'c2~cyd': { score: 5 } }),
      holds(scoredCreations, {
        c1: { _id: 'c1', seq: 4, removed: true },
        c3: { _id: 'c3', seq: 2, removed: true },
        c2: { creatorId: 'bob' },
      }),
      only(players, { ann: { _id: 'ann', seq: 1, removed: true } }),
    ),
)

t.test('creator.registered is none of its business', (t) => when(registered('ann')).then(t, only(players, {})))
