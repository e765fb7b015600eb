import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { demoLog } from '../../demo/index.js'
import type { Position } from '../../src/events/index.js'
import { decode } from '../support/decode.js'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** What is really kept: garbage does not count. */
function kept(): number {
  collect()
  return process.memoryUsage().heapUsed
}

t.test('a long log is a stream: memory does not grow with the events', async (t) => {
  const log = demoLog({ creators: 2_000, creations: 20_000, seed: 5, webUrl: 'http://localhost:3001' })
  let early = 0
  let late = 0
  let count = 0
  let poison = 0
  for (const record of log) {
    count++
    if (count % 50 === 0 && decode({ appendedAt: 0, ...record, position: count as Position }).outcome !== 'event') poison++
    if (count === 50_000) early = kept()
    if (count === 350_000) late = kept()
  }
  t.ok(count > 350_000, `${count} events`)
  t.equal(poison, 0)
  // Ten bytes for each of the 300,000 events between the two looks.
  t.ok(late - early < 3_000_000, `the heap grew by ${late - early} bytes`)
})

t.test('beyond the number of ideas, titles get a name in front and addresses stay unique', async (t) => {
  const seen = new Set<string>()
  const repeated: string[] = []
  for (const { payload } of demoLog({ creators: 300, creations: 18_000, seed: 2, webUrl: 'http://localhost:3001' })) {
    if (!payload.includes('"type":"creation.published.')) continue
    const { data } = JSON.parse(payload) as { data: { creatorId: string; slug: string } }
    const address = `${data.creatorId}/${data.slug}`
    if (seen.has(address)) repeated.push(address)
    seen.add(address)
  }
  t.equal(seen.size, 18_000)
  t.same(repeated, [])
})
