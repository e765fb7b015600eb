/** The whole projector, with leases, loading, switch-overs and live batches, ends in the documents of one fold. */
import { once } from 'node:events'
import fc from 'fast-check'
import t from 'tap'
import type { Projection } from '../../src/engine/definition/projection.js'
import type { EngineLogger } from '../../src/engine/fold/telemetry.js'
import { Projector } from '../../src/engine/leader/projector.js'
import type { Position } from '../../src/events/index.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import type { LogRecord } from '../../src/ports/event-log.js'
import { anyLog } from '../reference-model/arbitrary-log.js'
import { projections } from '../support/built-in-models.js'
import { sameDump, withoutReasons } from '../support/dump.js'
import { faultyProjection } from '../support/faulty-projection.js'
import { dumpLive } from '../support/live-documents.js'
import { MemoryEventLog } from '../support/memory-log.js'
import { memoryStore } from '../support/memory-store.js'
import { lastPosition, project } from '../support/project-log.js'
import { holds } from '../support/property.js'

const silent: EngineLogger = { info() {}, warn() {}, error() {} }

interface Arrival {
  events: number
  restart: boolean
}

/** How many events are there when it starts, then how many come at a time; after which arrivals it is stopped and started. */
const arrivals = fc.array(fc.record({ events: fc.nat(40), restart: fc.boolean() }), { minLength: 1, maxLength: 4 })

// The age of a batch is a timer that keeps no process alive; in a real one there are listeners that do.
const alive = setInterval(() => {}, 60_000)
t.teardown(() => clearInterval(alive))

await holds(
  t,
  'started, stopped and started again while the log grows',
  fc.tuple(anyLog, arrivals),
  ([{ records }, parts]) => follows(projections, records, parts),
  40,
)

await holds(
  t,
  'and when some documents turn out unfit to be written',
  fc.tuple(anyLog, arrivals, fc.integer({ min: 2, max: 5 })),
  ([{ records }, parts, every]) =>
    follows(
      projections.map((projection) => faultyProjection(projection, 'unfit', ({ sequence }) => sequence % every === 0).projection),
      records,
      parts,
    ),
  20,
)

async function follows(followed: readonly Projection[], records: readonly LogRecord[], parts: readonly Arrival[]): Promise<void> {
  const store = memoryStore()
  const log = new MemoryEventLog()
  let projector = new Projector(followed, log, store, silent)
  projector.start()
  let appended = 0
  for (const { events, restart } of [...parts, { events: records.length, restart: false }]) {
    const part = records.slice(appended, appended + events)
    appended += part.length
    if (part.length > 0) log.extend(part)
    await caughtUp(store, lastPosition(records.slice(0, appended)))
    if (!restart) continue
    await projector.stop()
    projector = new Projector(followed, log, store, silent)
    projector.start()
  }
  await projector.stop()
  for (const projection of followed)
    sameDump(withoutReasons(await dumpLive(store, projection)), withoutReasons(await project(projection, records)))
}

async function caughtUp(store: DocumentStore, position: Position): Promise<void> {
  const changes = new EventTarget()
  const stop = store.onChange(() => changes.dispatchEvent(new Event('change')))
  for (;;) {
    // Listening before looking: a change while looking must not be missed.
    const change = once(changes, 'change')
    if (await hasReached(store, position)) break
    await change
  }
  stop()
}

async function hasReached(store: DocumentStore, position: Position): Promise<boolean> {
  for (const { name } of projections) {
    const live = (await store.generations(name)).some(({ state }) => state === 'live')
    if (!live) return false
    const snapshot = await store.snapshot([name])
    if (snapshot.model(name).checkpoint.position < position) return false
  }
  return true
}
