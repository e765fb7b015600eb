import { METHODS } from 'node:http'
import t from 'tap'
import { refused } from '../harness/answers.js'
import { Service, WEB_URL } from '../harness/service.js'
import { request } from '../harness/sockets.js'

const CHALLENGE = `Bearer realm="app", resource_metadata="${WEB_URL}/.well-known/oauth-protected-resource"`
const TOKENS = [
  undefined,
  '',
  'Bearer',
  'Bearer x',
  `Bearer ${'a'.repeat(4000)}`,
  'Basic dXNlcjpwYXNz',
  'Bearer eyJhbGciOiJub25lIn0.e30.',
  'bearer null',
]

await t.test('the paths of the mobile app are closed', async (t) => {
  const service = await Service.start(t)

  await t.test('to every method', async (t) => {
    for (const method of METHODS.filter((method) => method !== 'CONNECT')) {
      for (const url of ['/app', '/app/', '/app/creations', '/app/creations/1/publish?x=y']) {
        // `inject` knows the usual methods by type only.
        const response = await service.api.inject({
          method: method as 'GET',
          url,
          ...(method === 'HEAD' ? {} : { payload: '{"title":"x"}' }),
        })
        t.equal(response.headers['www-authenticate'], CHALLENGE, `${method} ${url}`)
        if (method === 'HEAD') t.equal(response.statusCode, 401)
        else refused(t, response, 401, 'unauthorized', `${method} ${url}`)
      }
    }
  })

  await t.test('to every token, before a body is read', async (t) => {
    for (const authorization of TOKENS) {
      const response = await service.api.inject({
        method: 'POST',
        url: '/app/creations',
        headers: { ...(authorization === undefined ? {} : { authorization }), 'content-type': 'application/json' },
        payload: 'x'.repeat(200_000),
      })
      refused(t, response, 401, 'unauthorized', String(authorization).slice(0, 30))
      t.equal(response.headers['www-authenticate'], CHALLENGE)
    }
  })

  await t.test('whatever else is wrong with the request', async (t) => {
    const port = await service.listen(service.api)
    for (const path of ['/app/%zz', '/app/%', '/app/%ED%A0%80?x=%', '/%61pp/%zz', 'http://api.example/app/%zz', '/app#%zz', '/app?%zz']) {
      const response = await request(port, path)
      refused(t, response, 401, 'unauthorized', path)
      t.equal(response.headers['www-authenticate'], CHALLENGE)
      t.match(response.headers['access-control-expose-headers'], /WWW-Authenticate/)
    }
    const wrong: Record<string, string>[] = [
      { 'service-api-version': 'yesterday' },
      { 'service-min-position': '-1' },
      { 'content-type': '', 'content-length': '5' },
      { expect: 'a miracle' },
      { 'idempotency-key': '' },
    ]
    for (const headers of wrong)
      refused(t, await request(port, '/app/creations', { method: 'POST', headers }), 401, 'unauthorized', JSON.stringify(headers))
    for (const path of ['/apps/%zz', '/app%zz', '//app/%zz']) refused(t, await request(port, path), 400, 'invalid_request', path)
  })

  await t.test('a token changes nothing where none is needed', async (t) => {
    t.equal((await service.get('/public/share/tags', { authorization: 'Bearer nonsense' })).statusCode, 200)
  })
})
