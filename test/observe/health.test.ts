import t from 'tap'
import { standingTexts } from '../../src/cli/status-text.js'
import { readIntegrityReport } from '../../src/compose/live-models.js'
import { type ModelSet, modelSet } from '../../src/compose/models/model-set.js'
import type { EventFold, Projection } from '../../src/engine/definition/projection.js'
import type { OwnHealth } from '../../src/engine/fold/telemetry.js'
import { Projector } from '../../src/engine/leader/projector.js'
import type { AnyEvent, Position } from '../../src/events/index.js'
import { Monitor } from '../../src/observe/monitor.js'
import { isTurning, type ProjectionState, remedyOf, standingOf } from '../../src/observe/projection-state.js'
import { ProjectorMetricsBuffer } from '../../src/observe/projector-metrics.js'
import type { Generation, Lead, ProjectionHealth } from '../../src/ports/document-store.js'
import type { LogRecord } from '../../src/ports/event-log.js'
import { gardening } from '../compose/models/fixture.js'
import { COMMUNITY } from '../harness/community.js'
import { eventually } from '../ports/subject.js'
import { ToldLog } from '../spec/log.js'
import { projections } from '../support/built-in-models.js'
import { memoryStore } from '../support/memory-store.js'

const silent = { info() {}, warn() {}, error() {} }
const NOW = 1_000_000_000

t.test('the state of a projection, by what is known of it', async (t) => {
  const live: Generation = { projection: 'feed', version: 1, number: 1, state: 'live', createdAt: 0 }
  const loading: Generation = { ...live, state: 'loading' }
  const health: ProjectionHealth = {
    ...{ state: 'live', reason: null, lastError: null, since: NOW - 60_000, failures: 0 },
    ...{ progressAt: NOW - 1000, logReadAt: NOW - 1000, fanOut: null, slowFold: null },
  }
  const failing: ProjectionHealth = {
    ...health,
    state: 'retrying',
    reason: 'refused',
    lastError: 'no room',
    failures: 7,
    progressAt: NOW - 99_000,
  }
  const lead = (over: Partial<Lead> = {}): Lead => ({ projection: 'feed', holder: 'a', epoch: 1, until: NOW + 2000, health, ...over })
  const own = (over: ProjectionHealth, isLeading = true): OwnHealth => ({ health: over, isLeading })
  const since = (progressAt: number) => ({ ...health, progressAt })
  type Evidence = Parameters<typeof standingOf>[0]
  const table: [what: string, Partial<Evidence>, state: ProjectionState][] = [
    ['a leader that is well', { lead: lead() }, 'live'],
    ['one of an older release', { lead: lead({ health: null }) }, 'live'],
    ['nothing is known but its generation', {}, 'leaderless'],
    ['a lease that has just run out', { lead: lead({ until: NOW - 9000 }) }, 'live'],
    ['one that ran out a while ago', { lead: lead({ until: NOW - 10_000 }) }, 'leaderless'],
    ['no progress for a while', { lead: lead({ health: since(NOW - 15_000) }) }, 'live'],
    ['no progress for longer', { lead: lead({ health: since(NOW - 15_001) }) }, 'stalled'],
    ['no progress of a load', { lead: lead({ health: since(NOW - 600_000) }), generation: loading }, 'loading'],
    ['no progress of a load for long', { lead: lead({ health: since(NOW - 600_001) }), generation: loading }, 'stalled'],
    ['a first load without a generation', { lead: lead(), generation: undefined }, 'loading'],
    ['nothing at all', { generation: undefined }, 'missing'],
    ['commits that are refused', { lead: lead({ health: failing }) }, 'retrying'],
    ['commits that are refused, and the lease has run out', { lead: lead({ until: NOW - 99_000, health: failing }) }, 'retrying'],
    ['a log that is another one', { lead: lead({ health: { ...failing, state: 'stopped', reason: 'foreign' } }) }, 'stopped'],
    ['the same, seen from here', { isForeign: true }, 'stopped'],
    ['another version', { lead: lead(), version: 2 }, 'outdated'],
    ['this process leads and fails, and the store takes no health', { lead: lead({ until: NOW - 5000 }), own: own(failing) }, 'retrying'],
    ['it cannot even lead', { lead: lead({ until: NOW - 60_000 }), own: own(failing, false) }, 'retrying'],
    ['it failed, and another process leads well', { lead: lead(), own: own(failing, false) }, 'live'],
    ['it failed, and has just taken the lead again', { lead: lead({ health: null }), own: own(failing, false) }, 'retrying'],
    ['it waits, and the leader is gone', { lead: lead({ until: NOW - 60_000 }), own: own(health, false) }, 'leaderless'],
  ]
  for (const [what, evidence, state] of table) {
    const all = { version: 1, generation: live, lead: undefined, own: undefined, isForeign: false, now: NOW, ...evidence }
    t.equal(standingOf(all).state, state, what)
  }
  const why = { version: 1, generation: live, lead: lead({ health: failing }), own: undefined, isForeign: false, now: NOW }
  t.match(standingOf(why), { reason: 'refused', lastError: 'no room', failures: 7, since: NOW - 60_000 })
})

t.test('nothing is advised that is under way', async (t) => {
  const rebuild = { order: { kind: 'rebuild' } }
  t.match(remedyOf('feed', 'outdated', []), /"vitrine rebuild feed"/)
  t.match(remedyOf('feed', 'outdated', [{ order: { kind: 'prune' } }]), /"vitrine rebuild feed"/)
  t.match(remedyOf('feed', 'outdated', [rebuild]), /^wait: /)
  t.match(remedyOf('feed', 'leaderless', [rebuild]), /^start /, 'nobody carries it out')
  t.equal(remedyOf('feed', 'live', [rebuild]), null)
})

t.test('a process is ready without custom models that no read reads', async (t) => {
  const store = memoryStore()
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

t.test('a projector that has nothing to do goes on; one whose log does not answer is noticed', async (t) => {
  const alive = setInterval(() => {}, 60_000)
  t.teardown(() => clearInterval(alive))
  const log = new HangingLog(...COMMUNITY)
  const received = new Map<string, OwnHealth>()
  const figures = new ProjectorMetricsBuffer(({ healths }) => {
    for (const [name, own] of Object.entries(healths)) received.set(name, own)
  })
  const pair = projections.filter(({ name }) => name === 'feed' || name === 'tags')
  const projector = new Projector(pair, log, memoryStore(), silent, { meter: figures })
  projector.start()
  const all = (holds: (own: OwnHealth) => boolean) => received.size === 2 && [...received.values()].every(holds)
  await eventually(async () => all(({ health, isLeading }) => isLeading && health.state === 'live'))
  const before = Date.now()
  await eventually(async () => all(({ health }) => health.progressAt > before && health.logReadAt > before))
  t.pass('every loop came round though nothing happened')

  log.hangs = true
  // Loops that had already asked come round once more; then all of them hang in the log.
  await eventually(async () => all(({ health }) => Date.now() - health.progressAt > 4000))
  t.ok(all(({ health }) => isTurning({ health }, health.progressAt + 15_000)))
  t.notOk(all(({ health }) => isTurning({ health }, health.progressAt + 15_001)))
  figures.stop()
})

t.test('an event whose fold holds up its process is named', async (t) => {
  const tags = projections.find(({ name }) => name === 'tags') as Projection
  let position: Position | undefined
  const slow = (fold: EventFold<AnyEvent>): EventFold<AnyEvent> => ({
    ...fold,
    apply(event, docs, repeated) {
      if (event.name === 'creation.published') position ??= event.position
      if (event.position === position) for (const until = performance.now() + 60; performance.now() < until; );
      fold.apply(event, docs, repeated)
    },
  })
  const on = Object.fromEntries(Object.entries(tags.on).map(([name, fold]) => [name, slow(fold)]))
  const projector = new Projector([{ ...tags, on }], new ToldLog(...COMMUNITY), memoryStore(), silent)
  projector.start()
  const [runner] = projector.runners
  await eventually(async () => runner?.health.state === 'live')
  t.equal(runner?.health.slowFold?.position, position)
  t.ok((runner?.health.slowFold?.ms ?? 0) >= 50)
  const standing = { state: 'live', reason: null, lastError: null, failures: 0, since: null, fanOut: null } as const
  const { slowFold = null } = runner?.health ?? {}
  t.match(standingTexts([{ ...standing, name: 'tags', remedy: null, slowFold }], Date.now()), [
    [/^tags: to fold the event at \d+ took \d+ ms/],
  ])
  await projector.stop()
})
