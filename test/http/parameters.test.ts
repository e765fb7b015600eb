/** What becomes of the text of an address. */
import { pino } from 'pino'
import t from 'tap'
import { z } from 'zod'
import { operation } from '../../src/contract/operation.js'
import { servePublicReads } from '../../src/http/api/public-reads.js'
import { createHost } from '../../src/http/host.js'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'

const input = z.object({ year: z.int(), share: z.number().optional(), isOpen: z.boolean().optional(), text: z.string().optional() })
const echo = operation({
  ...{ name: 'echo', operationId: 'echo', path: '/public/share/x/echo/{year}', tag: 'x-echo', summary: 'Echo', description: 'Echo.' },
  ...{ input, output: input, models: ['tags'], example: { input: { year: 1 }, output: { year: 1 } } },
  run: async (_, given) => given,
})

await t.test('numbers and booleans are read from the path and the query', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })
  const host = await createHost({ logger: pino({ level: 'silent' }), trustProxy: false })
  t.teardown(() => host.close())
  servePublicReads(host, [echo], service.answers)
  const get = async (rest: string) => {
    const answer = await host.inject(`/public/share/x/echo/${rest}`)
    return answer.json().data ?? answer.statusCode
  }
  t.strictSame(await get('2026?share=0.5&isOpen=true&text=5'), { year: 2026, share: 0.5, isOpen: true, text: '5' })
  t.strictSame(await get('-1?share=-5'), { year: -1, share: -5 })
  t.strictSame(await get('2026?year=7'), { year: 2026 }, 'the path comes first')
  for (const wrong of ['2026.5', 'x', '2026?share=x', '2026?share=', '2026?share=1&share=2', '2026?isOpen=yes'])
    t.equal(await get(wrong), 422, wrong)
})
