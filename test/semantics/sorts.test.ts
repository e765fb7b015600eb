import t, { type Test } from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { derivedLanding } from '../../projections/landing/index.js'
import { counters, items } from '../../readmodels/feed/documents.js'
import { EVERYTHING, type Filter, facetOf, SPOTLIGHT } from '../../readmodels/feed/facets.js'
import { LANDING_ID, landing, RAIL_LENGTH } from '../../readmodels/landing/documents.js'
import { readLanding } from '../../readmodels/landing/public-reads.js'
import {
  but,
  defined,
  edited,
  erased,
  featured,
  handleChanged,
  liked,
  minutes,
  played,
  profileChanged,
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
import { delegatingStore } from '../spec/stores.js'
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
    const world = await World.open(feedProjection)
    t.teardown(() => world.close())
    await world.tell(registered('ann'), published('c1', { by: 'ann' }), ...order.flatMap((i) => timed[i] ?? []))
    const item = await world.doc(items, 'c1')
    if (item !== undefined && !item.removed) heats.add(`${item.heat} ${item.trending}`)
  }
  t.equal(heats.size, 1, [...heats].join())
})

t.test('semantics 11: every sort lists everything public once; ties by id, highest first', async (t) => {
  const world = await World.open(feedProjection)
  t.teardown(() => world.close())
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
  const world = await World.open(feedProjection)
  t.teardown(() => world.close())
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

/** Rails full of what is liked, remixed and recent; two creations far below all of them; one that only its many old likes show. */
const FULL: Told[] = [
  registered('ann'),
  defined('games'),
  published('low', { by: 'ann', category: 'games' }),
  published('dim', { by: 'ann', category: 'games' }),
  published('fan', { by: 'ann', category: 'games' }),
  ...['u1', 'u2', 'u3'].map((user) => but(liked('fan', user), { time: 0 })),
  published('hidden', { by: 'ann', category: 'games' }),
  unpublished('hidden'),
  ...Array.from({ length: 13 }, (_, i) => published(`c${i}`, { by: 'ann', category: 'games' })),
  ...Array.from({ length: 13 }, (_, i) => published(`r${i}`, { by: 'ann', category: 'games', remixOf: `c${i}` })),
  ...Array.from({ length: 13 }, (_, i) => [liked(`c${i}`, 'u1'), liked(`c${i}`, 'u2')]).flat(),
  ...Array.from({ length: 13 }, (_, i) => featured(`c${i}`)),
]

t.test('semantics 14: the landing is computed only by commits that can reach it, and always equals a full computation', async (t) => {
  let computed = 0
  const world = await World.open(feedProjection, {
    between: (store) => ({
      ...delegatingStore(store),
      commit: (commit) => {
        if (commit.computeDerived !== undefined || commit.writes.some(({ collection }) => collection.name === landing.name)) computed += 1
        return store.commit(commit)
      },
    }),
  })
  t.teardown(() => world.close())
  await world.tell(...FULL)
  const cases: [name: string, event: Told | Told[], reaches: boolean][] = [
    ['a fall out of the only rail that showed it', [unliked('fan', 'u1'), unliked('fan', 'u2')], true],
    ['into the spotlight from far below', featured('dim', true), true],
    ['a play far below', played('low'), false],
    ['an edit far below', edited('low', { title: { en: 'New' }, tags: ['x'] }), false],
    ['a first like far below', liked('low', 'u1'), false],
    ['a like of something hidden', liked('hidden', 'u1'), false],
    ['a new creator', registered('zoe'), false],
    ['a like that reaches the rail', liked('low', 'u2'), true],
    // Its card is read from the feed, and it stays where it was.
    ['an edit of something shown', edited('c12', { title: { en: 'Other' } }), false],
    ['a play of something shown', played('c11'), true],
    ['a new publication', published('new', { by: 'ann', category: 'games' }), true],
    ['the hidden one comes back to its category', republished('hidden'), true],
    ['out of the spotlight', unfeatured('dim'), true],
    ['a category relabelled', defined('games', { label: { en: 'Play' } }), true],
    ['a new handle on everything', handleChanged('ann', 'annie'), false],
    ['a profile without creations', profileChanged('zoe', { displayName: 'Zoe' }), false],
    ['something shown is removed', removed('r12'), true],
    ['a like taken back', unliked('c5', 'u1'), true],
    ['an erased liker', erased('u2'), true],
  ]
  for (const [name, event, reaches] of cases) {
    const before = computed
    await world.tell(...[event].flat())
    t.equal(computed > before, reaches, reaches ? `${name}: computed` : `${name}: left alone`)
    await sameAsComputedAnew(t, world, name)
  }
})

async function sameAsComputedAnew(t: Test, world: World, name: string): Promise<void> {
  const [anew] = await derivedLanding.compute(world.store)
  t.strictSame(await world.doc(landing, LANDING_ID), anew?.after, `${name}: the landing`)
  const { rails } = await readLanding(world.store)
  const trending = await world.store.range(items, { index: 'trending', equals: [EVERYTHING], limit: RAIL_LENGTH })
  t.strictSame(rails.find(({ key }) => key === 'trending')?.items, trending, `${name}: its cards are those of the feed`)
}

t.test('semantics 14: once at the end of a loading', async (t) => {
  const world = await World.open(feedProjection, { loading: true })
  t.teardown(() => world.close())
  await world.tell(...FULL)
  t.equal(await world.doc(landing, LANDING_ID), undefined)
  await world.store.buildIndexes()
  await world.session.computeDerived()
  await sameAsComputedAnew(t, world, 'loaded')
})
