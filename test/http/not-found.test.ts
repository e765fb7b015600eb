import { METHODS } from 'node:http'
import t from 'tap'
import { refused } from '../harness/answers.js'
import { COMMUNITY } from '../harness/community.js'
import { READS } from '../harness/reads.js'
import { Service } from '../harness/service.js'

/** What a client may send and a server parse; CONNECT is for proxies and never becomes a request here. */
const OTHER_METHODS = METHODS.filter((method) => !['GET', 'HEAD', 'OPTIONS', 'CONNECT'].includes(method))

/** `inject` knows the usual methods by type only. */
type Method = 'POST'
const asMethod = (method: string): Method => method as Method

await t.test('unknown paths and methods', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })

  await t.test('an unknown path is a 404 in JSON, for any Accept header', async (t) => {
    const unknown = [
      '/',
      '/nothing',
      '/public',
      '/public/',
      '/public/share',
      '/public/share/',
      '/public/share/community/',
      '/public/share/tags/',
      '/public/share/tags/x',
      '/public/share/user',
      '/public/share/user/',
      '/public/share/user/ben/',
      '/public/share/user/ben/friends',
      '/public/share/app/ben',
      '/public/share/app/ben/Garden.Maze/x',
      '/PUBLIC/share/tags',
      '/public//share/tags',
      '/public/share/tags;a=b',
      '/application',
      '/apps/x',
      '/covers/x.svg',
      '/health/live',
      '/status',
    ]
    const { message } = (await service.get('/nothing')).json()
    for (const url of ['/public/share/user/', '/public/share/app/ben/', '/public/share/user//followers'])
      t.equal((await service.get(url)).json().message, message, `an empty parameter is none: ${url}`)
    for (const url of unknown)
      refused(t, await service.get(url, { accept: 'text/html,application/xhtml+xml;q=0.9' }), 404, 'not_found', url)
    for (const method of OTHER_METHODS) {
      refused(
        t,
        await service.api.inject({ method: asMethod(method), url: '/nothing', payload: '{' }),
        404,
        'not_found',
        `${method} /nothing`,
      )
    }
  })

  await t.test('a known path with another method is a 405 that names the right ones', async (t) => {
    for (const url of READS) {
      for (const method of OTHER_METHODS) {
        const response = await service.api.inject({ method: asMethod(method), url })
        refused(t, response, 405, 'invalid_request', `${method} ${url}`)
        t.strictSame(String(response.headers.allow).split(', ').toSorted(), ['GET', 'HEAD', 'OPTIONS'])
      }
    }
  })

  await t.test('also with a body of any kind, which is not read', async (t) => {
    const bodies: [type: string | undefined, body: string | Buffer][] = [
      ['application/json', '{"a":1}'],
      ['application/json', '{not json'],
      ['application/json', ''],
      ['application/json', '{"__proto__":{"a":1}}'],
      ['text/xml', '<a/>'],
      ['multipart/form-data', 'x'],
      ['nonsense', 'x'],
      ['', 'x'],
      [undefined, Buffer.from([0, 255, 254])],
      ['application/json', 'x'.repeat(1_000_000)],
      ['application/x-www-form-urlencoded', 'limit=1'],
    ]
    for (const [type, payload] of bodies) {
      const headers = type === undefined ? {} : { 'content-type': type }
      const response = await service.api.inject({ method: 'POST', url: '/public/share/tags', payload, headers })
      refused(t, response, 405, 'invalid_request', `${type} ${payload.slice(0, 20)}`)
    }
  })

  await t.test('a body on a GET changes nothing', async (t) => {
    const response = await service.api.inject({
      method: 'GET',
      url: '/public/share/tags',
      payload: '{nonsense',
      headers: { 'content-type': 'application/json' },
    })
    t.equal(response.statusCode, 200)
  })
})

await t.test('a path that only looks like one of ours', async (t) => {
  const { web } = await Service.start(t, { events: COMMUNITY })

  await t.test('is a 404 for every method', async (t) => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      for (const url of ['/!!/ask', '/%21%21/ask', '/not_a_tag/ask', '/1/ask?x=y']) {
        const response = await web.inject({ method, url, headers: { accept: 'application/json' } })
        if (method === 'HEAD') t.equal(response.statusCode, 404)
        else refused(t, response, 404, 'not_found', `${method} ${url}`)
      }
    }
    t.equal((await web.inject({ method: 'POST', url: '/de/ask' })).statusCode, 200)
    refused(t, await web.inject({ url: '/de/ask' }), 405, 'invalid_request')
    refused(t, await web.inject({ url: '/%64e/%61sk' }), 405, 'invalid_request', 'in any spelling')
  })

  await t.test('or a 405, if it is the path of something else', async (t) => {
    const response = await web.inject({ method: 'POST', url: '/@ben/ask' })
    refused(t, response, 405, 'invalid_request')
    t.equal(response.headers.allow, 'GET, HEAD, OPTIONS')
  })
})

await t.test('errors that come as a page or as JSON say that Accept decides', async (t) => {
  const { web, api } = await Service.start(t, { events: COMMUNITY })
  const vary = async (url: string, accept: string) => (await web.inject({ url, headers: { accept } })).headers.vary
  for (const url of ['/nothing', '/@nobody', '/?cursor=x', '/public/share/nothing']) {
    t.equal(await vary(url, 'application/json'), 'Accept', url)
    t.equal(await vary(url, 'text/html'), 'Accept, Accept-Language', url)
  }
  t.equal((await api.inject('/nothing')).headers.vary, undefined, 'the api host has no pages')
  t.equal((await web.inject('/public/share/community?limit=0')).headers.vary, undefined, 'nor have the reads')
})
