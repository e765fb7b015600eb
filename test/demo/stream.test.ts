import t from 'tap'
import { demoLog } from '../../src/demo/index.js'
import { decode, type Position } from '../../src/events/index.js'

t.test('a long log is a stream: memory does not grow with the events', async (t) => {
  const log = demoLog({ creators: 2_000, creations: 20_000, seed: 5, webUrl: 'http://localhost:3001' })
  let early = 0
  let late = 0
  let count = 0
  let bytes = 0
  let poison = 0
  for (const record of log) {
    count++
    bytes += record.payload.length
    if (count % 50 === 0 && decode({ appendedAt: 0, ...record, position: count as Position }).outcome !== 'event') poison++
    // The lowest of several samples: what is left after a collection, whenever one happens to run.
    if (count % 500 !== 0) continue
    const used = process.memoryUsage().heapUsed
    if (count <= 100_000) early = early === 0 ? used : Math.min(early, used)
    else if (count > 200_000) late = late === 0 ? used : Math.min(late, used)
  }
  t.ok(count > 300_000, `${count} events`)
  t.equal(poison, 0)
  t.ok(bytes > 80_000_000, `${bytes} bytes of payload`)
  t.ok(late - early < 25_000_000, `the heap grew by ${late - early} bytes while ${bytes} bytes of payload went by`)
})

t.test('beyond the number of ideas, titles get a name in front and addresses stay unique', async (t) => {
  const seen = new Set<string>()
  const repeated: string[] = []
  for (const { payload } of demoLog({ creators: 500, creations: 40_000, seed: 2, webUrl: 'http://localhost:3001' })) {
    if (!payload.includes('"type":"creation.published.')) continue
    const { data } = JSON.parse(payload) as { data: { creatorId: string; slug: string } }
    const address = `${data.creatorId}/${data.slug}`
    if (seen.has(address)) repeated.push(address)
    seen.add(address)
  }
  t.equal(seen.size, 40_000)
  t.same(repeated, [])
})
