/** Projectors as processes on NATS and MongoDB: they share the projections, and when one dies or stalls the other takes over. */
import t, { type Test } from 'tap'
import { SeededRandom } from '../../demo/random.js'
import { heldLeases } from '../../src/ports/coordination.js'
import { demoRecords } from '../adapters/mongo/models.js'
import type { Serving } from '../harness/program.js'
import { eventually } from '../ports/subject.js'
import { MODEL_NAMES } from '../support/built-in-models.js'
import { scaledTimeout } from '../support/scaled-timeout.js'
import { Cluster } from './cluster.js'

/** Five seconds are promised. */
const GUARD_MS = 15_000
const KILLS = 20

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
  await unharmed(t, cluster)
  for (const projector of [second, third]) t.equal(await projector.end('SIGTERM'), 0)
  t.equal((await cluster.shares()).size, 0, 'a process that stops normally releases its leases')
})

await t.test(`a projector killed ${KILLS} times at any moment: nothing lost, nothing twice`, async (t) => {
  const cluster = await Cluster.start(t)
  if (cluster === null) return
  const records = demoRecords(3000)
  const dice = new SeededRandom(2026)
  const publishing = (async () => {
    for (let at = 0; at < records.length; at += 25) {
      await cluster.log.append(records.slice(at, at + 25))
      // Never far ahead, so that there is something left to do for every one of them.
      await eventually(async () => (await position(cluster)) >= at - 100)
    }
  })()
  for (let kill = 1; kill <= KILLS; kill++) {
    const until = ((kill - 1) * records.length) / KILLS + dice.below(records.length / KILLS)
    const projector = await cluster.serve(t, 'project')
    await eventually(async () => (await position(cluster)) >= until)
    await projector.end('SIGKILL')
    // They would run out by themselves, which the test above waits for.
    for (const lease of await heldLeases(cluster.documents)) await cluster.documents.releaseLease(lease)
  }
  const last = await cluster.serve(t, 'project')
  await publishing
  await cluster.caughtUp()
  await unharmed(t, cluster)
  t.equal(await last.end('SIGTERM'), 0)
})

/** Every document is as a replay of the log makes it. */
async function unharmed(t: Test, cluster: Cluster): Promise<void> {
  t.match(await cluster.verify(), { code: 0 }, 'every document is as a clean replay makes it')
}

/** Of the model that is farthest; 0 before there is one. */
async function position({ documents }: Cluster): Promise<number> {
  const positions = MODEL_NAMES.map(async (model) => {
    const generation = (await documents.generations(model)).at(-1)
    if (generation === undefined) return 0
    const opened = await documents.openGeneration(generation, [])
    return opened
      .checkpoint()
      .then((checkpoint) => checkpoint.position)
      .finally(() => opened.close())
  })
  return Math.max(...(await Promise.all(positions)))
}
