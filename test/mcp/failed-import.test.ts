import { register } from 'node:module'
import t from 'tap'
import { McpEndpoint } from '../../src/mcp/endpoint.js'

// What happens when a process has no file handle left, for as long as it takes to ask twice.
const HOOK = `
  let failures = 0
  export async function load(url, context, next) {
    if (/src.mcp.message-handler\\.js(\\?|$)/.test(url) && failures++ < 2) throw Object.assign(new Error('EMFILE: ' + url), { code: 'EMFILE' })
    return next(url, context)
  }`
register(`data:text/javascript,${encodeURIComponent(HOOK)}`)

await t.test('an SDK that could not be loaded is loaded for a later request', async (t) => {
  const resources = { list: [], templates: [], read: async () => null, complete: async () => [] }
  const service = { name: 'x', title: 'X', version: '1', description: 'x', instructions: 'x', tools: [], resources }
  const endpoint = new McpEndpoint(service, (error) => t.fail(String(error)))
  for (let failing = 0; failing < 2; failing++) await t.rejects(endpoint.refuse(undefined), { code: 'EMFILE' })
  t.match(await endpoint.refuse(undefined), { status: 400, body: /JSON-RPC/ })
  const list = { jsonrpc: '2.0', id: 1, method: 'ping' }
  t.match(await endpoint.answer(list, { version: undefined, method: undefined, name: undefined, caller: '' }), {
    status: 200,
    body: /"result":\{\}/,
  })
})
