/** The documentation's pages as Markdown, for agents that ask for it. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { modelSet } from '../../src/compose/models/model-set.js'
import { prefersMarkdown } from '../../src/http/plugins/content-negotiation.js'
import { COMMUNITY } from '../harness/community.js'
import { Service, WEB_URL } from '../harness/service.js'

const MARKDOWN = 'text/markdown; charset=utf-8'

t.test('Markdown has to be named, and not after HTML', async (t) => {
  const table: [accept: string | undefined, isMarkdown: boolean][] = [
    ['text/markdown', true],
    ['TEXT/MARKDOWN', true],
    ['text/markdown, text/html, */*', true],
    ['text/html, text/markdown', true],
    ['text/markdown;q=0.9, application/json', true],
    ['text/html;q=0.9, text/markdown', true],
    ['text/html, text/markdown;q=0.9', false],
    ['text/markdown;q=0', false],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
    ['text/*', false],
    ['*/*', false],
    ['', false],
    [undefined, false],
  ]
  for (const [accept, isMarkdown] of table)
    t.equal(prefersMarkdown({ headers: accept === undefined ? {} : { accept } }), isMarkdown, String(accept))
})

await t.test('pages', async (t) => {
  const { web } = await Service.start(t, { events: COMMUNITY })
  const get = (url: string, headers: Record<string, string> = {}) => web.inject({ url, headers: { accept: 'text/markdown', ...headers } })

  await t.test('every documentation page has both, kept apart by caches', async (t) => {
    for (const url of ['/docs', '/changelog', '/docs/de/plans', '/docs/en/api']) {
      const markdown = await get(url)
      t.match(markdown, { statusCode: 200, headers: { 'content-type': MARKDOWN, vary: 'Accept, Accept-Language' } }, url)
      t.match(markdown.body, /^# \S/, url)
      const page = await get(url, { accept: 'text/html' })
      t.match(page, { statusCode: 200, headers: { 'content-type': /html/, vary: 'Accept, Accept-Language' } }, url)
      t.not(page.headers.etag, markdown.headers.etag)
      t.match(page.headers.link, `, <${WEB_URL}${url}>; rel="alternate"; type="text/markdown"`, 'the page says that there is the other')
      const again = await get(url, { 'if-none-match': String(markdown.headers.etag) })
      t.strictSame([again.statusCode, again.body], [304, ''], url)
      const head = await web.inject({ method: 'HEAD', url, headers: { accept: 'text/markdown' } })
      t.match(head, { statusCode: 200, body: '', headers: { 'content-type': MARKDOWN, etag: markdown.headers.etag } })
    }
  })

  await t.test('other pages have none', async (t) => {
    for (const url of ['/', '/@ada-l']) t.match((await get(url)).headers, { 'content-type': /html/, vary: 'Accept-Language' }, url)
    t.match(await get('/docs/en/nothing'), { statusCode: 404, headers: { 'content-type': /json/ } })
  })

  await t.test('they say what the pages say', async (t) => {
    const changelog = (await get('/changelog')).body
    const words = (text: string) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    t.equal(words(changelog), words(readFileSync('CHANGELOG.md', 'utf8')))
    t.notMatch(changelog, /\]\((?!https:)/, 'without links to files, which the service does not have')
    const plans = await get('/docs/de/plans', { 'accept-language': 'ja' })
    t.equal(plans.body, (await get('/docs/de/plans.md')).body)
    t.equal(plans.headers['content-language'], 'de')
    const { body } = await get('/docs')
    for (const { path, operationId, summary } of modelSet().reads) {
      t.ok(body.includes(`### ${summary}\n\n\`GET ${path}\` (${operationId})\n`), operationId)
    }
    t.ok(body.includes(`<${WEB_URL}/openapi.json>`))
    t.match(body, /\| `limit` \| query \| integer 1…48 = `24` \|/)
    t.match(body, /curl 'https?:[^']+\/public\/share\/user\/ben'/, 'with a creator who exists')
    for (const line of body.split('\n').filter((each) => each.startsWith('|'))) t.match(line, / \|$/, 'a cell is one line')
  })

  await t.test('llms.txt says so', async (t) => {
    t.match((await web.inject('/llms.txt')).body, /\/docs\): .*`Accept: text\/markdown`/)
  })
})
