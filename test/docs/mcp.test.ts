import { readFileSync } from 'node:fs'
import t from 'tap'
import { parseDocPage } from '../../src/mcp/docs/docs-pages.js'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'

const page = readFileSync('docs/mcp.md', 'utf8')

t.test('the snippets of the MCP page are JSON and lead to the server', async (t) => {
  const snippets = [...page.matchAll(/```json\n(.+?)```/gs)].map(([, json = '']) => json)
  t.ok(snippets.length >= 5)
  for (const snippet of snippets) {
    t.ok(JSON.parse(snippet), snippet)
    t.match(snippet, '"http://127.0.0.1:3000/mcp"')
  }
})

t.test('its request without an SDK is answered', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })
  const [, body = ''] = /-d '(\{.+\})'/.exec(page) ?? []
  const response = await service.api.inject({ method: 'POST', url: '/mcp', headers: { 'content-type': 'application/json' }, payload: body })
  t.match(response.json(), { id: 1, result: { structuredContent: { items: [{ key: /./ }] } } })
})

t.test('pages are read without what only programs need, and comments in examples are no headings', async (t) => {
  const source =
    '---\nx: 1\n---\n# Plans {#plans}\n\n<!-- also: price -->\nTwo.\n\n```sh\n# not a heading\n```\n\n## Empty\n\n## Credits\nMany.\n'
  const { title, text, sections } = parseDocPage('x.md', source)
  t.strictSame([title, text.slice(0, 13)], ['Plans', '# Plans\n\nTwo.'])
  t.strictSame(
    sections.map(({ heading }) => heading),
    ['Plans', 'Credits'],
  )
})
