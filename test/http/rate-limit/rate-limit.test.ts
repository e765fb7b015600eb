import t, { type Test } from 'tap'
import { refused } from '../../harness/answers.js'
import { COMMUNITY } from '../../harness/community.js'
import { Service, type ServiceOptions } from '../../harness/service.js'

const TAGS = '/public/share/tags'

/** A service whose clock stands still until the test moves it. */
async function limited(t: Test, options: ServiceOptions = {}) {
  const clock = { now: 1_000_000 * 60_000 }
  const service = await Service.start(t, { events: COMMUNITY, limit: 120, now: () => clock.now, ...options })
  const visit = (remoteAddress: string, headers: Record<string, string> = {}, url = TAGS) =>
    service.api.inject({ url, remoteAddress, headers })
  const visits = async (count: number, remoteAddress: string, url = TAGS) => {
    for (let i = 0; i < count; i++) t.equal((await service.api.inject({ url, remoteAddress })).statusCode, 200)
  }
  return { service, clock, visit, visits }
}

await t.test('120 requests a minute, and the 121st has to wait', async (t) => {
  const { clock, visit, visits } = await limited(t)
  const first = await visit('192.0.2.1')
  t.match(first.headers, {
    'ratelimit-policy': '"public";q=120;w=60',
    ratelimit: '"public";r=119;t=60',
    'ratelimit-limit': '120',
    'ratelimit-remaining': '119',
    'ratelimit-reset': '60',
  })
  t.notOk(first.headers['retry-after'])
  await visits(118, '192.0.2.1')
  t.equal((await visit('192.0.2.1')).headers['ratelimit-remaining'], '0')

  const refusal = await visit('192.0.2.1')
  const { message } = refused(t, refusal, 429, 'rate_limited')
  t.match(message, /120 requests in 60 seconds/)
  const wait = Number(refusal.headers['retry-after'])
  t.ok(Number.isInteger(wait) && wait >= 1 && wait <= 60, `Retry-After: ${wait}`)
  t.match(refusal.headers, {
    'ratelimit-policy': '"public";q=120;w=60',
    ratelimit: `"public";r=0;t=${wait}`,
    'ratelimit-remaining': '0',
    'ratelimit-reset': String(wait),
    'access-control-allow-origin': '*',
  })

  clock.now += wait * 1000
  t.equal((await visit('192.0.2.1')).statusCode, 200, 'a request passes after the announced wait')
})

await t.test('every read counts, also one that fails, on both hosts together', async (t) => {
  const { service, visit } = await limited(t, { limit: 8 })
  const remoteAddress = '192.0.2.1'
  const spent = [
    await visit(remoteAddress),
    await visit(remoteAddress, {}, '/public/share/community?limit=0'),
    await visit(remoteAddress, {}, '/public/share/user/nobody'),
    await visit(remoteAddress, { 'if-none-match': '*' }),
    await service.api.inject({ method: 'HEAD', url: TAGS, remoteAddress }),
    await service.web.inject({ url: '/public/share/community', remoteAddress }),
    await visit(remoteAddress, { 'service-min-position': 'nonsense' }),
  ]
  t.strictSame(
    spent.map(({ statusCode, headers }) => [statusCode, headers['ratelimit-remaining']]),
    [
      [200, '7'],
      [422, '6'],
      [404, '5'],
      [304, '4'],
      [200, '3'],
      [200, '2'],
      [400, '1'],
    ],
  )
  t.equal((await visit(remoteAddress)).statusCode, 200)
  for (const host of [service.api, service.web]) {
    refused(t, await host.inject({ url: '/public/share/community', remoteAddress }), 429, 'rate_limited')
  }
})

await t.test('the callers of one /48 share a wider limit', async (t) => {
  const { clock, visit, visits } = await limited(t, { limit: 2 })
  for (let i = 0; i < 10; i++) await visits(2, `2001:db8:1:${i}::1`)
  const refusal = await visit('2001:db8:1:a::1')
  refused(t, refusal, 429, 'rate_limited')
  for (let i = 0; i < 3; i++) t.equal((await visit('2001:db8:1:a::1')).statusCode, 429)
  await visits(2, '2001:db8:2:a::1')
  clock.now += Number(refusal.headers['retry-after']) * 1000
  await visits(1, '2001:db8:1:a::1')
  t.pass('and a request that it refuses costs its caller nothing')
})

await t.test('X-Forwarded-For is ignored without a trusted proxy', async (t) => {
  const { visit } = await limited(t, { limit: 2 })
  for (const [i, header] of ['x-forwarded-for', 'x-forwarded-for', 'x-real-ip', 'forwarded'].entries()) {
    const { statusCode } = await visit('192.0.2.1', { [header]: `198.51.100.${i}` })
    t.equal(statusCode, i < 2 ? 200 : 429, `${header} ${i}`)
  }
})

await t.test('behind a proxy, the address it adds is the caller', async (t) => {
  const { visit } = await limited(t, { limit: 1, trustProxy: true })
  const via = (forwarded: string) => visit('10.0.0.1', { 'x-forwarded-for': forwarded })
  t.equal((await via('198.51.100.1')).statusCode, 200)
  t.equal((await via('198.51.100.1')).statusCode, 429)
  t.equal((await via('198.51.100.2')).statusCode, 200)
  t.equal((await via('203.0.113.7, 198.51.100.2')).statusCode, 429, 'not the one the caller made up before')
  t.equal((await via('2001:db8::1')).statusCode, 200)
  t.equal((await via('2001:db8::2')).statusCode, 429)
  t.equal((await visit('10.0.0.1')).statusCode, 200, 'without the header it is the proxy itself')
  t.equal((await via('198.51.100.3:40001')).statusCode, 200)
  for (const same of ['198.51.100.3:40002', '198.51.100.3', '[2001:db8::9]:40003'])
    t.equal((await via(same)).statusCode, 429, `a port is no other caller: ${same}`)
})

await t.test('what is no public read is not counted', async (t) => {
  const { service, visits } = await limited(t, { limit: 2, otherLimit: 3 })
  const remoteAddress = '192.0.2.1'
  const others: number[] = []
  for (const url of ['/nothing', '/app/x', '/nothing', '/app/x']) others.push((await service.api.inject({ url, remoteAddress })).statusCode)
  t.strictSame(others, [404, 401, 404, 429], 'unknown paths and those of the app have a limit of their own')
  for (let i = 0; i < 5; i++) t.equal((await service.web.inject({ url: '/covers/x.svg', remoteAddress })).statusCode, 200)
  for (let i = 0; i < 5; i++) t.equal((await service.admin.inject({ url: '/health/live', remoteAddress })).statusCode, 200)
  await visits(2, remoteAddress)
})

await t.test('without a limit nothing is counted and nothing said', async (t) => {
  const { visit } = await limited(t, { limit: null })
  for (let i = 0; i < 150; i++) {
    const { statusCode, headers } = await visit('192.0.2.1')
    if (statusCode !== 200 || 'ratelimit' in headers || 'ratelimit-limit' in headers) t.fail(`request ${i}: ${statusCode}`)
  }
  t.pass('150 requests passed')
})
