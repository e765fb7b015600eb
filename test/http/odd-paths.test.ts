/** Handles and slugs that do not exist, and targets in any form, as they are: over a real socket, because clients normalise URLs. */
import t from 'tap'
import { refused } from '../harness/answers.js'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'
import { request, sendRaw } from '../harness/sockets.js'

const NAMES = [
  '.',
  '..',
  '...',
  '%2e%2e',
  '%2F',
  'ben%2Fx',
  '..%2F..%2Fetc%2Fpasswd',
  '%00',
  'ben%00',
  'ben%00x',
  '%0d%0aSet-Cookie:a=b',
  '%20ben',
  'ben%20',
  'ben.',
  'b%C3%A9n',
  '%E6%97%A5%E6%9C%AC',
  '%F0%9F%92%A5',
  '__proto__',
  'constructor',
  '$where',
  '[object Object]'.replace(' ', '%20'),
  "'OR'1'='1",
  '%25',
  '*',
  '-',
  'ben~x',
  'ben,ada-l',
  'null',
  'undefined',
  'a'.repeat(500),
  'a'.repeat(5000),
  '%F0%9F%92%A5'.repeat(500),
]

await t.test('odd handles and slugs', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })
  const port = await service.listen(service.api)

  await t.test('are unknown, not an accident', async (t) => {
    for (const name of NAMES) {
      for (const path of [
        `/public/share/user/${name}`,
        `/public/share/user/${name}/followers`,
        `/public/share/app/${name}/Garden.Maze`,
        `/public/share/app/ben/${name}`,
      ]) {
        refused(t, await request(port, path), 404, 'not_found', path.slice(0, 60))
      }
    }
  })

  await t.test('escapes that are none are a 400', async (t) => {
    for (const name of ['%zz', '%', '%E', 'ben%', '%ED%A0%80', '%ff', '%C0%AF']) {
      refused(t, await request(port, `/public/share/user/${name}`), 400, 'invalid_request', name)
      refused(t, await request(port, `/public/share/app/ben/${name}`), 400, 'invalid_request', name)
      refused(t, await request(port, `/public/share/user/${name}`, { method: 'POST' }), 400, 'invalid_request', `POST ${name}`)
    }
  })

  await t.test('paths that a client would normalise are not normalised here', async (t) => {
    for (const path of [
      '//public/share/tags',
      '/public/./share/tags',
      '/public/share/../share/tags',
      '/public/share/tags/..',
      '/./public/share/tags',
      '/\\public/share/tags',
    ]) {
      refused(t, await request(port, path), 404, 'not_found', path)
    }
  })

  t.equal((await request(port, '/public/share/user/ben')).statusCode, 200, 'and the service lives on')
})

await t.test('targets in all forms of HTTP, and in none', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY, admission: {}, agentLimit: 60, otherLimit: 20 })
  const web = await service.listen(service.web)
  const send = async (line: string) => {
    const answer = await sendRaw(web, `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`)
    return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]), isCounted: /\r\nratelimit:/i.test(answer) }
  }
  for (const target of ['/status', 'http://elsewhere/status', 'HTTP://elsewhere/status?x'])
    t.strictSame(await send(`GET ${target}`), { status: 200, isCounted: true }, target)
  for (const target of ['http://elsewhere', 'http://elsewhere?sort=liked']) t.equal((await send(`GET ${target}`)).status, 200, target)
  for (const target of ['*status', '*', 'status', '*app/%zz', '*public/share/tags', '?x', 'ftp://elsewhere/status'])
    t.strictSame(await send(`GET ${target}`), { status: 400, isCounted: false }, target)
  t.equal((await send('POST *ask')).status, 400)
  t.equal((await send('OPTIONS *')).status, 204)
  while ((await send('GET *')).status === 400);
  t.equal((await send('GET *')).status, 429, 'and at most as many as of other unknown paths')
})
