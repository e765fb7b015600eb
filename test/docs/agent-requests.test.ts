import { readFileSync } from 'node:fs'
import t from 'tap'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'

const PAGE = readFileSync('docs/agent-requests.md', 'utf8')

/** A block with a request, then one with its answer. */
const EXCHANGE = /```http\n((?:GET|POST) .+?)```\n\n```http\n(\d{3}\n.+?)```/gs

t.test('every exchange of the page goes as it says', async (t) => {
  const exchanges = [...PAGE.matchAll(EXCHANGE)].map(([, request = '', answer = '']) => ({
    request: partsOf(request),
    answer: partsOf(answer),
  }))
  t.equal(exchanges.length, 5)
  t.equal(exchanges.length * 2, PAGE.split('```http').length - 1, 'none is left out')
  const service = await Service.start(t, { events: COMMUNITY, answering: false })
  for (const { request, answer } of exchanges) {
    const [method = '', url = ''] = request.first.split(' ')
    const response = await service.web.inject({
      method: method as 'GET' | 'POST',
      url,
      headers: request.headers,
      ...(request.body === '' ? {} : { payload: request.body }),
    })
    t.equal(String(response.statusCode), answer.first, request.first)
    for (const [name, value] of Object.entries(answer.headers)) t.match(response.headers[name.toLowerCase()], pattern(value), name)
    t.match(
      response.json(),
      JSON.parse(answer.body, (_key, value) => (typeof value === 'string' ? pattern(value) : value)),
      request.first,
    )
  }
})

function partsOf(block: string): { first: string; headers: Record<string, string>; body: string } {
  const [head = '', body = ''] = block.split('\n\n')
  const [first = '', ...lines] = head.trim().split('\n')
  return { first, headers: Object.fromEntries(lines.map((line) => line.split(': ') as [string, string])), body: body.trim() }
}

/** `…` is anything. */
const pattern = (text: string): RegExp => new RegExp(`^${text.replaceAll(/[.*+?^${'$'}{}()|[\]\\]/g, '\\$&').replaceAll('…', '.+')}$`)
