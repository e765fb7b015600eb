import t from 'tap'
import { refused } from '../harness/answers.js'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'

await t.test('the web host', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })

  await t.test('answers the feed as the api host does', async (t) => {
    for (const query of ['', '?sort=liked&limit=2', '?q=maze&locale=de', '?featuredOnly=true']) {
      const [api, web] = await Promise.all([service.api, service.web].map((host) => host.inject(`/public/share/community${query}`)))
      t.strictSame([web?.statusCode, web?.body, web?.headers.etag], [200, api?.body, api?.headers.etag], query)
    }
    refused(t, await service.web.inject('/public/share/community?limit=0'), 422, 'validation_failed')
    refused(t, await service.web.inject({ method: 'POST', url: '/public/share/community' }), 405, 'invalid_request')
  })

  await t.test('has none of the other reads', async (t) => {
    for (const url of ['/public/share/tags', '/public/share/community/landing', '/public/share/user/ben', '/app/x']) {
      refused(t, await service.web.inject({ url, headers: { accept: 'application/json' } }), 404, 'not_found', url)
    }
  })

  await t.test('shows a page for a 404 only to clients that prefer HTML', async (t) => {
    const html = [
      'text/html',
      'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      'TEXT/HTML',
      'application/json;q=0.5, text/html',
      'text/html;q=0.6, application/json;q=0.5',
      'text/html;level=1',
    ]
    for (const accept of html) {
      const { statusCode, headers, body } = await service.web.inject({ url: '/nothing', headers: { accept } })
      t.strictSame([statusCode, headers['content-type']], [404, 'text/html; charset=utf-8'], accept)
      t.match(body, /^<!doctype html>/)
      t.match(headers, { 'cache-control': 'no-store', 'x-request-id': /./ })
    }
    const json = [
      'application/json',
      '*/*',
      '',
      'application/json, text/html',
      'text/html;q=0.5, application/json',
      'text/plain',
      'text/html;q=0',
      'nonsense',
      'text/html;q=nonsense',
      ',,;;,q=',
    ]
    for (const accept of json) refused(t, await service.web.inject({ url: '/nothing', headers: { accept } }), 404, 'not_found', accept)
    refused(t, await service.web.inject('/nothing'), 404, 'not_found', 'no Accept at all')
  })

  await t.test('answers other errors in JSON even to browsers', async (t) => {
    const accept = 'text/html'
    refused(t, await service.web.inject({ url: '/public/share/community?limit=0', headers: { accept } }), 422, 'validation_failed')
    refused(t, await service.web.inject({ method: 'PUT', url: '/covers/x.svg', headers: { accept } }), 405, 'invalid_request')
  })

  await t.test('draws covers and avatars that nothing can run in', async (t) => {
    for (const folder of ['covers', 'avatars']) {
      const { statusCode, headers, body } = await service.web.inject(`/${folder}/tracker-work-59e9xq.svg`)
      t.match(
        { statusCode, ...headers },
        {
          statusCode: 200,
          'content-type': 'image/svg+xml',
          'cache-control': /max-age=\d+/,
          'content-security-policy': /default-src 'none'/,
          'x-content-type-options': 'nosniff',
        },
        folder,
      )
      t.match(body, /^<svg /)
      t.notMatch(body, /<script|onload|javascript:/i)
      t.equal((await service.web.inject(`/${folder}/tracker-work-59e9xq.svg`)).body, body, 'the same name is the same picture')
    }
    const names = [
      'x.png',
      'x',
      '.svg',
      '..svg',
      'X.svg',
      'a b.svg',
      '%3Cscript%3E.svg',
      '..%2F..%2Fetc%2Fpasswd.svg',
      `${'a'.repeat(81)}.svg`,
      'x.svg.svg',
      '%00.svg',
      '__proto__.svg',
    ]
    for (const name of names) refused(t, await service.web.inject(`/covers/${name}`), 404, 'not_found', name)
  })
})
