/** A creator whose handle is a host name of the service: no address that we make may be that host's. */
import t, { type Test } from 'tap'
import { Service, WEB_URL } from '../harness/service.js'
import { send } from '../mcp/exchange.js'
import { followed, published, registered } from '../spec/events.js'

const HANDLES = ['www', 'api', 'Admin', 'status']
const service = await Service.start(t, {
  events: [
    registered('ada'),
    ...HANDLES.flatMap((handle) => [
      registered(handle, { handle }),
      published(`work-${handle}`, { by: handle, slug: 'clock', title: { en: `Clock of ${handle}` } }),
      followed('ada', handle),
    ]),
  ],
})

/** Every address under the creators' domain or the web host, wherever it stands in a body. */
const addressesIn = (body: string): string[] => [...body.matchAll(/https?:\/\/[^\s"'<>\\)|&?]+/g)].map(([url]) => url)
const isStolen = (url: string): boolean => HANDLES.some((handle) => new URL(url).hostname === `${handle.toLowerCase()}.vitrine.example`)

function check(t: Test, what: string, body: string, ...expected: string[]): void {
  const found = addressesIn(body)
  t.strictSame(found.filter(isStolen), [], what)
  for (const url of expected) t.ok(found.includes(url), `${what}: ${url}`)
}

await t.test('in every read, page, document and answer its address is on the web host', async (t) => {
  for (const handle of HANDLES) {
    const [creator, creation] = [`${WEB_URL}/@${handle}`, `${WEB_URL}/@${handle}/clock`]
    check(t, 'profile', (await service.get(`/public/share/user/${handle}`)).body, creator, creation)
    check(t, 'share', (await service.get(`/public/share/app/${handle}/clock`)).body, creation)
    check(t, 'feed', (await service.get('/public/share/community')).body, creation)
    check(t, 'followers', (await service.get('/public/share/user/ada/followers')).body, creator)
    check(t, 'sitemap', (await service.web.inject('/sitemap.xml')).body, creator, creation)
    for (const url of [`/@${handle}`, `/@${handle}/clock`]) {
      const page = await service.web.inject(url)
      t.equal(page.statusCode, 200)
      check(t, url, page.body)
      t.match(page.body, `<link rel="canonical" href="${WEB_URL}${url}">`)
    }
    const query = `what has @${handle} made?`
    check(t, 'ask', (await service.web.inject({ method: 'POST', url: '/ask', payload: { query } })).body, creation)
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_creator_profile', arguments: { handle } } }
    check(t, 'MCP', JSON.stringify((await send(service.api, '/mcp', call)).json().result.structuredContent), creator, creation)
    const read = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: `vitrine://creators/${handle}` } }
    check(t, 'MCP resource', (await send(service.api, '/mcp', read)).json().result.contents[0].text, creator)
  }
  check(t, 'the first page', (await service.web.inject('/')).body)
})

await t.test('and the host itself stays what it is', async (t) => {
  for (const host of ['www.vitrine.example', 'api.vitrine.example', 'admin.vitrine.example']) {
    const page = await service.web.inject({ url: '/', headers: { host, accept: 'text/html' } })
    t.equal(page.statusCode, 200)
    t.notMatch(page.body, '<link rel="canonical" href="https://web.example/@')
  }
})
