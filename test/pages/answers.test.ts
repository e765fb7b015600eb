/** What pages say in their heads and headers, and how they fail. */
import t from 'tap'
import { openApiDocument } from '../../src/discovery/openapi/document.js'
import { METHODS } from '../../src/discovery/openapi/types.js'
import { refused } from '../harness/answers.js'
import { COMMUNITY, manyCreations } from '../harness/community.js'
import { Service, WEB_URL } from '../harness/service.js'
import { request } from '../harness/sockets.js'
import { played } from '../spec/events.js'
import { publicReads } from '../support/built-in-models.js'

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const PAGES = ['/', '/?sort=liked', '/?q=maze', '/@Ada-L', '/@ben/Garden.Maze', '/docs', '/changelog']

await t.test('every page', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })
  const get = (url: string, headers: Record<string, string> = {}) => service.web.inject({ url, headers: { ...BROWSER, ...headers } })

  await t.test('is not counted against a limit, and asked for again with its tag', async (t) => {
    for (const url of PAGES) {
      const { statusCode, headers } = await get(url)
      t.match(
        { statusCode, ...headers },
        { statusCode: 200, etag: /^"/, 'cache-control': 'public, no-cache', vary: /Accept-Language/ },
        url,
      )
      t.notOk(headers.ratelimit, `${url}: no limit`)
      const again = await get(url, { 'if-none-match': String(headers.etag) })
      t.strictSame([again.statusCode, again.body], [304, ''], `${url}: 304`)
    }
    const before = await get('/@ben/Garden.Maze')
    t.equal(before.headers['service-position'], String(COMMUNITY.length), 'says how new it is')
    await service.tell(played('maze'))
    t.not((await get('/@ben/Garden.Maze')).headers.etag, before.headers.etag, 'a play changes the page')
  })

  await t.test('has one address and says where its translations are', async (t) => {
    const table: [url: string, canonical: string][] = [
      ['/', `${WEB_URL}/`],
      ['/?category=games&sort=recent', `${WEB_URL}/?category=games&sort=recent`],
      ['/@ADA-L', 'https://ada-l.vitrine.example/'],
      ['/@ada-l/tide-clock?locale=de', 'https://ada-l.vitrine.example/tide-clock'],
      ['/docs', `${WEB_URL}/docs`],
    ]
    for (const [url, canonical] of table) {
      const body = unescaped((await get(url)).body)
      t.ok(body.includes(`<link rel="canonical" href="${canonical}">`), url)
      t.ok(body.includes(`hreflang="ja" href="${canonical}${canonical.includes('?') ? '&' : '?'}locale=ja"`), `${url}: in Japanese`)
    }
    for (const url of ['/?q=maze', '/?tag=sea', '/nothing']) t.match((await get(url)).body, /<meta name="robots" content="noindex">/, url)
  })

  await t.test('describes itself to link previews and search engines', async (t) => {
    const creation = (await get('/@ben/Garden.Maze')).body
    t.match(creation, /<meta property="og:title" content="Garden maze · Ben">/)
    t.match(creation, /<meta property="og:url" content="https:\/\/ben.vitrine.example\/Garden.Maze">/)
    t.match(creation, /<meta name="twitter:card" content="summary">/)
    t.match(dataOf(creation), {
      '@context': 'https://schema.org',
      name: 'Garden maze',
      author: { name: 'Ben' },
      applicationCategory: 'games',
    })
    const covered = (await get('/@ada-l/tide-clock')).body
    t.match(covered, /<meta property="og:image" content="https:\/\/pictures.example\/tides.svg">/)
    t.match(covered, /<meta name="twitter:card" content="summary_large_image">/)
    t.match(dataOf((await get('/@ada-l')).body), {
      '@type': 'ProfilePage',
      mainEntity: { name: 'Ada L.', sameAs: ['https://ada.example/'] },
    })
    t.match(dataOf((await get('/')).body), { '@type': 'WebSite', url: `${WEB_URL}/` })
  })

  await t.test('speaks the language of its reader', async (t) => {
    const table: [url: string, accepted: string, language: string, says: RegExp][] = [
      ['/@ada-l/tide-clock', '', 'en', /Tide clock/],
      ['/@ada-l/tide-clock', 'de-AT,de;q=0.9,en;q=0.5', 'de', /Gezeitenuhr[\s\S]*Link kopieren/],
      ['/@ada-l/tide-clock', 'en;q=0.5, ja;q=0.8', 'ja', /潮汐時計アプリ/],
      ['/@ada-l/tide-clock', 'fr, de;q=0.7', 'de', /Gezeitenuhr/],
      ['/@ada-l/plant-diary', 'fr', 'en', /Journal des plantes[\s\S]*Copy link/],
      ['/@ada-l/tide-clock?locale=ja', 'de', 'ja', /潮汐時計アプリ/],
      ['/@ada-l/tide-clock?locale=nonsense!', 'de', 'de', /Gezeitenuhr/],
      ['/?locale=es', '', 'es', /hecho de palabras/],
      ['/nothing', 'es', 'es', /Esta vitrina está vacía/],
      ['/', 'de;q=0, *;q=0.5, ;;q=x', 'en', /made of words/],
    ]
    for (const [url, accepted, language, says] of table) {
      const { headers, body } = await get(url, { 'accept-language': accepted })
      t.match(body, new RegExp(`<html lang="${language}">`), `${url} ${accepted}`)
      t.match(body, says)
      t.match(headers['content-language'], new RegExp(`^${language}`))
    }
    t.match((await get('/?locale=de')).body, /href="\/@ben\/Garden.Maze\?locale=de"/, 'a chosen language comes along')
    t.match((await get('/', { 'accept-language': 'de' })).body, /href="\/@ben\/Garden.Maze"/, 'one that was guessed does not have to')
  })

  await t.test('is found under the creator’s own name, too', async (t) => {
    const at = (host: string, url: string) => get(url, { host })
    const home = await at('Ada-L.vitrine.example', '/')
    t.equal(home.statusCode, 200)
    t.match(home.body, /<h1 dir="auto">Ada L\.<\/h1>/)
    t.match(home.body, /href="\/tide-clock"/, 'links to her own things stay there')
    t.match(home.body, new RegExp(`href="${WEB_URL}/@ben"`), 'links to others lead to the web host')
    t.match((await at('ben.vitrine.example', '/Garden.Maze')).body, /<h1 dir="auto">Garden maze<\/h1>/)
    for (const [host, url] of [
      ['ada-l', '/Garden.Maze'],
      ['nobody', '/'],
      ['ben', '/docs'],
      ['ben', '/public/share/community'],
      ['ada-l', '/draft'],
    ] as const) {
      const { statusCode, headers } = await at(`${host}.vitrine.example`, url)
      t.match({ statusCode, ...headers }, { statusCode: 404, 'content-type': /html/ }, host + url)
    }
    t.equal((await at('ben.vitrine.example', '/covers/x.svg')).statusCode, 200, 'pictures are everywhere')
    const post = (url: string) => service.web.inject({ method: 'POST', url, headers: { host: 'ben.vitrine.example' }, payload: {} })
    refused(t, await post('/Garden.Maze'), 405, 'invalid_request', 'pages are read')
    refused(t, await post('/ask'), 405, 'invalid_request', 'and nothing is asked of a creator')
  })

  await t.test('of the API reference shows every operation, with a call that can be made as it stands', async (t) => {
    const { body } = await get('/docs')
    const { paths } = openApiDocument({ baseUrl: 'https://api.example', webUrl: WEB_URL }, publicReads)
    const described = Object.values(paths).flatMap((path) => METHODS.flatMap((method) => path[method] ?? []))
    t.ok(described.length >= 7)
    for (const { operationId, summary } of described) {
      t.ok(body.includes(`<article class="endpoint" id="${operationId}"`), operationId)
      t.ok(unescaped(body).includes(summary), summary)
    }
    const commands = [...unescaped(body).matchAll(/data-copy="curl '(https:[^']+)'"/g)].map(([, address]) => new URL(address ?? ''))
    const reads = commands.filter(({ pathname }) => pathname.startsWith('/public/share/'))
    t.equal(reads.length, 7, 'all the public reads')
    for (const { pathname, search } of reads) t.equal((await service.get(pathname + search)).statusCode, 200, pathname + search)
  })

  await t.test('that is not there is a 404, as a page to browsers and in JSON to programs', async (t) => {
    for (const url of [
      '/@nobody',
      '/@ben/nothing',
      '/@ada-l/draft',
      '/@',
      '/@nobody/',
      '/@ben//',
      '/@ben/nothing/',
      '/docs//',
      '/docs/en/nothing/',
      '/status/',
      '/llms.txt/',
      '/@ben/Garden.Maze/x',
      '/assets/nothing.0123456789.css',
    ]) {
      const { statusCode, headers, body } = await get(url)
      t.match({ statusCode, ...headers }, { statusCode: 404, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }, url)
      t.match(body, /<h1>This case is empty\.<\/h1>/)
      refused(t, await service.web.inject({ url, headers: { accept: 'application/json' } }), 404, 'not_found', url)
    }
    refused(t, await service.web.inject({ method: 'POST', url: '/@ben', headers: BROWSER }), 405, 'invalid_request', 'POST')
  })

  await t.test('is sent to its one address from the same with a slash', async (t) => {
    const table: [url: string, address: string, host?: string][] = [
      ['/docs/', '/docs'],
      ['/docs/?locale=es&x=/', '/docs?locale=es&x=/'],
      ['/docs/en/agents/', '/docs/en/agents'],
      ['/changelog/', '/changelog'],
      ['/@ben/', '/@ben'],
      ['/@Ada-L/tide-clock/?locale=de', '/@Ada-L/tide-clock?locale=de'],
      ['/tide-clock/?locale=de', '/tide-clock?locale=de', 'ada-l.vitrine.example'],
    ]
    for (const [url, address, host] of table) {
      const at: Record<string, string> = host === undefined ? {} : { host }
      const { statusCode, headers } = await get(url, at)
      t.match(
        { statusCode, ...headers },
        { statusCode: 308, location: address, 'cache-control': 'public, no-cache', ratelimit: undefined },
        url,
      )
      t.equal((await get(address, at)).statusCode, 200, address)
    }
    const { statusCode, headers } = await service.web.inject({ method: 'HEAD', url: '/docs/' })
    t.match({ statusCode, ...headers }, { statusCode: 308, location: '/docs' })
    // Over a socket, because clients tidy such addresses up.
    const port = await service.listen(service.web)
    for (const path of ['//evil.example/', '/\\evil.example/', '/%5Cevil.example/', '//', '///', '/@ben/', 'http://evil.example/docs/']) {
      const { statusCode } = await request(port, path, { headers: { host: 'ben.vitrine.example' } })
      t.equal(statusCode, 404, `${path}: there is no redirect`)
    }
    t.equal((await request(port, 'http://evil.example/docs/?x=1')).headers.location, '/docs?x=1')
    refused(t, await service.web.inject('/public/share/community/'), 404, 'not_found', 'reads have no other address')
    refused(t, await service.web.inject({ method: 'POST', url: '/ask/', payload: {} }), 404, 'not_found')
    refused(t, await service.get('/public/share/tags/'), 404, 'not_found')
  })

  await t.test('accepts odd URLs, but not a damaged cursor', async (t) => {
    for (const query of [
      'sort=nonsense',
      'limit=99',
      'featuredOnly=perhaps',
      'q=',
      'q=a&q=b',
      `q=${'x'.repeat(5000)}`,
      'q=%F0%9F%92%A5',
      '__proto__=1',
      'tag=%23',
      'category=a|b',
      'cursor=',
    ]) {
      t.equal((await get(`/?${query}`)).statusCode, 200, query.slice(0, 40))
    }
    const { statusCode, headers, body } = await get('/?cursor=damaged')
    t.match({ statusCode, ...headers }, { statusCode: 422, 'content-type': /html/, 'cache-control': 'no-store' })
    t.match(body, /This link does not lead anywhere/)
    refused(t, await service.web.inject('/?cursor=damaged'), 422, 'validation_failed')
  })
})

await t.test('pages follow one another by plain links', async (t) => {
  const service = await Service.start(t, { events: manyCreations(60) })
  const seen: string[] = []
  let url: string | undefined = '/?sort=recent'
  for (let pages = 0; url !== undefined; pages++) {
    t.ok(pages < 3, 'it ends')
    const { body }: { body: string } = await service.web.inject({ url, headers: BROWSER })
    seen.push(...[...body.matchAll(/data-id="(c\d+)"/g)].map(([, id]) => id ?? ''))
    url = unescaped(/rel="next" href="([^"]+)"/.exec(body)?.[1] ?? '') || undefined
  }
  t.strictSame(
    seen,
    Array.from({ length: 60 }, (_, i) => `c${String(59 - i).padStart(3, '0')}`),
    'each once, the newest first',
  )
})

await t.test('assets', async (t) => {
  const service = await Service.start(t, { events: [] })
  const { body } = await service.web.inject({ url: '/', headers: BROWSER })
  const paths = [...body.matchAll(/(?:href|src|data-tools)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '')
  t.ok(paths.length >= 7, 'styles, script, fonts, icons, manifest, tools')

  await t.test('are kept for a year under a name that changes with them', async (t) => {
    for (const path of paths) {
      const { statusCode, headers } = await service.web.inject(path)
      t.match({ statusCode, ...headers }, { statusCode: 200, 'cache-control': 'public, max-age=31536000, immutable' }, path)
      const other = await service.web.inject(path.replace(/\.[0-9a-f]{10}\./, '.0123456789.'))
      t.match(
        { statusCode: other.statusCode, ...other.headers },
        { statusCode: 200, 'cache-control': 'no-cache' },
        'of another release: as they are now',
      )
    }
    const css = (await service.web.inject(paths.find((path) => path.endsWith('.css')) ?? '')).body
    for (const [, font = ''] of css.matchAll(/url\("([^"]+)"\)/g)) t.equal((await service.web.inject(font)).statusCode, 200, font)
    const manifest = (await service.web.inject(paths.find((path) => path.includes('manifest')) ?? '')).json()
    for (const { src } of manifest.icons) t.equal((await service.web.inject(src)).statusCode, 200, src)
  })

  await t.test('are nothing else than what is there', async (t) => {
    for (const name of ['..%2f..%2fpackage.json', 'vitrine.css', 'vitrine..css', '__proto__', 'OFL.0123456789.txt', '%00']) {
      t.equal((await service.web.inject(`/assets/${name}`)).statusCode, 404, name)
    }
  })

  await t.test('an empty community is a page, too', async (t) => {
    t.match(body, /Nothing on this shelf/)
    t.match(body, /0 creations/)
  })
})

await t.test('while the models are not loaded', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY, projecting: false })
  for (const url of ['/', '/@ben', '/@ben/Garden.Maze']) {
    const { statusCode, headers, body } = await service.web.inject({ url, headers: BROWSER })
    t.match({ statusCode, ...headers }, { statusCode: 503, 'content-type': /html/, 'retry-after': /\d/ }, url)
    t.match(body, /Still unpacking/)
  }
  t.equal((await service.web.inject({ url: '/docs', headers: BROWSER })).statusCode, 200, 'what needs none is there')
})

function dataOf(body: string): Record<string, unknown> {
  const [, json = '{}'] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body) ?? []
  return JSON.parse(json)
}

function unescaped(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
}
