import t from 'tap'
import { CommunityFeedPage } from '../../readmodels/feed/public-reads.js'
import { dataOf, invalid, refused } from '../harness/answers.js'
import { manyCreations } from '../harness/community.js'
import { Service } from '../harness/service.js'

const FEED = '/public/share/community'

await t.test('bad parameters', async (t) => {
  const service = await Service.start(t, { events: manyCreations(5) })

  await t.test('are reported by the rule they break, not by their encoding', async (t) => {
    const table = {
      'limit=1.5': 'limit: must be a whole number',
      'limit=': 'limit: must be a whole number',
      'featuredOnly=yes': 'featuredOnly: must be true or false',
    }
    for (const [query, message] of Object.entries(table)) t.equal((await service.get(`${FEED}?${query}`)).json().message, message, query)
  })

  await t.test('are a 422 that names them', async (t) => {
    const table: [query: string, ...paths: string[]][] = [
      ['sort=newest', 'sort'],
      ['sort=', 'sort'],
      ['sort=Trending', 'sort'],
      ['sort=trending%00', 'sort'],
      ['sort=__proto__', 'sort'],
      ['limit=0', 'limit'],
      ['limit=49', 'limit'],
      ['limit=-1', 'limit'],
      ['limit=1.5', 'limit'],
      ['limit=abc', 'limit'],
      ['limit=', 'limit'],
      ['limit=1e2', 'limit'],
      ['limit=0x10', 'limit'],
      ['limit=%2B5', 'limit'],
      ['limit=%205', 'limit'],
      ['limit=NaN', 'limit'],
      ['limit=Infinity', 'limit'],
      ['limit=99999999999999999999', 'limit'],
      ['limit=٣', 'limit'],
      ['limit=1&limit=2', 'limit'],
      ['featuredOnly=yes', 'featuredOnly'],
      ['featuredOnly=', 'featuredOnly'],
      ['featuredOnly=TRUE', 'featuredOnly'],
      ['featuredOnly=true&featuredOnly=true', 'featuredOnly'],
      [`q=${'x'.repeat(10_240)}`, 'q'],
      [`q=${'%F0%9F%92%A5'.repeat(201)}`, 'q'],
      ['q=a&q=b', 'q'],
      ['tag=a&tag=b', 'tag'],
      [`tag=${'x'.repeat(201)}`, 'tag'],
      ['category=a&category=b', 'category'],
      [`category=${'x'.repeat(201)}`, 'category'],
      ['sort=recent&sort=recent', 'sort'],
      ['locale=', 'locale'],
      ['locale=en_US', 'locale'],
      ['locale=*', 'locale'],
      ['locale=abcdefghi', 'locale'],
      ['locale=en&locale=de', 'locale'],
      ['locale=en%0d%0aSet-Cookie:%20a=b', 'locale'],
      ['locale=%E6%97%A5%E6%9C%AC', 'locale'],
      ['locale=__proto__', 'locale'],
      ['cursor=', 'cursor'],
      ['cursor=x', 'cursor'],
      ['cursor=a&cursor=b', 'cursor'],
      [`cursor=${'A'.repeat(999)}`, 'cursor'],
      [`cursor=${'A'.repeat(9999)}`, 'cursor'],
      ['cursor=%00', 'cursor'],
      ['cursor=[object%20Object]', 'cursor'],
      ['sort=x&limit=0', 'sort', 'limit'],
    ]
    for (const [query, ...paths] of table) invalid(t, await service.get(`${FEED}?${query}`), paths, query.slice(0, 60))
    for (const [path, ...paths] of [
      ['/public/share/user/ada/followers?limit=101', 'limit'],
      ['/public/share/user/ada/following?limit=0', 'limit'],
      ['/public/share/user/ada/followers?limit=abc', 'limit'],
      ['/public/share/user/ada?locale=en-', 'locale'],
      ['/public/share/app/ada/c000-slug?locale=', 'locale'],
      ['/public/share/community/landing?locale=1', 'locale'],
    ] as const) {
      invalid(t, await service.get(path), paths, path)
    }
  })

  await t.test('do not repeat at length what was sent', async (t) => {
    const response = await service.get(`${FEED}?sort=${'x'.repeat(10_000)}&q=${'y'.repeat(3000)}`)
    t.ok(response.body.length < 1500, `${response.body.length} characters`)
  })

  await t.test('odd ones that break no rule find nothing and break nothing', async (t) => {
    const odd = [
      'q=%00',
      'tag=%00',
      'category=%00',
      'tag=$where',
      'tag=__proto__',
      'category=constructor',
      "tag='%20OR%201=1--",
      'q=%25',
      'tag[]=x&tag[$ne]=y',
      'category=..%2F..',
      'q=%F0%9F%92%A5',
    ]
    for (const query of odd) {
      const response = await service.get(`${FEED}?${query}`)
      t.equal(dataOf(CommunityFeedPage, response).total, query.startsWith('tag[]') ? 5 : 0, query)
    }
  })

  await t.test('broken escapes in a query are text like any other', async (t) => {
    for (const query of ['q=%zz', 'q=%', 'q=%ED%A0%80', 'q=%C3', 'tag=%ff', '%zz=1', '&&&=&=x', '?', 'q=a%']) {
      t.equal((await service.get(`${FEED}?${query}`)).statusCode, 200, query)
    }
  })

  await t.test('a thousand parameters are a query, too', async (t) => {
    const many = Array.from({ length: 1000 }, (_, i) => `p${i}=1`).join('&')
    t.equal((await service.get(`${FEED}?${many}`)).statusCode, 200)
  })

  await t.test('a bad query is reported before an unknown handle', async (t) => {
    refused(t, await service.get('/public/share/user/nobody/followers?limit=0'), 422, 'validation_failed')
  })

  await t.test('a query parameter cannot stand in for a part of the path', async (t) => {
    refused(t, await service.get('/public/share/user/nobody?handle=ada'), 404, 'not_found')
    t.equal((await service.get('/public/share/user/ada?handle=nobody')).statusCode, 200)
  })
})
