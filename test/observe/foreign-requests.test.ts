import t from 'tap'
import { createAdminHost } from '../../src/http/admin/host.js'
import { refused } from '../harness/answers.js'
import { COMMUNITY } from '../harness/community.js'
import { type Headers, Service } from '../harness/service.js'
import { request, sendRaw } from '../harness/sockets.js'

const PATHS = ['/', '/board', '/metrics', '/health/live', '/health/ready', '/login', '/assets/admin.css']
const PROXIED: Headers[] = [
  { via: '1.1 proxy' },
  { 'x-real-ip': '127.0.0.1' },
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-forwarded-host': 'localhost' },
  { 'x-forwarded-proto': 'http' },
  { 'X-Forwarded-Anything': 'x' },
  { forwarded: 'for=127.0.0.1' },
]
const FOREIGN = ['evil.example', 'evil.example:3002', 'localhost.evil.example', '127.0.0.1.evil.example', 'localhost.', 'metrics']
const OWN = ['localhost', 'LOCALHOST:3002', '127.0.0.1', '127.0.0.1:3002', '10.1.2.3:3002', '[::1]:3002', '[fd00::7]']

await t.test('an admin host without a token refuses what came by a proxy, by a foreign name or from a page of another site', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })
  const port = await service.listen(service.admin)
  for (const path of PATHS) {
    for (const headers of [
      ...PROXIED,
      ...['cross-site', 'same-site'].map((site) => ({ 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors' })),
    ])
      refused(t, await request(port, path, { headers }), 403, 'forbidden', `${path} ${JSON.stringify(headers)}`)
    refused(t, await request(port, path, { headers: { host: 'a:b:c' } }), 400, 'invalid_request', `${path} at no host`)
    for (const host of FOREIGN) refused(t, await request(port, path, { headers: { host } }), 403, 'forbidden', `${path} at ${host}`)
  }
  for (const host of OWN) t.equal((await request(port, '/health/live', { headers: { host } })).statusCode, 200, host)
  const followed = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
  t.equal((await request(port, '/', { headers: followed })).statusCode, 200, 'a link is followed')
  t.match(await sendRaw(port, 'GET /health/live HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200/, 'an old probe sends no name at all')
})

await t.test('a name that it listens on is its own', async (t) => {
  const { admin, adminOptions } = await Service.start(t, { events: COMMUNITY })
  const named = await createAdminHost({ ...adminOptions, ownName: 'Vitrine-Admin' })
  t.teardown(() => named.close())
  const at = async (host: string) => (await named.inject({ url: '/health/live', headers: { host } })).statusCode
  t.strictSame([await at('vitrine-admin:3002'), await at('evil.example')], [200, 403])
  t.equal((await admin.inject({ url: '/health/live', headers: { host: 'vitrine-admin' } })).statusCode, 403)
})

await t.test('with a token it does not depend on how a request came', async (t) => {
  const { admin } = await Service.start(t, { events: COMMUNITY, adminToken: 'a token of some length' })
  for (const headers of [...PROXIED, { host: 'admin.vitrine.example' }])
    t.equal((await admin.inject({ url: '/metrics', headers })).statusCode, 200, JSON.stringify(headers))
})

await t.test('signing out is for our own page', async (t) => {
  const token = 'a token of some length'
  const { admin } = await Service.start(t, { events: COMMUNITY, adminToken: token })
  const own = { host: 'localhost:3002', origin: 'http://localhost:3002' }
  const signedIn = await admin.inject({ method: 'POST', url: '/login', headers: own, payload: { token } })
  const [cookie = ''] = String(signedIn.headers['set-cookie']).split(';')
  const isOpen = async () => (await admin.inject({ url: '/board', headers: { ...own, cookie } })).statusCode === 200
  const signOut = (headers: Headers) => admin.inject({ method: 'POST', url: '/logout', headers: { host: own.host, cookie, ...headers } })
  const foreign: Headers[] = [{}, { origin: 'https://evil.example' }, { origin: 'null' }, { origin: 'http://localhost:3003' }]
  for (const headers of foreign) {
    const response = await signOut(headers)
    refused(t, response, 403, 'forbidden', JSON.stringify(headers))
    t.notOk(response.headers['set-cookie'])
    t.ok(await isOpen(), 'the session goes on')
  }
  t.equal((await signOut(own)).statusCode, 303)
  t.notOk(await isOpen())
})
