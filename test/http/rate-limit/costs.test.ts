import t from 'tap'
import { COMMUNITY } from '../../harness/community.js'
import { Service } from '../../harness/service.js'

const LONG = 'a water timer for plants '.repeat(8).slice(0, 200)
const QUESTION = 'Which water timers are liked most? '.repeat(60).slice(0, 2000)

const start = () => Service.start(t, { events: COMMUNITY, limit: 20, agentLimit: 20, mcpLimit: 20, pageLimit: 2 })

await t.test('a long text counts as several requests', async (t) => {
  const service = await start()
  let caller = 0
  const counted = async (method: 'GET' | 'POST', url: string, payload?: object) => {
    caller += 1
    const host = url.startsWith('/public') ? service.api : service.web
    const { statusCode, headers } = await host.inject({ method, url, remoteAddress: `192.0.2.${caller}`, ...(payload && { payload }) })
    return [statusCode, 20 - Number(headers['ratelimit-remaining'])]
  }
  const search = (q: string, filter = '') => `/public/share/community?q=${encodeURIComponent(q)}${filter}`
  const tool = (name: string, args: object) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })

  t.strictSame(await counted('GET', search('water')), [200, 1])
  t.strictSame(await counted('GET', search(LONG.slice(0, 20))), [200, 1])
  t.strictSame(await counted('GET', search(LONG.slice(0, 21))), [200, 2])
  t.strictSame(await counted('GET', search(LONG)), [200, 10])
  t.strictSame(await counted('GET', search('ﷺ'.repeat(5))), [200, 5], 'eighteen letters each')
  for (const filter of ['&tag=cozy', '&category=games', '&featuredOnly=true']) {
    t.strictSame(await counted('GET', search(LONG.slice(0, 10), filter)), [200, 1])
    t.strictSame(await counted('GET', search(LONG.slice(0, 11), filter)), [200, 2], filter)
  }
  t.strictSame(await counted('GET', search(LONG)), [200, 10], 'this way; before Fastify, one that is kept counts as one')
  t.strictSame(await counted('GET', `${search(LONG)}&q=x`), [422, 11], 'of repeated parameters all')
  t.strictSame(await counted('GET', `/text/community?q=${encodeURIComponent(LONG)}`), [200, 10])
  for (const filter of ['featured=true', 'kind=game', 'remixed=true'])
    t.strictSame(await counted('GET', `/text/community?${filter}&q=${encodeURIComponent(LONG.slice(0, 50))}`), [200, 5], filter)

  t.strictSame(await counted('POST', '/ask'), [200, 1], 'no body at all')
  t.strictSame(await counted('POST', '/ask', { query: QUESTION.slice(0, 24) }), [200, 1])
  t.strictSame(await counted('POST', '/ask', { query: { text: QUESTION.slice(0, 25) } }), [200, 2])
  t.strictSame(await counted('POST', '/ask', { query: 'And in games?', prev: [QUESTION.slice(0, 40), QUESTION.slice(0, 40)] }), [200, 4])
  t.strictSame(await counted('POST', '/en/ask', { query: QUESTION }), [200, 6], 'at most six')
  t.strictSame(await counted('POST', '/ask/jobs', { query: QUESTION.slice(0, 25) }), [202, 3])
  t.strictSame(await counted('POST', '/ask/jobs', { query: QUESTION }), [202, 7])

  t.strictSame(await counted('POST', '/mcp', tool('ask', { query: QUESTION })), [200, 6])
  t.strictSame(await counted('POST', '/mcp', tool('get_community_feed', { q: LONG.slice(0, 100), tag: 'cozy' })), [200, 10])
  t.strictSame(await counted('POST', '/mcp', tool('get_community_feed', {})), [200, 1])
  t.strictSame(await counted('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'ping', params: 'of no use' }), [200, 1])

  const read = (id: string, q: string) => ({ id, operation: 'get_community_feed', arguments: { q } })
  t.strictSame(
    await counted('POST', '/batch', { requests: [read('a', LONG), read('b', 'water'), read('c', LONG.slice(0, 60))] }),
    [200, 14],
  )
})

await t.test('what counts more than the whole limit counts as the limit', async (t) => {
  const service = await start()
  const requests = Array.from({ length: 10 }, (_, i) => ({ id: String(i), operation: 'get_community_feed', arguments: { q: LONG } }))
  const send = () => service.web.inject({ method: 'POST', url: '/batch', payload: { requests } })
  const first = await send()
  t.strictSame([first.statusCode, first.headers['ratelimit-remaining']], [200, '0'])
  t.equal((await send()).statusCode, 429)
})

await t.test('a page that searches for a long text is refused as a page', async (t) => {
  const service = await start()
  const visit = (url: string) => service.web.inject({ url, headers: { accept: 'text/html' } })
  t.equal((await visit('/?q=water')).statusCode, 200)
  const refusal = await visit(`/?q=${encodeURIComponent(LONG)}`)
  t.match([refusal.statusCode, refusal.headers['content-type'], refusal.headers['retry-after']], [429, /^text\/html/, /^\d+$/])
  t.equal((await visit('/?q=water')).statusCode, 429, 'it has cost its head')
})
