/** An agent that knows only the web host finds its way from here to everything. */
import { createHash } from 'node:crypto'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import type { LightMyRequestResponse } from 'fastify'
import robotsModule from 'robots-parser'
import t from 'tap'
import { parse } from 'yaml'
import { agentOperations } from '../../src/contract/agent-operations.js'
import { COMMUNITY } from '../harness/community.js'
import { BASE_URL, Service, WEB_URL } from '../harness/service.js'
import { publicReads } from '../support/built-in-models.js'

// Its types speak of a default export that the module itself does not have.
const robotsParser = robotsModule as unknown as typeof robotsModule.default

const service = await Service.start(t, { events: COMMUNITY })

const get = (path: string, accept = '*/*') =>
  service.web.inject({ method: 'GET', url: path, headers: { accept, host: new URL(WEB_URL).host } })

/** Asks the host that a URL belongs to. */
function follow(url: string, method: 'GET' | 'POST' = 'GET', body?: object): Promise<LightMyRequestResponse> {
  const host = url.startsWith(BASE_URL) ? service.api : service.web
  const { pathname, search, host: name } = new URL(url)
  return host.inject({ method, url: pathname + search, headers: { host: name }, ...(body === undefined ? {} : { payload: body }) })
}

const DOCUMENTS = [
  '/llms.txt',
  '/llms-full.txt',
  '/openapi.json',
  '/auth.md',
  '/robots.txt',
  '/sitemap.xml',
  '/.well-known/mcp',
  '/.well-known/webmcp',
  '/.well-known/ai-catalog.json',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server',
  '/.well-known/agent-skills/index.json',
  '/.well-known/agent-skills/vitrine-public-read/SKILL.md',
]

/** Everything that looks like one of our addresses. */
const addressesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/https:\/\/(?:api|web)\.example[^\s"'`)\]<>,|]*/g)].map(([url]) => url.replace(/[.;:]+$/, ''))),
]

const FILLED: Record<string, string> = { handle: 'ada-l', slug: 'tide-clock', locale: 'de', jobId: 'unknown' }
const filled = (url: string): string => url.replace(/\{(\w+)\}|%7B(\w+)%7D/g, (_, name, encoded) => FILLED[name ?? encoded] ?? 'x')

/** Addresses that answer POST only. */
const POSTED = new Set(agentOperations.filter(({ method }) => method === 'POST').map(({ path }) => path))

await t.test('every document is there, tagged, and HEAD works', async (t) => {
  for (const path of DOCUMENTS) {
    const answer = await get(path)
    t.equal(answer.statusCode, 200, path)
    t.ok(answer.headers.etag, path)
    const again = await service.web.inject({ method: 'GET', url: path, headers: { 'if-none-match': String(answer.headers.etag) } })
    t.equal(again.statusCode, 304, path)
    t.equal((await service.web.inject({ method: 'HEAD', url: path })).statusCode, 200, path)
  }
})

await t.test('every link in every document leads somewhere', async (t) => {
  const links = new Map<string, string>()
  for (const path of DOCUMENTS) for (const url of addressesIn((await get(path)).body)) links.set(url, path)
  t.ok(links.size > 40, `${links.size} addresses`)
  // The API host as a whole is named too; it has no page at its root.
  links.delete(BASE_URL)
  for (const [url, path] of links) {
    const { pathname } = new URL(filled(url))
    const posted = POSTED.has(pathname)
    const { statusCode } = await follow(filled(url), posted ? 'POST' : 'GET')
    if (pathname.startsWith('/agent/auth/')) t.equal(statusCode, 403, `${url} in ${path}`)
    else if (/^\/app(\/|$)/.test(pathname)) t.equal(statusCode, 401, `${url} in ${path}`)
    else if (posted) t.ok([200, 202, 400].includes(statusCode), `${url} in ${path}: ${statusCode}`)
    else t.ok(statusCode === 200 || pathname.startsWith('/ask/jobs/'), `${url} in ${path}: ${statusCode}`)
  }
})

/** What an agent must be able to reach from every starting point. */
const CAPABILITIES = ['/ask', '/ask/jobs', '/batch', '/status', '/openapi.json', '/auth.md', '/.well-known/mcp', '/mcp']

await t.test('every document, and the first page, leads to every capability', async (t) => {
  // Without what only leads back or is meant for other programs.
  const begin = DOCUMENTS.filter((path) => path === '/llms.txt' || path.startsWith('/.well-known/'))
  for (const path of ['/', ...begin]) {
    const found = new Set<string>()
    for (let fresh = [WEB_URL + path], depth = 0; depth < 4 && fresh.length > 0; depth++) {
      const next = new Set<string>()
      for (const url of fresh) {
        const { headers, body } = await follow(filled(url))
        // The page of the documents themselves, not of what people made.
        if (url !== `${WEB_URL}/` && /html/.test(String(headers['content-type']))) continue
        for (const link of addressesIn(`${headers.link ?? ''} ${body}`)) if (!found.has(link)) next.add(link)
      }
      for (const link of next) found.add(link)
      fresh = [...next].filter((link) => link.startsWith(WEB_URL) && !POSTED.has(new URL(filled(link)).pathname) && !/\/@/.test(link))
    }
    const missing = CAPABILITIES.filter((capability) => !found.has(WEB_URL + capability) && !found.has(BASE_URL + capability))
    t.strictSame(missing, [], `from ${path}`)
  }
})

await t.test('llms.txt has the shape readers expect', async (t) => {
  const { body, headers } = await get('/llms.txt')
  t.match(headers['content-type'], 'text/plain')
  t.match(body, /^# Vitrine\n\n> /)
  t.match(body, /^- \[.+\]\(https:\/\/.+\)/m)
  t.equal(body.match(/^# /gm)?.length, 1)
  const full = (await get('/llms-full.txt')).body
  t.ok(full.startsWith(body))
  t.equal(full.match(/^# /gm)?.length, 1)
  t.match(full, 'roll over')
})

await t.test('every link of llms.txt can be followed with a GET, as it is', async (t) => {
  for (const path of ['/llms.txt', '/llms-full.txt', '/auth.md', '/.well-known/agent-skills/vitrine-public-read/SKILL.md']) {
    const links = [...(await get(path)).body.matchAll(/\]\((https?:[^)]*)\)/g)].map(([, url = '']) => url)
    t.ok(links.length > 2, path)
    for (const link of links) {
      const { statusCode, body } = await follow(link)
      t.equal(statusCode, 200, `${link} in ${path}`)
      const { hash } = new URL(link)
      if (hash !== '') t.match(body, `id="${hash.slice(1)}"`, 'also its fragment is there')
    }
  }
})

await t.test('no document asks an agent for credentials', async (t) => {
  for (const path of ['/llms.txt', '/auth.md', '/.well-known/agent-skills/vitrine-public-read/SKILL.md']) {
    const { body } = await get(path)
    t.match(body, /never (collect|ask)/i, path)
    for (const word of ['email', 'code', 'token']) t.match(body, word, `${path}: ${word}`)
  }
})

await t.test('auth.md names every code, and the metadata the block of the specification', async (t) => {
  const page = (await get('/auth.md')).body
  const codes = [...page.matchAll(/^\| `(\w+)` \| (?:register|claim|revocation|protected API)[\w ,]* \| .+ \|$/gm)].map(([, code]) => code)
  t.equal(new Set(codes).size, 36, 'as many as the specification lists')
  t.equal(codes.length, 36, 'and each with one meaning')
  const block = {
    status: 'not_available',
    register_uri: `${WEB_URL}/agent/auth/register`,
    claim_uri: `${WEB_URL}/agent/auth/claim`,
    revocation_uri: `${WEB_URL}/agent/auth/revoke`,
    identity_types_supported: ['user'],
    anonymous: { credential_types_supported: [] },
    identity_assertion: { assertion_types_supported: [], credential_types_supported: [] },
    events_supported: [],
    documentation_uri: `${WEB_URL}/auth.md`,
    skill: `${WEB_URL}/auth.md`,
    email: {
      status: 'app_only',
      enabled_for_agents: false,
      credential_types_supported: [],
      unsupported_error: 'email_not_enabled',
      template: {
        identity_type: 'user',
        delivery: 'email_code',
        code_format: 'numeric',
        code_length: 6,
        recipient_field: 'email',
        public_agent_flow: false,
      },
    },
  }
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-authorization-server']) {
    const { agent_auth } = (await get(path)).json()
    const { user_action, ...template } = agent_auth.email.template
    t.type(user_action, 'string')
    t.strictSame({ ...agent_auth, email: { ...agent_auth.email, template } }, block, path)
  }
  t.match((await get('/.well-known/oauth-authorization-server')).json(), { issuer: WEB_URL, response_types_supported: Array })
})

await t.test('the document about the protected paths is on both hosts', async (t) => {
  const onWeb = await get('/.well-known/oauth-protected-resource')
  const { resource } = onWeb.json()
  t.equal(resource, `${BASE_URL}/app`)
  // RFC 9728, 3.1: where a client that knows only the resource looks.
  const derived = resource.replace(BASE_URL, `${BASE_URL}/.well-known/oauth-protected-resource`)
  const onApi = await follow(derived)
  t.equal(onApi.statusCode, 200)
  t.match(onApi.headers, { 'content-type': 'application/json; charset=utf-8', etag: onWeb.headers.etag })
  t.strictSame(onApi.json(), onWeb.json())
  t.equal((await service.api.inject({ method: 'HEAD', url: new URL(derived).pathname })).statusCode, 200)
  t.equal((await service.get(new URL(derived).pathname, { 'if-none-match': String(onApi.headers.etag) })).statusCode, 304)
  t.equal((await follow(resource)).statusCode, 401, 'and what it is about is protected')
})

await t.test('the skill is the one its index vouches for', async (t) => {
  const { skills } = (await get('/.well-known/agent-skills/index.json')).json()
  t.equal(skills.length, 1)
  const [skill] = skills
  const page = (await follow(skill.url)).rawPayload
  t.equal(skill.digest, `sha256:${createHash('sha256').update(page).digest('hex')}`)
  const [, frontMatter = ''] = /^---\n(.*?)\n---\n/s.exec(page.toString()) ?? []
  t.strictSame(parse(frontMatter), { name: skill.name, description: skill.description })
  t.match(skill.name, /^[a-z0-9-]{1,64}$/)
  t.ok(skill.description.length <= 1024)
})

await t.test('MCP is found from its documents', async (t) => {
  const found = (await get('/.well-known/mcp')).json()
  t.match(found, {
    mcp_version: String,
    server_name: 'vitrine',
    server_version: '1.0.0',
    endpoints: { streamable_http: `${BASE_URL}/mcp` },
  })
  const list = await follow(found.endpoints.streamable_http, 'POST', { jsonrpc: '2.0', id: 1, method: 'tools/list' })
  t.equal(list.json().result.tools.length, publicReads.length + 1)
  const { entries } = (await get('/.well-known/ai-catalog.json')).json()
  for (const { url, type } of entries) {
    const card = await follow(url)
    t.match(card.json(), { remotes: [{ type: 'streamable-http' }] })
    t.ok(card.headers['content-type']?.toString().startsWith(type), 'the catalogue says of which type it is')
  }
  const { tools } = (await get('/.well-known/webmcp')).json()
  t.same(
    tools.map(({ name }: { name: string }) => name),
    [...publicReads.map(({ name }) => name), 'ask'],
  )
})

await t.test('robots.txt and sitemap.xml as their readers read them', async (t) => {
  const robots = robotsParser(`${WEB_URL}/robots.txt`, (await get('/robots.txt')).body)
  t.equal(robots.isAllowed(`${WEB_URL}/@ada-l`, 'AnyBot'), true)
  t.equal(robots.isAllowed(`${WEB_URL}/ask`, 'AnyBot'), false)
  const [sitemap = ''] = robots.getSitemaps()
  const { body, headers } = await follow(sitemap)
  t.match(headers['content-type'], 'application/xml')
  t.equal(XMLValidator.validate(body), true)
  const { urlset } = new XMLParser().parse(body)
  const urls: string[] = urlset.url.map(({ loc }: { loc: string }) => loc)
  t.ok(urls.includes(`${WEB_URL}/@Ada-L/tide-clock`), urls.join(' '))
  t.notOk(
    urls.some((url) => url.includes('draft')),
    'only what is public',
  )
})
