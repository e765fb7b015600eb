import t from 'tap'
import { McpEndpoint } from '../../src/mcp/endpoint.js'
import { productServer } from '../../src/mcp/product-server.js'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'
import { publicReads } from '../support/built-in-models.js'
import { modern } from './exchange.js'

const NO_HEADERS = { version: undefined, method: undefined, name: undefined }

const service = await Service.start(t, { events: COMMUNITY })

await t.test('who calls tools much is not read before the others, in either generation', async (t) => {
  const busy = {
    ...publicReads[0],
    name: 'busy',
    run: async () => {
      for (const until = performance.now() + 6; performance.now() < until; );
      return {}
    },
  } as unknown as (typeof publicReads)[number]
  const options = { operations: service.operations, ask: service.ask, pictureOrigins: [], reads: [busy] }
  const endpoint = new McpEndpoint(productServer(options), (error) => t.fail(String(error)))
  const older = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'busy', arguments: {} } }
  const newer = modern('tools/call', { name: 'busy', arguments: {} })
  const newerHeaders = { version: '2026-07-28', method: 'tools/call', name: 'busy' }
  for (const [message, headers] of [
    [older, NO_HEADERS],
    [newer.body, newerHeaders],
  ] as const) {
    const order: string[] = []
    const readBy = async (caller: string) => {
      const { status, body } = await endpoint.answer(message, { ...headers, caller })
      t.match([status, body], [200, /"content"/])
      order.push(caller)
    }
    await Promise.all([...Array.from({ length: 20 }, () => readBy('one')), readBy('another')])
    t.ok(order.indexOf('another') < 5, `not after all: ${order}`)
  }
})
