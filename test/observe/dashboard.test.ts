import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { refused } from '../harness/answers.js'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'
import { eventually } from '../ports/subject.js'
import { openPage, startChromium } from '../servers/chromium.js'
import { but, liked, played, poison, published, registered } from '../spec/events.js'
import { listening } from '../support/listening.js'

const TOKEN = 'a token only tests know'
const AXE = fileURLToPath(new URL('axe.min.js', import.meta.resolve('axe-core')))

t.test('the dashboard in a browser', async (t) => {
  const browser = await startChromium(t)
  if (browser === null) return
  const hostile = poison(played('maze'))
  const service = await Service.start(t, { events: [...COMMUNITY, hostile, liked('maze', 'dora')], adminToken: TOKEN })
  const url = `http://127.0.0.1:${await service.listen(service.admin)}`
  const page = await openPage(t, browser)

  await t.test('asks for the token, and rejects any other', async (t) => {
    await page.goto(url)
    t.equal(new URL(page.url()).pathname, '/login')
    await page.fill('input[name=token]', 'not the token at all')
    await page.click('button')
    await page.getByText('That is not the admin token.').waitFor()
    await page.fill('input[name=token]', TOKEN)
    await page.click('button')
    await page.locator('[data-projection=feed]').waitFor()
    const [cookie] = await page.context().cookies()
    t.match(cookie, { httpOnly: true, sameSite: 'Strict' })
  })

  await t.test('shows every projection, and refreshes by itself', async (t) => {
    t.strictSame(await page.locator('[data-projection] h3').allTextContents(), ['feed', 'tags', 'profiles', 'shares', 'integrity'])
    await page.locator('[data-projection=feed] .badge', { hasText: 'degraded' }).waitFor()
    t.equal(await page.locator('[data-projection=tags] .badge').textContent(), 'live')
    const position = COMMUNITY.length + 2
    await page.locator(`[data-projection=tags] [data-position="${position}"]`).waitFor()
    await service.tell(played('tides'))
    await page.locator(`[data-projection=tags] [data-position="${position + 1}"]`).waitFor()
  })

  await t.test('a rebuild asked for here is carried out, and it is written down who asked', async (t) => {
    await page.locator('[data-projection=tags]').getByText('Rebuild').click()
    await page.locator('dialog button[value=yes]').click()
    await page.getByRole('cell', { name: 'session, 127.0.0.1' }).first().waitFor()
    t.match(await page.getByText('generation 2 is live').textContent(), /at position \d+/)
  })

  await t.test('a page of another site can neither look nor act, even with a session', async (t) => {
    const evil = await page.context().newPage()
    // Another host name is another site, though it is the same machine.
    const site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<p>Win a prize</p>'))
    t.teardown(() => site.close())
    await evil.goto(`http://localhost:${await listening(site)}/`)
    const tried = await evil.evaluate(async (target) => {
      const body = JSON.stringify({ action: 'rebuild', projection: 'shares' })
      const act = (headers: Record<string, string>, mode: 'cors' | 'no-cors') =>
        fetch(`${target}/actions`, { method: 'POST', credentials: 'include', mode, headers, body }).then(
          ({ type }) => type,
          () => 'refused',
        )
      const look = (path: string) =>
        fetch(target + path, { credentials: 'include' }).then(
          () => 'seen',
          () => 'refused',
        )
      return [
        await act({ 'Content-Type': 'application/json' }, 'cors'),
        await act({ 'Content-Type': 'text/plain' }, 'no-cors'),
        await look('/board'),
        await look('/metrics'),
      ]
    }, url)
    t.strictSame(tried, ['refused', 'opaque', 'refused', 'refused'])
    const { requests, audit } = (await service.admin.inject({ url: '/board', headers: { authorization: `Bearer ${TOKEN}` } })).json()
    t.notOk(
      [...requests, ...audit].some(({ projection }: { projection: string }) => projection === 'shares'),
      'nothing came of it',
    )
    await evil.close()
  })

  await t.test('signing out ends it', async (t) => {
    await page.getByText('Sign out').click()
    await page.locator('input[name=token]').waitFor()
    await page.goto(url)
    t.equal(new URL(page.url()).pathname, '/login')
  })
})

t.test('the lag of a projection is drawn to a scale that can be read', async (t) => {
  const browser = await startChromium(t)
  if (browser === null) return
  const axe = await readFile(AXE, 'utf8')
  // Without a projector all of them lag by the whole log.
  const service = await Service.start(t, { events: COMMUNITY, projecting: false })
  const url = `http://127.0.0.1:${await service.listen(service.admin)}`
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await openPage(t, browser, { colorScheme, reducedMotion: 'reduce' })
    await page.goto(url)
    const graph = page.locator('[data-projection=tags] .graph')
    await graph.getByText(/^\d+ s ago$/).waitFor()
    t.equal(await graph.locator('.most').textContent(), String(COMMUNITY.length), 'the largest value')
    t.strictSame(await graph.locator('.least, .until').allTextContents(), ['0', 'now'])
    const said = await graph.getByRole('img').getAttribute('aria-label')
    t.match(said, new RegExp(`^lag of tags over the last \\d+ s: at most ${COMMUNITY.length} events$`))
    t.equal(await page.locator(':is(ul, ol, menu) > :not(li)').count(), 0, 'lists hold nothing but items')
    await page.evaluate(axe)
    const violations = await page.evaluate(
      'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))',
    )
    t.strictSame(violations, [], `nothing to complain about for axe, ${colorScheme}`)
  }
})

const ALL_OF_IT = [
  ...[registered('ada'), published('lost', { by: 'ada' }), but(liked('lost', 'ben'), { sequence: 9 })],
  ...[but(liked('late', 'ben'), { sequence: 2 }), but(published('late', { by: 'ada' }), { sequence: 1 })],
  ...[published('twice', { by: 'ada' }), but(published('twice', { by: 'ben' }), { sequence: 1 })],
]

t.test('what upstream lost, sent late or twice is named with what to do, and goes when it is mended', async (t) => {
  const browser = await startChromium(t)
  if (browser === null) return
  const axe = await readFile(AXE, 'utf8')
  const service = await Service.start(t, { events: ALL_OF_IT })
  const url = `http://127.0.0.1:${await service.listen(service.admin)}`
  for (const viewport of [
    { width: 1280, height: 900 },
    { width: 390, height: 844 },
  ])
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await openPage(t, browser, { colorScheme, viewport, reducedMotion: 'reduce' })
      await page.goto(url)
      const section = page.locator('section', { hasText: 'Upstream sequences' })
      await section.getByText('creation/lost misses 2-8, since position 3').waitFor()
      t.strictSame(await section.locator('.tile').allTextContents(), [
        '4aggregates',
        '1with gaps',
        '1late events',
        '0duplicates',
        '1conflicts',
      ])
      t.strictSame(await section.locator('tbody td:first-child').allTextContents(), ['missing', 'conflict', 'late'])
      await section.getByText('publish the missing events again, in any order, at any time').waitFor()
      await section.getByText('"vitrine dead-letters discard all 7 --folded --reason …"').waitFor()
      t.equal(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), true, 'nothing is cut off')
      await page.evaluate(axe)
      t.strictSame(await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))'), [], colorScheme)
    }
  const page = await openPage(t, browser)
  await page.goto(url)
  await service.tell(...[4, 2, 8, 3, 5, 7, 6].map((sequence) => but(liked('lost', `u${sequence}`), { sequence })))
  await page.getByText('creation/lost got 7 late events, the newest at position 14').waitFor()
  t.equal(await page.getByText('creation/lost misses').count(), 0)
})

t.test('without a browser', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY, adminToken: TOKEN })
  const post = (headers: Record<string, string>, payload: object = { action: 'rebuild', projection: 'tags' }) =>
    service.admin.inject({ method: 'POST', url: '/actions', headers, payload })
  const bearer = { authorization: `Bearer ${TOKEN}` }
  t.equal((await post({})).statusCode, 401)
  t.equal((await post({ authorization: 'Bearer wrong' })).statusCode, 401)
  t.equal((await post(bearer, { action: 'rebuild', projection: 'nothing' })).statusCode, 422)
  t.equal((await post(bearer, { action: 'discard', projection: 'tags', position: 1, reason: ' ' })).statusCode, 422)
  t.equal((await post(bearer, { action: 'format the disk', projection: 'tags' })).statusCode, 422)
  for (const url of ['/board', '/live']) t.equal((await service.admin.inject(url)).statusCode, 401, url)
  t.match(await service.admin.inject('/'), { statusCode: 303, headers: { location: '/login' } })
  for (const url of ['/health/live', '/health/ready', '/metrics']) t.equal((await service.admin.inject(url)).statusCode, 200, url)

  const login = (token: string, origin = 'http://localhost:3002') =>
    service.admin.inject({
      method: 'POST',
      url: '/login',
      headers: { origin, host: 'localhost:3002', 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ token }).toString(),
    })
  t.equal((await login(TOKEN, 'https://evil.example')).statusCode, 403, 'signing in is for our own page')
  const opened = await login(TOKEN)
  t.equal(opened.statusCode, 303)
  const cookie = String(opened.headers['set-cookie'])
  t.match(cookie, /^vitrine_admin=[\w-]{32}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/)
  const session = { cookie: cookie.split(';')[0] ?? '', host: 'localhost:3002', origin: 'http://localhost:3002' }
  t.equal((await post(session)).statusCode, 403, 'a session alone is not enough')
  const page = await service.admin.inject({ url: '/', headers: session })
  const [, seal = ''] = /data-seal="([\w-]+)"/.exec(page.body) ?? []
  t.notMatch(String(page.headers['content-security-policy']), /unsafe/)
  t.equal((await post({ ...session, 'x-admin-seal': 'other' })).statusCode, 403)
  t.equal((await post({ ...session, 'x-admin-seal': seal, origin: 'https://evil.example' })).statusCode, 403)
  t.equal((await post({ ...session, 'x-admin-seal': seal })).statusCode, 202)
  t.equal((await post(bearer)).statusCode, 202, 'who sends the token itself needs nothing else')
  await eventually(async () => (await service.admin.inject({ url: '/board', headers: bearer })).json().requests.length === 1)
  t.match((await service.admin.inject({ url: '/board', headers: bearer })).json().audit, [
    { who: 'token', projection: 'tags', what: 'rebuild' },
    { who: 'session', projection: 'tags', what: 'rebuild' },
  ])
  for (let i = 0; i < 10; i++) await login('a wrong one of many')
  t.equal((await login(TOKEN)).statusCode, 429, 'guessing is slow')
})

t.test('an address that keeps sending wrong tokens gets a 429', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY, adminToken: TOKEN })
  const send = (token: string, remoteAddress: string, url = '/board') =>
    service.admin.inject({ url, remoteAddress, headers: { authorization: `Bearer ${token}` } })
  for (let i = 0; i < 10; i++) t.equal((await send(`wrong ${i}`, '10.0.0.7')).statusCode, 401, `${i + 1}`)
  for (const url of ['/board', '/live', '/']) {
    const refusal = await send('another wrong one', '10.0.0.7', url)
    refused(t, refusal, 429, 'rate_limited', url)
    t.match(refusal.headers['retry-after'], /^[1-9]\d?\d?$/)
  }
  const acted = {
    method: 'POST',
    url: '/actions',
    remoteAddress: '10.0.0.7',
    headers: { authorization: 'Bearer wrong' },
    payload: {},
  } as const
  refused(t, await service.admin.inject(acted), 429, 'rate_limited')
  t.equal((await send('wrong', '10.0.0.8')).statusCode, 401, 'others are told that it is wrong')
  t.equal((await service.admin.inject({ url: '/board', remoteAddress: '10.0.0.7' })).statusCode, 401, 'no token is not a wrong one')
  t.equal((await send(TOKEN, '10.0.0.7')).statusCode, 200, 'who shares the address and has the token gets in')
  refused(t, await send('wrong', '10.0.0.7'), 429, 'rate_limited', 'which is no new beginning for the others')
  for (let i = 0; i < 10; i++) await send('wrong', `2001:db8::${i}`)
  refused(t, await send('wrong', '2001:db8::ffff'), 429, 'rate_limited', 'a network of IPv6 is one address')
})

t.test('without a token the pages are for this machine', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })
  const get = (remoteAddress: string, headers: Record<string, string> = {}) =>
    service.admin.inject({ url: '/board', remoteAddress, headers: { host: 'localhost:3002', ...headers } })
  t.equal((await get('127.0.0.1')).statusCode, 200)
  t.equal((await get('::1', { host: '[::1]:3002' })).statusCode, 200)
  t.equal((await get('::ffff:127.0.0.1', { host: '127.0.0.1:3002' })).statusCode, 200)
  t.equal((await get('10.0.0.7')).statusCode, 403)
  t.equal((await get('127.0.0.1', { 'x-forwarded-for': '127.0.0.1' })).statusCode, 403, 'a caller behind a proxy')
  t.equal((await get('127.0.0.1', { host: 'evil.example' })).statusCode, 403, 'a foreign name that resolves to here')
  t.equal((await service.admin.inject({ url: '/metrics', remoteAddress: '10.0.0.7' })).statusCode, 200)
  const act = { method: 'POST', url: '/actions', payload: { action: 'prune', projection: 'tags' } } as const
  const headers = { host: 'localhost:3002', origin: 'http://localhost:3002' }
  t.equal((await service.admin.inject({ ...act, headers })).statusCode, 403, 'the page has to say that it is ours')
})
