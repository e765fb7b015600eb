import t from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { creators, items, likes } from '../../readmodels/feed/documents.js'
import { EVERYTHING } from '../../readmodels/feed/facets.js'
import { terms } from '../../readmodels/feed/search/documents.js'
import { type Engagement, trendingKey, weightOf } from '../../readmodels/feed/trending.js'
import { but, DAY, erased, liked, minutes, played, published, registered, removed, scored, unliked, unpublished } from '../spec/events.js'
import { holds, lists, only, projecting } from '../spec/given.js'
import { Script } from '../spec/script.js'
import { World } from '../spec/world.js'
import { project } from '../support/project-log.js'
import { replacing } from '../support/replacing.js'

const { given } = projecting(feedProjection)

const shown = [registered('ann'), published('c1', { by: 'ann' })]

/** The sum that trending sorts by, from what happened at which minute. */
function heat(...engagements: [Engagement, number][]) {
  const sum = engagements.reduce((total, [kind, minute]) => total + weightOf(kind, minutes(minute)), 0n).toString(16)
  return { heat: sum, trending: trendingKey(sum) }
}

t.test('creation.liked: an edge, a count, heat, and the creator’s total', (t) =>
  given(...shown)
    .when(liked('c1', 'bob'))
    .then(
      t,
      holds(items, { c1: { likes: 1, ...heat(['like', 3]) } }),
      only(likes, { 'c1~bob': { userId: 'bob', active: true, firstAt: minutes(3) } }),
      holds(creators, { ann: { likes: 1 } }),
    ),
)

t.test('events of unknown types are no gaps, so that many of them do not hide a play that comes late', async (t) => {
  const unknown = (sequence: number) => but(liked('c1', 'bob'), { sequence, type: 'creation.commented.v1' })
  const commented = Array.from({ length: 1100 }, (_, i) => [but(liked('c1', `u${i}`), { sequence: 2 * i + 3 }), unknown(2 * i + 4)])
  const told = [registered('ann'), but(published('c1', { by: 'ann' }), { sequence: 1 }), ...commented.flat()]
  for (const order of [told, told.toReversed()]) {
    const dump = await project(feedProjection, new Script().write(...order, but(played('c1'), { sequence: 2 })))
    t.match(JSON.parse(dump.get('items/c1') ?? ''), { seq: 2202, gaps: [], likes: 1100, plays: 1 })
  }
})

t.test('creation.liked by the creator, and by an unknown user: counted like all others', (t) =>
  given(...shown)
    .when(liked('c1', 'ann'), liked('c1', 'anonymous'))
    .then(t, holds(items, { c1: { likes: 2 } }), holds(creators, { ann: { likes: 2 }, anonymous: null })),
)

t.test('creation.unliked twice takes back once; the heat stays', (t) =>
  given(...shown, liked('c1', 'bob'), liked('c1', 'cyd'))
    .when(unliked('c1', 'bob'), unliked('c1', 'bob'))
    .then(
      t,
      holds(items, { c1: { likes: 1, ...heat(['like', 3], ['like', 4]) } }),
      holds(likes, { 'c1~bob': { active: false, firstAt: minutes(3) }, 'c1~cyd': { active: true } }),
      holds(creators, { ann: { likes: 1 } }),
    ),
)

t.test('like, unlike, like: counted again, but trending only once', (t) =>
  given(...shown, liked('c1', 'bob'), unliked('c1', 'bob'))
    .when(liked('c1', 'bob'))
    .then(
      t,
      holds(items, { c1: { likes: 1, ...heat(['like', 3]) } }),
      only(likes, { 'c1~bob': { userId: 'bob', active: true, firstAt: minutes(3) } }),
    ),
)

t.test('likes before the publication wait in the stub', (t) =>
  given(registered('ann'), liked('c1', 'bob'), played('c1'))
    .when(published('c1', { by: 'ann' }))
    .then(
      t,
      holds(items, { c1: { likes: 1, plays: 1, ...heat(['like', 2], ['play', 3]) } }),
      holds(creators, { ann: { likes: 1, plays: 1 } }),
    ),
)

t.test('creation.played: a total and heat; the player is not stored', (t) =>
  given(...shown)
    .when(played('c1', 'bob'), played('c1', 'bob'), played('c1', 'cyd'))
    .then(
      t,
      holds(items, { c1: { plays: 3, ...heat(['play', 3], ['play', 4], ['play', 5]) } }),
      holds(creators, { ann: { plays: 3 } }),
      async (t, world) => t.notMatch(JSON.stringify(await world.dump()), 'bob', 'plays are anonymous'),
    ),
)

t.test('creation.scored: heat, and nothing else in the feed', (t) =>
  given(...shown)
    .when(scored('c1', 'bob', 900))
    .then(t, holds(items, { c1: { plays: 0, likes: 0, ...heat(['score', 3]) } }), async (t, world) =>
      t.notMatch(JSON.stringify(await world.dump()), 'bob', 'who scored is not the feed’s business'),
    ),
)

t.test('engagement with something hidden does not count for its creator until it is shown', (t) =>
  given(...shown, unpublished('c1'))
    .when(liked('c1', 'bob'), played('c1'), scored('c1', 'bob', 1), unliked('c1', 'bob'))
    .then(
      t,
      holds(items, { c1: { likes: 0, plays: 1, facets: [], ...heat(['like', 4], ['play', 5], ['score', 6]) } }),
      holds(creators, { ann: { likes: 0, plays: 0, apps: 0 } }),
    ),
)

t.test('creation.removed takes its likes with it', (t) =>
  given(...shown, published('c10', { by: 'ann' }), liked('c1', 'bob'), liked('c1', 'cyd'), unliked('c1', 'cyd'), liked('c10', 'bob'))
    .when(removed('c1'))
    .then(t, only(likes, { 'c10~bob': { active: true } }), holds(creators, { ann: { likes: 1 } })),
)

t.test('an erased person’s likes go, with their count and their heat, active or not', (t) =>
  given(...shown, published('c2', { by: 'ann' }), liked('c1', 'bob'), liked('c2', 'bob'), unliked('c2', 'bob'), liked('c2', 'cyd'))
    .when(erased('bob'), liked('c1', 'bob'))
    .then(
      t,
      holds(items, { c1: { likes: 0, ...heat() }, c2: { likes: 1, ...heat(['like', 7]) } }),
      only(likes, { 'c2~cyd': { active: true } }),
      holds(creators, { ann: { likes: 1 }, bob: { _id: 'bob', seq: 1, removed: true } }),
    ),
)

t.test('trending: one like today beats one of last week, a hundred of last week beat one today', (t) =>
  given(
    registered('ann'),
    ...['c1', 'c2', 'c3'].map((id) => published(id, { by: 'ann' })),
    but(liked('c1', 'u0'), { time: minutes(0) }),
    ...Array.from({ length: 100 }, (_, i) => but(liked('c2', `u${i}`), { time: minutes(0) })),
  )
    .when(but(liked('c3', 'u0'), { time: minutes(0) + 7 * DAY }))
    .then(t, lists(items, 'trending', [EVERYTHING], ['c2', 'c3', 'c1'])),
)

t.test('engagement rewrites neither search terms nor counters', async (t) => {
  const written = new Set<string>()
  const world = await World.open(t, feedProjection, {
    between: (store) =>
      replacing(store, {
        commit: (commit) => {
          for (const { collection } of commit.writes) written.add(collection.name)
          return store.commit(commit)
        },
      }),
  })
  await world.tell(...shown)
  t.ok(written.has(terms.name) && written.has('counters'), 'publishing writes them')
  written.clear()
  await world.tell(liked('c1', 'bob'), unliked('c1', 'bob'), played('c1'), scored('c1', 'bob', 5))
  t.strictSame([...written].sort(), ['creators', 'items', 'likes'])
})
