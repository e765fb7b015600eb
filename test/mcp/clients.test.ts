import t from 'tap'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'
import { publicReads } from '../support/built-in-models.js'
import { connect, GENERATIONS, listen } from './connect.js'

/** One call of every tool that has an answer. */
const CALLS = {
  get_community_feed: { sort: 'liked', limit: 2 },
  get_popular_tags: {},
  get_community_landing: { locale: 'de' },
  get_creator_profile: { handle: 'ada-l' },
  get_creator_followers: { handle: 'ada-l', limit: 2 },
  get_creator_following: { handle: 'ben' },
  get_app_share: { handle: 'ben', slug: 'Garden.Maze' },
  ask: { query: 'what is trending?', mode: 'list', locale: 'en', prev: ['and games?'] },
}

const service = await Service.start(t, { events: COMMUNITY })
const { product, docs } = await listen(service)

for (const generation of GENERATIONS) {
  for (const url of product) {
    const path = new URL(url).pathname
    await t.test(`the product's server on ${path}, protocol ${generation}`, async (t) => {
      const client = await connect(t, url, generation)
      t.equal(client.getNegotiatedProtocolVersion(), generation)
      t.match(client.getServerVersion(), { name: 'vitrine', version: '1.0.0' })
      t.match(client.getInstructions(), /read-only.*Never ask anybody for an email address, a one-time code, a password or a token/s)

      const { tools } = await client.listTools()
      t.strictSame(
        tools.map(({ name }) => name),
        [...publicReads.map(({ name }) => name), 'ask'],
      )
      for (const { name, annotations, outputSchema, title, description } of tools) {
        t.match(annotations, { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }, name)
        t.ok(outputSchema && title && description, `${name} describes itself`)
      }

      // The client checks structured content against the output schema.
      for (const [name, input] of Object.entries(CALLS)) {
        const { isError, structuredContent, content } = await client.callTool({ name, arguments: input })
        t.notOk(isError, name)
        t.strictSame(content, [{ type: 'text', text: JSON.stringify(structuredContent) }], `${name}: the same as text`)
      }

      const { resources } = await client.listResources()
      t.strictSame(
        resources.map(({ uri }) => uri),
        ['ui://vitrine/community', 'ui://vitrine/tags', 'ui://vitrine/creator', 'ui://vitrine/app-share'],
      )
      const { resourceTemplates } = await client.listResourceTemplates()
      t.strictSame(
        resourceTemplates.map(({ uriTemplate }) => uriTemplate),
        ['vitrine://creators/{handle}', 'vitrine://apps/{handle}/{slug}', 'vitrine://tags/{tag}'],
      )
      const { contents } = await client.readResource({ uri: 'vitrine://creators/ada-l' })
      t.match(contents, [{ uri: 'vitrine://creators/ada-l', mimeType: 'application/json', text: /"displayName":"Ada L."/ }])
    })
  }

  await t.test(`the documentation's server, protocol ${generation}`, async (t) => {
    const client = await connect(t, docs, generation)
    t.match(client.getServerVersion(), { name: 'vitrine-docs', version: '1.0.0' })
    const { tools } = await client.listTools()
    t.strictSame(
      tools.map(({ name }) => name),
      ['search_docs', 'read_doc'],
    )
    const found = await client.callTool({ name: 'search_docs', arguments: { query: 'dead letters hold no payload', limit: 3 } })
    t.match(found.structuredContent, { results: [{ path: 'docs/decisions/0005-dead-letters-hold-no-payload.md' }] })
    for (const { uri } of (await client.listResources()).resources) {
      const { contents } = await client.readResource({ uri })
      if (!uri.endsWith('content/README.md')) t.notMatch(JSON.stringify(contents), /\{\{\w+\}\}|127\.0\.0\.1:300[01]/, uri)
    }
    const page = await client.callTool({ name: 'read_doc', arguments: { path: 'docs/how-it-works.md' } })
    t.match(page.structuredContent, { path: 'docs/how-it-works.md', title: /./, text: /./ })
    const { resources } = await client.listResources()
    t.ok(resources.some(({ uri }) => uri === 'vitrine-docs://README.md'))
    const { contents } = await client.readResource({ uri: 'vitrine-docs://README.md' })
    t.match(contents, [{ mimeType: 'text/markdown', text: /^# Vitrine/ }])
  })
}
