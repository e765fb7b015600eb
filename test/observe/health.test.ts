import t from 'tap'
import { readIntegrityReport } from '../../src/compose/integrity-report.js'
import { type ModelSet, modelSet } from '../../src/compose/models/model-set.js'
import { Projector } from '../../src/engine/leader/projector.js'
import type { Position } from '../../src/events/index.js'
import { Monitor } from '../../src/observe/monitor.js'
import { ProjectorMetricsBuffer } from '../../src/observe/projector-metrics.js'
import { Heartbeats, isLagStuck } from '../../src/observe/stalled-projections.js'
import type { LogRecord } from '../../src/ports/event-log.js'
import { gardening } from '../compose/models/fixture.js'
import { COMMUNITY } from '../harness/community.js'
import { eventually } from '../ports/subject.js'
import { ToldLog } from '../spec/log.js'
import { projections } from '../support/built-in-models.js'
import { MemoryDocumentStore } from '../support/memory-store.js'

const silent = { info() {}, warn() {}, error() {} }
const MINUTE = 60_000

t.test('a backlog is tolerated while it shrinks', async (t) => {
  const every5s = (...lags: number[]) => lags.map((lag, i) => ({ at: i * 5000, lag }))
  const steady = (lag: number) => every5s(...Array.from({ length: 14 }, () => lag))
  const shrinking = every5s(...Array.from({ length: 14 }, (_, i) => 500_000 - i))
  const growing = every5s(...Array.from({ length: 14 }, (_, i) => 2000 + i))
  const now = 13 * 5000
  t.equal(isLagStuck([], now), false, 'nothing is known yet')
  t.equal(isLagStuck(steady(0), now), false)
  t.equal(isLagStuck(steady(1000), now), false, 'so few are no backlog')
  t.equal(isLagStuck(steady(1001), now), true)
  t.equal(isLagStuck(shrinking, now), false, 'however slowly')
  t.equal(isLagStuck(growing, now), true)
  t.equal(isLagStuck(growing.slice(-6), now), false, 'it has a minute')
  t.equal(isLagStuck([{ at: 0, lag: 0 }, ...growing.slice(1)], now), false, 'it was at the end a moment ago')
  t.equal(isLagStuck(steady(5000), now + 10 * MINUTE), false, 'old samples say nothing about now')
})

t.test('heartbeats', async (t) => {
  let now = 1000
  const heartbeats = new Heartbeats(['feed', 'tags'], () => now)
  t.strictSame(heartbeats.stalled(), [])
  now += 16_000
  t.strictSame(heartbeats.stalled(), ['feed', 'tags'], 'one without a heartbeat is not alive')
  heartbeats.receive({ feed: { state: 'live', at: now }, tags: { state: 'loading', at: now } })
  t.strictSame(heartbeats.stalled(), [])
  now += 16_000
  t.strictSame(heartbeats.stalled(), ['feed'], 'loading may block its thread for minutes')
  now += 11 * MINUTE
  t.strictSame(heartbeats.stalled(), ['feed', 'tags'])
})

t.test('a process is ready without own models that no read reads', async (t) => {
  const store = new MemoryDocumentStore()
  for (const { name, version, collections } of projections) await store.promote(await store.createGeneration(name, version, collections))
  const readiness = ({ projections, requiredModels }: ModelSet) =>
    new Monitor({
      ...{ projections, requiredModels, store, projecting: false, querying: true, logger: silent },
      log: async () => new ToldLog(),
      readIntegrity: readIntegrityReport,
    }).readiness()
  t.match(await readiness(modelSet([gardening({ model: { reads: [] } })])), { status: 'ready', missing: [] })
  t.match(await readiness(modelSet([gardening()])), { status: 'loading', missing: ['gardens'] }, 'its reads would fail')
})

/** Whose reads can be made to hang, as those of a connection that is dead and does not know it. */
class HangingLog extends ToldLog {
  hangs = false

  override async read(after: Position, limit: number): Promise<LogRecord[]> {
    return this.hangs ? new Promise(() => {}) : super.read(after, limit)
  }
}

t.test('a projector that has nothing to do goes on asking; one whose reader is dead is noticed', async (t) => {
  const alive = setInterval(() => {}, MINUTE)
  t.teardown(() => clearInterval(alive))
  const log = new HangingLog(...COMMUNITY)
  const received = new Map<string, { state: string; at: number }>()
  const heartbeats = new Heartbeats(['feed', 'tags'])
  const figures = new ProjectorMetricsBuffer((told) => {
    for (const [name, heartbeat] of Object.entries(told.heartbeats)) received.set(name, heartbeat)
    heartbeats.receive(told.heartbeats)
  })
  const projector = new Projector(
    projections.filter(({ name }) => name === 'feed' || name === 'tags'),
    log,
    new MemoryDocumentStore(),
    silent,
    { meter: figures },
  )
  projector.start()
  await eventually(async () => ['feed', 'tags'].every((name) => received.get(name)?.state === 'live'))
  const before = new Map(received)
  await eventually(async () => ['feed', 'tags'].every((name) => (received.get(name)?.at ?? 0) > (before.get(name)?.at ?? 0)))
  t.pass('every loop came round though nothing happened')

  log.hangs = true
  const asked = () => [...received.values()].map(({ at }) => at).join()
  // Loops that had already asked come round once more; then all of them hang in the log.
  let last = ''
  await eventually(async () => {
    const now = asked()
    const same = now === last && Date.now() - Math.max(...[...received.values()].map(({ at }) => at)) > 3000
    last = now
    return same
  })
  const later = new Heartbeats([], () => Date.now() + 15_000)
  later.receive(Object.fromEntries(received) as Parameters<Heartbeats['receive']>[0])
  t.strictSame(later.stalled().sort(), ['feed', 'tags'])
  figures.stop()
})
