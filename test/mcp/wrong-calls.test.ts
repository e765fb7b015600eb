import t from 'tap'
import { validateOperations } from '../../src/contract/operation.js'
import { McpEndpoint } from '../../src/mcp/endpoint.js'
import { productServer } from '../../src/mcp/product-server.js'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'
import { publicReads } from '../support/built-in-models.js'
import { modern, rpcIn, send } from './exchange.js'

const service = await Service.start(t, { events: COMMUNITY })

const call = async (name: string, input: unknown, path = '/mcp', host = service.api) => {
  const response = await send(host, path, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } })
  t.equal(response.statusCode, 200)
  return rpcIn(response).result as { isError?: boolean; content?: { text: string }[]; structuredContent?: unknown }
}

await t.test('a wrong call says what was wrong and how to go on', async (t) => {
  const wrong: [string, object, RegExp][] = [
    ['get_community_feed', { limit: 100 }, /^limit: .*48.* call get_community_feed again/],
    ['get_community_feed', { sort: 'best' }, /^sort: .*trending.* call get_community_feed again/],
    ['get_community_feed', { limit: '5' }, /^limit: .*number.* call get_community_feed again/],
    ['get_community_feed', { cursor: 'x' }, /^cursor: is damaged.* call get_community_feed again/],
    ['get_community_feed', { query: 'maze' }, /^Unknown argument "query": this tool takes only locale, sort, .*again/],
    ['get_community_feed', { ['x'.repeat(1000)]: 1 }, /^Unknown argument "x{40}…": /],
    ['get_popular_tags', { limit: 3 }, /^Unknown argument "limit": this tool takes no arguments\. /],
    ['get_creator_profile', {}, /^handle: .* call get_creator_profile again/],
    ['get_creator_profile', { handle: 'nobody' }, /^No creator has this handle\. .*get_community_feed/],
    ['get_app_share', { handle: 'ben', slug: 'nothing' }, /^No public app has this address\. .*get_community_feed/],
    ['ask', {}, /query.* Call ask again/s],
    ['ask', { query: 'x'.repeat(3000) }, /2000.* Call ask again/s],
    ['ask', { query: 'x', question: 'y' }, /^Unknown argument "question"/],
  ]
  for (const [name, input, text] of wrong) {
    const { isError, content, structuredContent } = await call(name, input)
    t.match({ isError, text: content?.[0]?.text }, { isError: true, text }, `${name} ${JSON.stringify(input).slice(0, 60)}`)
    t.equal(structuredContent, undefined)
  }
})

await t.test('an unknown tool is answered with those there are, in both generations', async (t) => {
  const text = /^There is no tool of this name\. Call one of these instead: get_community_feed, .*, ask\.$/
  const recoverable = { isError: true, content: [{ text }] }
  for (const name of ['no_such', '', 'Ask', 'toString', 'x'.repeat(3000)]) {
    t.match(await call(name, {}), recoverable, name.slice(0, 20))
    const { body, headers } = modern('tools/call', { name, arguments: {} })
    const response = await send(service.api, '/mcp', body, headers)
    t.equal(response.statusCode, 200)
    t.match(rpcIn(response).result, { ...recoverable, resultType: 'complete' }, name.slice(0, 20))
  }
})

await t.test('the documentation does the same', async (t) => {
  const wrong: [string, object, RegExp][] = [
    ['search_docs', { query: 'zzzzzz' }, /^Nothing in the documentation matches\. .*README\.md/],
    ['search_docs', { query: '' }, /query.* call search_docs again/s],
    ['search_docs', { query: 'x', limit: 21 }, /limit.* call search_docs again/s],
    ['read_doc', { path: '../package.json' }, /^There is no page at this path\. There are: README\.md/],
    ['read_doc', { file: 'README.md' }, /^Unknown argument "file"/],
    ['get_docs', {}, /^There is no tool of this name\. .*search_docs/],
  ]
  for (const [name, input, text] of wrong) {
    const { isError, content } = await call(name, input, '/mcp', service.web)
    t.match({ isError, text: content?.[0]?.text }, { isError: true, text }, `${name} ${JSON.stringify(input)}`)
  }
})

await t.test('while the models are loading, tools say so', async (t) => {
  const loading = await Service.start(t, { projecting: false })
  const { isError, content } = await call('get_popular_tags', {}, '/mcp', loading.api)
  t.match({ isError, text: content?.[0]?.text }, { isError: true, text: /^Not ready yet: .* Try again in a few seconds\.$/ })
})

await t.test('what breaks inside stays inside', async (t) => {
  const seen: unknown[] = []
  const broken = {
    ...publicReads[0],
    name: 'broken',
    run: () => Promise.reject(new Error('a secret of the store')),
  } as (typeof publicReads)[number]
  const options = { operations: service.operations, ask: service.ask, pictureOrigins: [], reads: [broken] }
  const endpoint = new McpEndpoint(productServer(options), (error) => seen.push(error))
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'broken', arguments: {} } }
  const { status, body } = await endpoint.answer(message, { version: undefined, method: undefined, name: undefined, caller: '' })
  t.equal(status, 200)
  t.match(JSON.parse(body ?? ''), { result: { isError: true, content: [{ text: /^Something went wrong here\. Try again/ }] } })
  t.notMatch(body, /secret/)
  t.match(seen, [{ message: 'a secret of the store' }], 'but it is reported')
})

await t.test('a deprecated operation says so in its description', async (t) => {
  const deprecated = {
    since: new Date('2026-06-01T00:00:00Z'),
    sunset: new Date('2026-09-01T12:30:00Z'),
    link: 'https://web.example/changelog#tags',
  }
  const list = validateOperations(
    publicReads.map((operation) => (operation.name === 'get_popular_tags' ? { ...operation, deprecated } : operation)),
  )
  const { tools } = productServer({ operations: service.operations, ask: service.ask, pictureOrigins: [], reads: list })
  const descriptions = new Map(tools.map(({ definition }) => [definition.name, definition.description]))
  t.match(
    descriptions.get('get_popular_tags'),
    /Deprecated since 2026-06-01, gone after 2026-09-01: see https:\/\/web\.example\/changelog#tags$/,
  )
  t.notMatch(descriptions.get('get_community_feed'), /deprecated/i)
})
