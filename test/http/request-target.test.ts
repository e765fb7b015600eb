/** Every stage sees the same path, whatever form the request line has. */
import t from 'tap'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'
import { sendRaw } from '../harness/sockets.js'

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
