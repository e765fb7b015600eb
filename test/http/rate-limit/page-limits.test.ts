/** Pages and pictures have limits of their own, and a person understands the answer. */
import { Agent } from 'node:http'
import t from 'tap'
import { refused } from '../../harness/answers.js'
import { COMMUNITY } from '../../harness/community.js'
import { Service } from '../../harness/service.js'
import { request } from '../../harness/sockets.js'
import { eventually } from '../../ports/subject.js'

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

await t.test('a person over the limit gets a page in their language', async (t) => {
  const clock = { now: 1_000_000 * 60_000 }
  const service = await Service.start(t, { events: COMMUNITY, now: () => clock.now, pageLimit: 5, admission: {} })
  const web = await service.listen(service.web)
  const first = await request(web, '/', { headers: BROWSER })
  t.equal(first.statusCode, 200)
  t.equal(first.headers['ratelimit-limit'], undefined, 'pages do not announce their limit')
  const etag = String(first.headers.etag)
  t.equal((await request(web, '/', { headers: { ...BROWSER, 'if-none-match': etag } })).statusCode, 304)
  t.equal((await request(web, '/@ada-l', { method: 'HEAD', headers: BROWSER })).statusCode, 200)
  t.equal((await request(web, '/docs/', { headers: BROWSER })).statusCode, 308)
  t.equal((await request(web, '/@nobody', { headers: BROWSER })).statusCode, 404, 'all of them count')
  clock.now += 12_000

  const german = await request(web, '/?locale=de', { headers: { ...BROWSER, origin: 'https://page.example' } })
  t.equal(german.statusCode, 429)
  t.match(german.headers, {
    'retry-after': '48',
    'content-type': 'text/html; charset=utf-8',
    'content-language': 'de',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'content-security-policy': first.headers['content-security-policy'],
  })
  t.match(german.body, /<html lang="de">.*<h1>Das ging sehr schnell\.<\/h1>.*eine Minute warten/s)
  t.match(german.body, /<link rel="stylesheet" href="\/assets\/vitrine\.[0-9a-f]+\.css">/)
  const japanese = await request(web, '/@ada-l', { headers: { ...BROWSER, 'accept-language': 'fr, ja;q=0.8' } })
  t.match(japanese.body, /<html lang="ja">/)
  const onSubdomain = await request(web, '/', { headers: { ...BROWSER, host: 'ada-l.vitrine.example' } })
  t.equal(onSubdomain.statusCode, 429, 'on a subdomain, too')
  t.match(onSubdomain.body, /<a class="wordmark" href="https:\/\/[^"/]+\/">/, 'with links that lead to the gallery')
  t.match(onSubdomain.body, /<a class="button" href="">/, 'and one to the same page')
  const program = await request(web, '/', { headers: { accept: 'application/json' } })
  refused(t, program, 429, 'rate_limited')
  t.equal(program.headers.vary, 'Accept')
  t.equal((await request(web, '/', { method: 'HEAD', headers: BROWSER })).statusCode, 429)

  t.equal((await request(web, '/covers/x.svg')).statusCode, 200, 'pictures and other classes go on')
  t.equal((await request(web, '/status')).statusCode, 200)
  const neighbour = await service.web.inject({ url: '/', remoteAddress: '192.0.2.7', headers: BROWSER })
  t.equal(neighbour.statusCode, 200, 'and so do other callers')
  clock.now += Number(german.headers['retry-after']) * 1000
  t.equal((await request(web, '/', { headers: BROWSER })).statusCode, 200, 'after the wait the page is there')
})

await t.test('a page is refused before Fastify as by Fastify, header by header', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY, now: () => 60_000, pageLimit: 1, admission: {} })
  const web = await service.listen(service.web)
  await request(web, '/')
  for (const accept of ['text/html', 'application/json']) {
    const headers = { accept, 'x-request-id': 'same', 'accept-language': 'es' }
    const { statusCode, body, headers: sent } = await request(web, '/', { headers })
    const injected = await service.web.inject({ url: '/', headers })
    t.strictSame([statusCode, injected.statusCode], [429, 429])
    const plain = (of: Record<string, unknown>) => {
      const { date: _, connection: __, 'keep-alive': ___, 'content-length': ____, ...rest } = of
      return rest
    }
    t.strictSame(plain({ ...sent }), plain({ ...injected.headers }))
    const h1 = /<h1>.*<\/h1>/
    t.strictSame(h1.exec(body)?.[0], h1.exec(injected.body)?.[0])
  }
})

await t.test('pictures are counted apart, and a front page has many', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY, now: () => 60_000, pageLimit: 1, pictureLimit: 4 })
  const get = async (url: string) => (await service.web.inject({ url, headers: BROWSER })).statusCode
  t.strictSame([await get('/'), await get('/')], [200, 429])
  t.strictSame(
    [await get('/covers/a.svg'), await get('/avatars/b.svg'), await get('/assets/none.js'), await get('/covers/A.svg')],
    [200, 200, 404, 404],
  )
  t.equal(await get('/covers/a.svg'), 429)
})

await t.test('refused requests write one line together', async (t) => {
  const lines: Record<string, unknown>[] = []
  const service = await Service.start(t, {
    ...{ events: COMMUNITY, now: () => 60_000, pageLimit: 1, agentLimit: 1 },
    logged: (line) => lines.push(JSON.parse(line)),
  })
  const web = await service.listen(service.web)
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  for (let i = 0; i < 101; i++) await request(web, '/', { headers: BROWSER, agent })
  for (let i = 0; i < 11; i++) await service.web.inject('/status')
  const counted = () => {
    const sum: Record<string, number> = {}
    for (const { refused = {} } of lines as { refused?: Record<string, number> }[])
      for (const [name, count] of Object.entries(refused)) sum[name] = (sum[name] ?? 0) + count
    return sum
  }
  await eventually(async () => counted()['429 GET /status'] === 10)
  t.strictSame(counted(), { '429 GET /': 100, '429 GET /status': 10 })
  const answered = lines.filter(({ msg }) => msg === 'answered')
  t.equal(answered.filter(({ status }) => status === 429).length, 0)
  t.equal(answered.length, 2, 'each answer has its own line')
  const seconds = lines.filter(({ msg }) => msg === 'refused').map(({ time }) => Number(time))
  for (const [i, time] of seconds.entries()) if (i > 0) t.ok(time - Number(seconds[i - 1]) >= 990, 'one line a second')
  t.ok(seconds.length < 20)
})
