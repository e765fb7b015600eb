import t from 'tap'
import { COMMUNITY } from '../harness/community.js'
import { READS } from '../harness/reads.js'
import { Service } from '../harness/service.js'
import { request } from '../harness/sockets.js'
import { played } from '../spec/events.js'

await t.test('the headers of every read', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })

  await t.test('say what it is, how new it is and how to keep it', async (t) => {
    for (const url of READS) {
      const { statusCode, headers, rawPayload } = await service.get(url)
      t.match(
        { statusCode, ...headers },
        {
          statusCode: 200,
          'content-type': 'application/json; charset=utf-8',
          'content-length': String(rawPayload.length),
          etag: /^"[A-Za-z0-9_-]{16,}"$/,
          'cache-control': 'public, no-cache',
          'service-api-version': '2026-05-26',
          'service-position': String(COMMUNITY.length),
          'x-request-id': /./,
          'x-content-type-options': 'nosniff',
          'content-language': /^[a-z]/,
        },
        url,
      )
      t.notOk(headers.deprecation ?? headers.sunset, `${url}: is not deprecated`)
    }
  })

  await t.test('are the same for HEAD, without the body', async (t) => {
    const port = await service.listen(service.api)
    for (const path of [...READS, '/public/share/user/nobody', '/public/share/community?limit=0', '/nothing', '/app/x']) {
      const comparable = { 'x-request-id': 'the-same' }
      const get = await request(port, path, { headers: comparable })
      const head = await request(port, path, { headers: comparable, method: 'HEAD' })
      const { date: _, ...got } = get.headers
      const { date: __, ...headed } = head.headers
      t.strictSame([head.statusCode, headed, head.body], [get.statusCode, got, ''], path)
    }
  })

  await t.test('let readers ask whether anything has changed', async (t) => {
    for (const url of READS) {
      const { headers } = await service.get(url)
      const etag = String(headers.etag)
      const holding = [etag, `W/${etag}`, `"other", ${etag}`, `"other",W/${etag}`, '*', ` ${etag} `]
      for (const tags of holding) {
        const response = await service.get(url, { 'if-none-match': tags })
        t.strictSame([response.statusCode, response.body], [304, ''], `${url}: ${tags}`)
        t.match(
          response.headers,
          {
            etag,
            'cache-control': 'public, no-cache',
            'service-position': String(COMMUNITY.length),
            'content-language': headers['content-language'],
          },
          'a 304 renews what is kept',
        )
        t.notOk(response.headers['content-type'], 'and has no type, having no body')
      }
      for (const tags of ['"other"', 'W/"other"', '', '""', etag.slice(1, -1), `${etag}x`, `"x${etag.slice(1)}`]) {
        t.equal((await service.get(url, { 'if-none-match': tags })).statusCode, 200, `${url}: ${tags}`)
      }
      const head = await service.api.inject({ method: 'HEAD', url, headers: { 'if-none-match': etag } })
      t.equal(head.statusCode, 304, `${url}: HEAD, too`)
      t.equal(head.headers['content-length'], undefined, 'a length would be that of the body it stands for')
    }
  })

  await t.test('give other contents another tag', async (t) => {
    const tag = async (url: string) => (await service.get(url)).headers.etag
    t.equal(await tag('/public/share/tags'), await tag('/public/share/tags'), 'the same stays the same')
    t.not(await tag('/public/share/community?locale=de'), await tag('/public/share/community?locale=en'))
    const before = await tag('/public/share/app/ben/Garden.Maze')
    const tags = await tag('/public/share/tags')
    await service.tell(played('maze'))
    t.not(await tag('/public/share/app/ben/Garden.Maze'), before, 'a play changes what shows plays')
    t.equal(await tag('/public/share/tags'), tags, 'and nothing else')
    t.equal((await service.get('/public/share/tags')).headers['service-position'], String(COMMUNITY.length + 1), 'though it is newer')
  })

  await t.test('say which languages the answer is in', async (t) => {
    const table: [url: string, languages: string][] = [
      ['/public/share/app/ada-l/tide-clock', 'en'],
      ['/public/share/app/ada-l/tide-clock?locale=de', 'de'],
      ['/public/share/app/ada-l/tide-clock?locale=de-AT-x-home', 'de'],
      ['/public/share/app/ada-l/tide-clock?locale=ja', 'ja, en'],
      ['/public/share/app/ada-l/tide-clock?locale=sw', 'en'],
      ['/public/share/app/ada-l/plant-diary?locale=de', 'es'],
      ['/public/share/app/ada-l/plant-diary?locale=fr-CA', 'fr'],
      ['/public/share/community?tag=sea&locale=fr', 'fr, en'],
      ['/public/share/community?tag=nothing&locale=fr', 'fr'],
      ['/public/share/app/ada-l/tide-clock?locale=toString', 'en'],
      ['/public/share/tags', 'en'],
    ]
    for (const [url, languages] of table) t.equal((await service.get(url)).headers['content-language'], languages, url)
  })
})
