import { countParked, parkedAggregates } from '../engine/definition/dead-letter-collections.js'
import { type Projection, sharedEvents } from '../engine/definition/projection.js'
import { foreignLog } from '../engine/fold/log-identity.js'
import { LogReader } from '../engine/fold/log-reader.js'
import { withGeneration } from '../engine/fold/open-generation.js'
import type { OwnHealth } from '../engine/fold/telemetry.js'
import { type Request, RequestStore } from '../engine/requests/request-store.js'
import { type Position, START } from '../events/index.js'
import { withTimeout } from '../lib/backoff-and-timeout.js'
import type { Checkpoint, DocumentStore, Generation } from '../ports/document-store.js'
import type { EventLog } from '../ports/event-log.js'
import type { IntegrityReport } from '../ports/integrity-report.js'
import { type Standing, standingOf, unreadStanding } from './projection-state.js'

/** Reads what the integrity model has found; `null` while that is not known. */
export type ReadIntegrityReport = (documents: DocumentStore) => Promise<IntegrityReport | null>

/** The status of one projection. */
export interface ProjectionStatus extends Standing {
  projection: string
  version: number
  generation: number | null
  /** `null` while the store does not answer. */
  position: Position | null
  /** Events of the log that are not in the model yet; `null` while the log does not answer. */
  lag: number | null
  /** How long the oldest of them has been in the log, or for how long the log was not read. */
  lagSeconds: number | null
  tallies: Record<string, number>
  /** Aggregates with an event that could not be folded. */
  parked: number
  /** Something is parked, so readers do not get everything. */
  degraded: boolean
  generations: Generation[]
  /** Open requests to its leader. */
  requests: Request[]
}

/** The status at one moment. Log and store are looked at separately: each may be away. */
export interface StatusSample {
  at: number
  log: { first: Position; last: Position } | null
  logError: unknown
  storeError: unknown
  projections: ProjectionStatus[]
  integrity: IntegrityReport | null
}

export interface SampleSources {
  log: () => Promise<EventLog>
  store: DocumentStore
  projections: readonly Projection[]
  readIntegrity: ReadIntegrityReport
  /** What this process knows by itself, by projection. */
  own?: ReadonlyMap<string, OwnHealth>
  timeoutMs?: number
}

/** A store that does not answer by then counts as unreachable. */
const TIMEOUT_MS = 2000
/** A leader asks the log every two seconds and stores its health every second. */
const READ_LATELY_MS = 10_000

/** Only reads: it takes no lease and writes nothing. */
export async function takeStatusSample(sources: SampleSources): Promise<StatusSample> {
  const { store, projections, readIntegrity, own, timeoutMs = TIMEOUT_MS } = sources
  const errors: Pick<StatusSample, 'logError' | 'storeError'> = { logError: null, storeError: null }
  const orNull = <T>(kind: keyof typeof errors, answer: () => Promise<T>): Promise<T | null> =>
    withTimeout(timeoutMs, answer()).catch((error) => {
      errors[kind] ??= error
      return null
    })
  let log: EventLog | null = null
  const bounds = await orNull('logError', async () => {
    log = await sources.log()
    return log.bounds()
  })
  const known = bounds === null || log === null ? null : { log, last: bounds.last, reader: new LogReader(log, sharedEvents(projections)) }
  const stored = await orNull('storeError', async () => ({
    leads: new Map((await store.leads()).map((lead) => [lead.projection, lead])),
    requests: (await new RequestStore(store).all()).filter(({ state }) => state === 'open'),
    integrity: await readIntegrity(store),
    models: await Promise.all(projections.map(({ name }) => readModel(store, name))),
  }))
  const at = Date.now()
  const statuses: ProjectionStatus[] = []
  for (const [i, { name, version }] of projections.entries()) {
    const model = stored?.models[i]
    if (model === undefined) {
      statuses.push({ projection: name, ...NOTHING, ...unreadStanding(own?.get(name)), version, position: null })
      continue
    }
    const { generation, checkpoint } = model
    const lead = stored?.leads.get(name)
    const isForeign = known !== null && (await orNull('logError', () => foreignLog(known.reader, name, checkpoint))) !== null
    const standing = standingOf({ version, generation, lead, own: own?.get(name), isForeign, now: at })
    const lag = known === null ? null : Math.max(0, known.last - checkpoint.position)
    const unreadMs = lead !== undefined && lead.until > at ? at - (lead.health?.logReadAt ?? at) : 0
    const ageS = known === null || lag === 0 ? 0 : await orNull('logError', () => ageOfNextEvent(known.log, checkpoint.position, at))
    statuses.push({
      projection: name,
      ...standing,
      ...{ version: generation?.version ?? version, generation: generation?.number ?? null, position: checkpoint.position, lag },
      lagSeconds: ageS === null || known === null ? null : Math.max(ageS, unreadMs < READ_LATELY_MS ? 0 : unreadMs / 1000),
      ...{ tallies: checkpoint.tallies, parked: model.parked, degraded: model.parked > 0 },
      generations: model.generations,
      requests: stored?.requests.filter((request) => request.projection === name) ?? [],
    })
  }
  return { at, log: bounds, ...errors, projections: statuses, integrity: stored?.integrity ?? null }
}

const NOTHING = {
  ...{ generation: null, lag: null, lagSeconds: null, tallies: {}, parked: 0, degraded: false },
  ...{ generations: [], requests: [] },
}

interface StoredModel extends Pick<ProjectionStatus, 'parked' | 'generations'> {
  generation: Generation | undefined
  checkpoint: Pick<Checkpoint, 'position' | 'eventId' | 'tallies'>
}

async function readModel(store: DocumentStore, name: string): Promise<StoredModel> {
  const generations = await store.generations(name)
  const generation = generations.find(({ state }) => state === 'live') ?? generations.findLast(({ state }) => state === 'loading')
  if (generation === undefined) return { generations, generation, checkpoint: { position: START, eventId: null, tallies: {} }, parked: 0 }
  return withGeneration(store, generation, [parkedAggregates], async (opened) => ({
    ...{ generations, generation, checkpoint: await opened.checkpoint(), parked: await countParked(opened) },
  }))
}

async function ageOfNextEvent(log: EventLog, position: Position, now: number): Promise<number> {
  const [next] = await log.read(position, 1)
  return next === undefined ? 0 : Math.max(0, now - (next.storedAt ?? next.appendedAt)) / 1000
}

/**
 * Progress of the running rebuild or rollback, from the open requests of one projection. `secondsLeft` is `null` while it cannot be
 * estimated.
 */
export function rebuildProgress(requests: readonly Request[], now: number) {
  const request = requests.find(({ order, state }) => state === 'open' && (order.kind === 'rebuild' || order.kind === 'rollback'))
  if (request === undefined || (request.order.kind !== 'rebuild' && request.order.kind !== 'rollback')) return null
  const { position, total, phase, generation, startedAt } = request
  const seconds = startedAt === null ? 0 : (now - startedAt) / 1000
  const eventsPerSecond = seconds > 0 ? position / seconds : 0
  const share = total > 0 ? Math.min(1, position / total) : 0
  const secondsLeft = eventsPerSecond > 0 && total > 0 ? Math.max(0, total - position) / eventsPerSecond : null
  return { kind: request.order.kind, phase, generation, position, total, share, eventsPerSecond, secondsLeft }
}
