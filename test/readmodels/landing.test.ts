import t from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { RAIL_LENGTH, type RailKey, readLanding, readTiles, SPOTLIGHT_LENGTH } from '../../readmodels/landing/queries.js'
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
  published,
  registered,
  removed,
  republished,
  type Told,
  unfeatured,
  unpublished,
} from '../spec/events.js'
import { type Expectation, projecting } from '../spec/given.js'

const { given, when } = projecting(feedProjection)

const ann = registered('ann')
const many = (count: number): Told[] => Array.from({ length: count }, (_, i) => published(id(i + 1), { by: 'ann' }))
const id = (i: number): string => `c${String(i).padStart(2, '0')}`

interface Shown {
  spotlight?: string[]
  rails?: Partial<Record<RailKey, string[]>>
  categories?: [slug: string, count: number][]
}

/** What the landing shows, by ids. */
function shows({ spotlight, rails, categories }: Shown): Expectation {
  return async (t, world) => {
    const found = await readLanding(world.store)
    const ids = (items: readonly { _id: string }[] | undefined) => items?.map(({ _id }) => _id)
    if (spotlight !== undefined) t.strictSame(ids(found.spotlight), spotlight, 'spotlight')
    for (const [key, expected] of Object.entries(rails ?? {}))
      t.strictSame(ids(found.rails.find((rail) => rail.key === key)?.items), expected, `the rail ${key}`)
    if (categories !== undefined)
      t.strictSame(
        found.tiles.map(({ slug, count }) => [slug, count]),
        categories,
        'categories',
      )
  }
}

/** What it shows of one creation, wherever it shows it. */
function showsEverywhere(creation: string, expected: object): Expectation {
  return async (t, world) => {
    const { spotlight, rails } = await readLanding(world.store)
    const found = [spotlight, ...rails.map(({ items }) => items)].flat().filter(({ _id }) => _id === creation)
    t.ok(found.length > 1, 'it is shown')
    for (const item of found) t.match(item, expected)
  }
}

t.test('an empty community has an empty landing, with all rails', (t) =>
  when(ann).then(t, shows({ spotlight: [], rails: { trending: [], recent: [], remixed: [], liked: [], featured: [] }, categories: [] })),
)

t.test('each rail in its order, none longer than it may be', (t) =>
  given(ann, ...many(14))
    .when(
      but(liked('c01', 'bob'), { time: minutes(1) }),
      but(played('c02'), { time: minutes(1) }),
      published('c99', { by: 'ann', remixOf: 'c03' }),
    )
    .then(
      t,
      shows({
        rails: {
          recent: ['c99', 'c14', 'c13', 'c12', 'c11', 'c10', 'c09', 'c08', 'c07', 'c06', 'c05', 'c04'],
          liked: ['c01', 'c99', 'c14', 'c13', 'c12', 'c11', 'c10', 'c09', 'c08', 'c07', 'c06', 'c05'],
          remixed: ['c03', 'c99', 'c14', 'c13', 'c12', 'c11', 'c10', 'c09', 'c08', 'c07', 'c06', 'c05'],
          trending: ['c03', 'c01', 'c02', 'c99', 'c14', 'c13', 'c12', 'c11', 'c10', 'c09', 'c08', 'c07'],
          featured: [],
        },
      }),
      async (t, world) => {
        const { rails } = await readLanding(world.store)
        t.ok(rails.every(({ items }) => items.length <= RAIL_LENGTH))
      },
    ),
)

t.test('creation.featured and creation.unfeatured: rail and spotlight, newest publication first', async (t) => {
  await t.test('featured', (t) =>
    given(ann, ...many(3))
      .when(featured('c02', true), featured('c01'), featured('c03', true))
      .then(t, shows({ spotlight: ['c03', 'c02'], rails: { featured: ['c03', 'c02', 'c01'] } })),
  )
  await t.test('unfeatured', (t) =>
    given(ann, ...many(3), featured('c02', true), featured('c03', true))
      .when(unfeatured('c03'))
      .then(t, shows({ spotlight: ['c02'], rails: { featured: ['c02'] } })),
  )
  await t.test('no more in the spotlight than fit, and the next moves up', (t) =>
    given(ann, ...many(8), ...[1, 2, 3, 4, 5, 6, 7, 8].map((i) => featured(id(i), true)))
      .when(unpublished('c08'))
      .then(t, shows({ spotlight: ['c07', 'c06', 'c05', 'c04', 'c03', 'c02'] }), async (t) => t.equal(SPOTLIGHT_LENGTH, 6)),
  )
})

t.test('what goes away leaves the landing, and the next moves up', async (t) => {
  const thirteen = [ann, ...many(13)]
  const without = (gone: string) => Array.from({ length: 13 }, (_, i) => id(13 - i)).filter((creation) => creation !== gone)
  for (const [name, event] of Object.entries({ unpublished: unpublished('c13'), removed: removed('c13') }))
    await t.test(name, (t) =>
      given(...thirteen)
        .when(event)
        .then(t, shows({ rails: { recent: without('c13'), liked: without('c13') } })),
    )
  await t.test('and comes back', (t) =>
    given(...thirteen, unpublished('c13'))
      .when(republished('c13'))
      .then(t, shows({ rails: { recent: without('c01') } })),
  )
  await t.test('with an erased creator', (t) =>
    given(...thirteen, registered('bob'), published('b1', { by: 'bob' }))
      .when(erased('ann'))
      .then(t, shows({ rails: { recent: ['b1'], trending: ['b1'] } })),
  )
})

t.test('cards on the landing follow: handle, title, counts', (t) =>
  given(ann, ...many(2), featured('c01', true))
    .when(handleChanged('ann', 'annie'), edited('c01', { title: { en: 'Renamed' } }), liked('c01', 'bob'), played('c01'))
    .then(t, showsEverywhere('c01', { creator: { handle: 'annie' }, title: { en: 'Renamed' }, likes: 1, plays: 1 })),
)

t.test('categories: in their order, with exact counts of what is public; undefined ones have no tile', async (t) => {
  const setting = [
    ann,
    defined('games', { order: 2, label: { en: 'Games' }, coverUrl: 'https://img.example/g.png' }),
    defined('music', { order: 1 }),
    published('c1', { by: 'ann', category: 'games' }),
    published('c2', { by: 'ann', category: 'games' }),
    published('c3', { by: 'ann', category: 'nowhere' }),
  ]
  const cases: [name: string, events: Told[], tiles: string][] = [
    ['as published', [], 'music 0, games 2'],
    ['moved', [edited('c1', { category: 'music' })], 'music 1, games 1'],
    ['hidden', [unpublished('c1'), unpublished('c2')], 'music 0, games 0'],
    ['reordered', [defined('games', { order: 0 })], 'games 2, music 0'],
    ['defined later', [defined('nowhere', { order: 9 })], 'music 0, games 2, nowhere 1'],
    ['erased', [erased('ann')], 'music 0, games 0'],
  ]
  const counted = (tile: string): [string, number] => [tile.split(' ')[0] ?? '', Number(tile.split(' ')[1])]
  for (const [name, events, tiles] of cases)
    await t.test(name, (t) =>
      given(...setting)
        .when(...events)
        .then(t, shows({ categories: tiles.split(', ').map(counted) })),
    )
  await t.test('with label and cover', (t) =>
    given(...setting).then(t, async (t, world) =>
      t.strictSame((await readTiles(world.store))[1], {
        slug: 'games',
        label: { en: 'Games' },
        count: 2,
        coverUrl: 'https://img.example/g.png',
      }),
    ),
  )
})
