import t from 'tap'
import { CommunityFeedPage } from '../../readmodels/feed/public-reads.js'
import { dataOf } from '../harness/answers.js'
import { COMMUNITY, manyCreations } from '../harness/community.js'
import { Service } from '../harness/service.js'
import { published, registered } from '../spec/events.js'

const FEED = '/public/share/community'

await t.test('the feed', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })
  const feed = async (query: string) => dataOf(CommunityFeedPage, await service.get(`${FEED}?${query}`))
  const ids = async (query: string) => (await feed(query)).items.map(({ id }) => id)

  await t.test('a tag that nothing can have is an empty page; an empty one is no filter', async (t) => {
    t.strictSame(await ids('tag=%23'), [])
    t.strictSame(await ids('tag=%20'), await ids(''))
  })

  await t.test('shows a creation with everything a reader needs', async (t) => {
    const [item] = (await feed('tag=clock')).items
    t.strictSame(item, {
      id: 'tides',
      slug: 'tide-clock',
      url: 'https://ada-l.vitrine.example/tide-clock',
      kind: 'widget',
      title: 'Tide clock',
      description: 'Shows when the water comes back.',
      category: 'tools',
      tags: ['sea', 'clock'],
      coverUrl: 'https://pictures.example/tides.svg',
      featured: true,
      creator: { handle: 'Ada-L', displayName: 'Ada L.', avatarUrl: 'https://pictures.example/ada.svg' },
      stats: { likes: 1, remixes: 0, plays: 0 },
      remixOf: null,
      publishedAt: '2026-01-01T00:06:00.000Z',
      updatedAt: item?.updatedAt,
    })
    t.ok(item !== undefined && item.updatedAt > item.publishedAt, 'an edit moves updatedAt only')
  })

  await t.test('shows what a remix is a remix of', async (t) => {
    const { items } = await feed('q=winter')
    t.strictSame(items[0]?.remixOf, { handle: 'ben', slug: 'Garden.Maze', title: 'Garden maze' })
  })

  await t.test('without parameters: trending, 24 a page, English', async (t) => {
    const page = await feed('')
    t.strictSame(page.pagination, { limit: 24, sort: 'trending', returned: 4, next_cursor: null, has_more: false })
    t.strictSame([page.total, page.hasMore, page.next_cursor], [4, false, null])
  })

  await t.test('comes in five orders, highest first, ties by id', async (t) => {
    t.strictSame(await ids('sort=recent'), ['plants', 'mazetwo', 'maze', 'tides'])
    t.strictSame(await ids('sort=popular'), ['maze', 'plants', 'mazetwo', 'tides'])
    t.strictSame(await ids('sort=remixed'), ['maze', 'tides', 'plants', 'mazetwo'])
    t.strictSame(await ids('sort=liked'), ['mazetwo', 'maze', 'tides', 'plants'])
    const trending = await ids('sort=trending')
    t.strictSame(trending.toSorted(), ['maze', 'mazetwo', 'plants', 'tides'])
    t.equal(trending[0], 'maze', 'likes, plays, remixes and scores all heat a creation')
    t.strictSame(await ids(''), trending, 'and trending is the default')
  })

  await t.test('narrows by category, tag and featured, in every combination, with exact totals', async (t) => {
    const table: [query: string, ids: string[]][] = [
      ['category=games', ['mazetwo', 'maze']],
      ['category=GAMES', ['mazetwo', 'maze']],
      ['category=%20games%20', ['mazetwo', 'maze']],
      ['category=tools', ['tides', 'plants']],
      ['tag=garden', ['maze', 'plants']],
      ['tag=Garden', ['maze', 'plants']],
      ['tag=%23garden', ['maze', 'plants']],
      ['tag=sea&category=tools', ['tides', 'plants']],
      ['tag=garden&category=tools', ['plants']],
      ['featuredOnly=true', ['maze', 'tides']],
      ['featuredOnly=1', ['maze', 'tides']],
      ['featuredOnly=false', ['mazetwo', 'maze', 'tides', 'plants']],
      ['featuredOnly=0&category=games', ['mazetwo', 'maze']],
      ['featuredOnly=true&category=games', ['maze']],
      ['featuredOnly=true&tag=sea', ['tides']],
      ['featuredOnly=true&tag=sea&category=games', []],
      ['category=nothing-like-it', []],
      ['tag=nothing-like-it', []],
      ['tag=secret', []],
      ['category=&tag=', ['mazetwo', 'maze', 'tides', 'plants']],
    ]
    for (const [query, expected] of table) {
      const page = await feed(`sort=liked&${query}`)
      t.strictSame([page.items.map(({ id }) => id), page.total], [expected, expected.length], query)
    }
  })

  await t.test('does not know parameters that are not its own', async (t) => {
    t.strictSame(await ids('sort=liked&page=2&handle=ben&__proto__[sort]=recent&constructor=x'), await ids('sort=liked'))
  })
})

await t.test('a category with a bar in its name is unknown, even if a facet has the same key', async (t) => {
  const service = await Service.start(t, {
    events: [registered('ada'), published('c1', { by: 'ada', category: 'games', tags: ['cats|dogs', 'cats|'] })],
  })
  for (const query of ['category=games%7Ccats&tag=dogs', 'category=games%7Ccats', 'category=%7Ccats']) {
    t.equal(dataOf(CommunityFeedPage, await service.get(`${FEED}?${query}`)).total, 0, query)
  }
  t.equal(dataOf(CommunityFeedPage, await service.get(`${FEED}?category=games&tag=cats%7Cdogs`)).total, 1, 'a tag may have one')
})

await t.test('the pages of the feed hold 24, or as many as asked for, and lead through all of it', async (t) => {
  const service = await Service.start(t, { events: manyCreations(60) })
  const feed = async (query: string) => dataOf(CommunityFeedPage, await service.get(`${FEED}?${query}`))
  t.equal((await feed('')).items.length, 24)
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof feed>> = await feed(
      `sort=recent&limit=30${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    t.strictSame([page.items.length, page.total, page.hasMore], [30, 60, page.next_cursor !== null], 'no cursor after a full last page')
    t.match(page.pagination, { next_cursor: page.next_cursor, has_more: page.hasMore, returned: 30 })
    seen.push(...page.items.map(({ id }) => id))
    cursor = page.next_cursor
  }
  t.strictSame(
    seen,
    Array.from({ length: 60 }, (_, i) => `c${String(59 - i).padStart(3, '0')}`),
  )
})
