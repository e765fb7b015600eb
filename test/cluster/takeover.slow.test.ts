/** Projectors as processes on NATS and MongoDB: they share the projections, and when one dies or stalls the other takes over. */
import t from 'tap'
import { demoRecords } from '../adapters/mongo/models.js'
import type { Serving } from '../harness/program.js'
import { scaledTimeout } from '../support/scaled-timeout.js'
import { Cluster } from './cluster.js'

/** Five seconds are promised. */
const GUARD_MS = 15_000

await t.test('two projectors share the projections, and each takes over from the other', async (t) => {
  const cluster = await Cluster.start(t)
  if (cluster === null) return
  const records = demoRecords(2000)
  await cluster.log.append(records.slice(0, 200))
  const first = await cluster.serve(t, 'project')
  await cluster.caughtUp()
  t.strictSame([...(await cluster.shares())], [[first.pid, 5]], 'one that is alone leads everything')
  const second = await cluster.serve(t, 'project')
  await cluster.shared([first, second], [2, 3])
  t.pass('a second one gets its share')

  const takenOver = async (what: string, gone: Serving, left: Serving, end: number, trouble: () => unknown) => {
    const { last } = await cluster.log.bounds()
    // Into the middle of the work: half of it before, half after.
    await cluster.log.append(records.slice(last, (last + end) / 2))
    await trouble()
    const began = performance.now()
    await cluster.log.append(records.slice((last + end) / 2, end))
    await cluster.caughtUp()
    const ms = performance.now() - began
    t.comment(`${what}: everything projected again after ${Math.round(ms)} ms`)
    t.ok(ms < scaledTimeout(GUARD_MS), what)
    await cluster.shared([left], [5])
    t.notOk((await cluster.shares()).has(gone.pid ?? 0))
  }

  await takenOver('killed', first, second, 600, () => first.end('SIGKILL'))
  const third = await cluster.serve(t, 'project')
  await cluster.shared([second, third], [2, 3])
  await takenOver('stalled', second, third, 1000, () => second.signal('SIGSTOP'))

  second.signal('SIGCONT')
  await cluster.log.append(records.slice(1000, 1400))
  await cluster.shared([second, third], [2, 3])
  await cluster.log.append(records.slice(1400))
  await cluster.caughtUp()
  t.match(await cluster.verify(), { code: 0 }, 'every document is as a clean replay makes it')
  for (const projector of [second, third]) t.equal(await projector.end('SIGTERM'), 0)
  t.equal((await cluster.shares()).size, 0, 'a process that stops normally releases its leases')
})
