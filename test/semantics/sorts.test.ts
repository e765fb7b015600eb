import t from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { counters, items } from '../../readmodels/feed/documents.js'
import { EVERYTHING, type Filter, facetOf, SPOTLIGHT } from '../../readmodels/feed/facets.js'
import {
  but,
  edited,
  erased,
  featured,
  handleChanged,
  liked,
  minutes,
  played,
  published,
  registered,
  removed,
  republished,
  scored,
  type Told,
  unfeatured,
  unliked,
  unpublished,
} from '../spec/events.js'
import { World } from '../spec/world.js'

t.test('semantics 11: the order of adding cannot matter, and taking a like back subtracts nothing', async (t) => {
  const engagement = [liked('c1', 'u1'), liked('c1', 'u2'), played('c1'), scored('c1', 'u3', 5), unliked('c1', 'u1'), liked('c1', 'u1')]
  const timed = engagement.map((told, i) => but(told, { time: minutes(i * 977) }))
  const heats = new Set<string>()
  for (const order of [
    [0, 1, 2, 3, 4, 5],
    [3, 2, 1, 0, 4, 5],
    [1, 3, 0, 2, 4],
    [2, 0, 3, 1],
  ]) {
    const world = await World.open(t, feedProjection)
    await world.tell(registered('ann'), published('c1', { by: 'ann' }), ...order.flatMap((i) => timed[i] ?? []))
    const item = await world.doc(items, 'c1')
    if (item !== undefined && !item.removed) heats.add(`${item.heat} ${item.trending}`)
  }
  t.equal(heats.size, 1, [...heats].join())
})

t.test('semantics 11: every sort lists everything public once; ties by id, highest first', async (t) => {
  const world = await World.open(t, feedProjection)
  const same = { time: minutes(1) }
  await world.tell(but(registered('ann'), same), ...['b', 'a', 'd', 'c'].map((id) => but(published(id, { by: 'ann' }), same)))
  for (const sort of ['trending', 'recent', 'popular', 'remixed', 'liked'])
    t.strictSame(await world.ids(items, { index: sort, equals: [EVERYTHING] }), ['d', 'c', 'b', 'a'], sort)
})

/** Everything that can change a facet, one after the other. */
const FACET_STORY: Told[] = [
  registered('ann'),
  registered('bob'),
  published('c1', { by: 'ann', category: 'games', tags: ['x', 'y'] }),
  published('c2', { by: 'ann', category: 'games', tags: ['y'] }),
  published('c3', { by: 'bob', category: 'music', tags: ['x', 'a|b', 'games'] }),
  published('c4', { by: 'cyd', category: 'music', tags: ['y'] }),
  featured('c1'),
  featured('c3', true),
  featured('c4', true),
  registered('cyd'),
  edited('c2', { tags: ['x', 'z'] }),
  edited('c1', { category: 'music' }),
  liked('c1', 'bob'),
  played('c3'),
  unpublished('c3'),
  edited('c3', { tags: ['y'], category: 'games' }),
  republished('c3'),
  unfeatured('c1'),
  published('c2', { by: 'ann', category: 'music', tags: [] }),
  removed('c1'),
  featured('c2'),
  handleChanged('bob', 'bobby'),
  erased('bob'),
  erased('cyd'),
  edited('c2', { tags: ['x'] }),
]

t.test('semantics 12: totals are exact for every combination of featured × category × tag, after every event', async (t) => {
  const world = await World.open(t, feedProjection)
  const combinations: Filter[] = [false, true].flatMap((featuredOnly) =>
    [null, 'games', 'music', 'nowhere'].flatMap((category) =>
      [null, 'x', 'y', 'z', 'a|b', 'games', 'nothing'].map((tag) => ({ featuredOnly, category, tag })),
    ),
  )
  for (const event of FACET_STORY) {
    await world.tell(event)
    const all = (await world.all(items)).filter((item) => !item.removed && item.published && item.creator !== null)
    const expected = new Map<string, number>()
    for (const filter of combinations) {
      const matching = all.filter(
        (item) =>
          !item.removed &&
          (!filter.featuredOnly || item.featured) &&
          (filter.category === null || item.category === filter.category) &&
          (filter.tag === null || item.tags.includes(filter.tag)),
      )
      if (matching.length > 0) expected.set(facetOf(filter), matching.length)
    }
    const spotlight = all.filter((item) => !item.removed && item.spotlight).length
    if (spotlight > 0) expected.set(SPOTLIGHT, spotlight)
    const found = new Map((await world.all(counters)).map(({ _id, count }) => [_id, count]))
    t.strictSame(Object.fromEntries(found), Object.fromEntries(expected), `after ${event.type} of ${event.subject}`)
    for (const [facet, count] of found) t.equal(await world.store.count(items, { index: 'recent', equals: [facet] }), count)
  }
})
