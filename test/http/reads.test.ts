import t from 'tap'
import { CommunityLanding } from '../../readmodels/landing/public-reads.js'
import { CreatorList, CreatorProfile } from '../../readmodels/profiles/public-reads.js'
import { AppShare } from '../../readmodels/shares/public-reads.js'
import { PopularTags } from '../../readmodels/tags/public-reads.js'
import { dataOf, refused } from '../harness/answers.js'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'

await t.test('the public reads', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })

  await t.test('tags: most frequent first, only what is public', async (t) => {
    t.strictSame(dataOf(PopularTags, await service.get('/public/share/tags')), {
      items: [
        { key: 'garden', label: 'garden', count: 2 },
        { key: 'puzzle', label: 'puzzle', count: 2 },
        { key: 'sea', label: 'sea', count: 2 },
        { key: 'clock', label: 'clock', count: 1 },
      ],
      total: 4,
    })
  })

  await t.test('landing: spotlight, five rails, category tiles', async (t) => {
    const landing = dataOf(CommunityLanding, await service.get('/public/share/community/landing'))
    t.strictSame(
      landing.spotlight.map(({ id }) => id),
      ['tides'],
    )
    t.strictSame(
      landing.rails.map(({ key }) => key),
      ['trending', 'recent', 'remixed', 'liked', 'featured'],
    )
    const rail = (wanted: string) => landing.rails.find(({ key }) => key === wanted)?.items.map(({ id }) => id)
    t.strictSame(rail('recent'), ['plants', 'mazetwo', 'maze', 'tides'])
    t.strictSame(rail('liked')?.slice(0, 3), ['mazetwo', 'maze', 'tides'])
    t.strictSame(rail('featured'), ['maze', 'tides'])
    t.strictSame(landing.categories, [
      { slug: 'games', label: 'Games', count: 2, coverUrl: 'https://pictures.example/games.svg' },
      { slug: 'tools', label: 'Tools', count: 2, coverUrl: null },
    ])
  })

  await t.test('landing: in the language asked for', async (t) => {
    const landing = dataOf(CommunityLanding, await service.get('/public/share/community/landing?locale=de-AT'))
    t.equal(landing.rails[0]?.title, 'Gerade beliebt')
    t.equal(landing.categories[0]?.label, 'Spiele')
    t.equal(landing.categories[1]?.label, 'Tools', 'or the nearest there is')
    t.equal(landing.spotlight[0]?.title, 'Gezeitenuhr')
  })

  await t.test('profile: who it is, what they made, what they scored', async (t) => {
    const { apps, topScores, ...profile } = dataOf(CreatorProfile, await service.get('/public/share/user/Ada-L'))
    t.strictSame(profile, {
      handle: 'Ada-L',
      displayName: 'Ada L.',
      bio: 'Small tools for people near the sea.',
      avatarUrl: 'https://pictures.example/ada.svg',
      url: 'https://ada-l.vitrine.example/',
      links: [{ label: 'Workshop', url: 'https://ada.example/' }],
      joinedAt: '2026-01-01T00:00:00.000Z',
      stats: { apps: 2, likes: 1, remixes: 0, plays: 2, followers: 3, following: 1 },
    })
    t.strictSame(
      apps.map(({ id }) => id),
      ['plants', 'tides'],
    )
    t.strictSame(
      topScores.map(({ handle, slug, title, score }) => [handle, slug, title, score]),
      [
        ['ben', 'Garden.Maze', 'Garden maze', 700],
        ['cleo', 'winter-maze', 'Winter maze', 12.5],
      ],
      'a score in something unpublished is not shown',
    )
  })

  await t.test('profile: handles are compared without case', async (t) => {
    for (const handle of ['ada-l', 'ADA-L', 'aDa-l', '%61da-l'])
      t.equal((await service.get(`/public/share/user/${handle}`)).statusCode, 200, handle)
  })

  await t.test('followers: newest first, the unregistered without a name', async (t) => {
    const list = dataOf(CreatorList, await service.get('/public/share/user/ada-l/followers'))
    t.strictSame(
      list.items.map(({ handle, displayName, url }) => [handle, displayName, url]),
      [
        [null, null, null],
        ['cleo', 'Cleo', 'https://cleo.vitrine.example/'],
        ['ben', 'Ben', 'https://ben.vitrine.example/'],
      ],
    )
    t.strictSame([list.total, list.limit], [3, 24])
    t.ok(list.items.every(({ since }, i, all) => i === 0 || since < (all[i - 1]?.since ?? '')))
    const short = dataOf(CreatorList, await service.get('/public/share/user/ada-l/followers?limit=1'))
    t.strictSame([short.items.length, short.total, short.limit], [1, 3, 1], 'the total is not cut')
  })

  await t.test('following', async (t) => {
    const list = dataOf(CreatorList, await service.get('/public/share/user/ada-l/following?limit=100'))
    t.strictSame([list.items.map(({ handle }) => handle), list.total, list.limit], [['ben'], 1, 100])
    t.equal(dataOf(CreatorList, await service.get('/public/share/user/cleo/following')).total, 1)
    t.strictSame(dataOf(CreatorList, await service.get('/public/share/user/ben/followers')).items.length, 1)
  })

  await t.test('share: the creation, its remixes, its leaderboard, its preview', async (t) => {
    const share = dataOf(AppShare, await service.get('/public/share/app/ben/Garden.Maze'))
    t.strictSame(
      share.remixes.map(({ id }) => id),
      ['mazetwo'],
    )
    t.strictSame(
      share.leaderboard.map(({ handle, displayName, score }) => [handle, displayName, score]),
      [
        [null, null, 900],
        ['Ada-L', 'Ada L.', 700],
        ['cleo', 'Cleo', 700],
      ],
      'higher first, then earlier; the unregistered without a name',
    )
    t.strictSame(share.share, {
      title: 'Garden maze · Ben',
      description: 'Find the way out of Ángela’s hedges.',
      imageUrl: null,
      url: 'https://ben.vitrine.example/Garden.Maze',
    })
    t.strictSame([share.id, share.stats], ['maze', { likes: 2, remixes: 1, plays: 5 }])
  })

  await t.test('what is unknown or not public is a 404', async (t) => {
    const missing = [
      '/public/share/user/nobody',
      '/public/share/user/nobody/followers',
      '/public/share/user/nobody/following',
      '/public/share/user/ada',
      '/public/share/app/nobody/tide-clock',
      '/public/share/app/ada-l/nothing',
      '/public/share/app/ada-l/draft',
      '/public/share/app/ben/tide-clock',
    ]
    for (const url of missing) refused(t, await service.get(url), 404, 'not_found', url)
  })
})

await t.test('an empty log is an empty community, not an error', async (t) => {
  const service = await Service.start(t)
  for (const url of ['/public/share/community', '/public/share/community?q=x', '/public/share/tags', '/public/share/community/landing']) {
    const response = await service.get(url)
    t.equal(response.statusCode, 200, url)
    t.equal(response.headers['service-position'], '0', `${url}: says how little it knows`)
  }
  refused(t, await service.get('/public/share/user/ada'), 404, 'not_found')
})
