import { countParked, deadLetters, loadParked, parkedAggregates } from '../engine/definition/dead-letter-collections.js'
import { type Projection, sharedEvents } from '../engine/definition/projection.js'
import { LogReader } from '../engine/fold/log-reader.js'
import { type Request, RequestStore } from '../engine/requests/request-store.js'
import type { Position } from '../events/index.js'
import type { Checkpoint, DocumentStore, Generation } from '../ports/document-store.js'
import type { EventLog } from '../ports/event-log.js'
import type { IntegrityReport } from '../ports/integrity-report.js'

/** Reads what the integrity model has found; `null` while that is not known. */
export type ReadIntegrityReport = (documents: DocumentStore) => Promise<IntegrityReport | null>

/** The status of one projection, read from log and models alone. */
export interface ProjectionStatus {
  projection: string
  /** `foreign`: the documents were made from another log. */
  state: 'live' | 'loading' | 'outdated' | 'foreign' | 'missing'
  version: number
  generation: number | null
  position: Position
  /** Events of the log that are not in the model yet. */
  lag: number
  tallies: Record<string, number>
  /** Aggregates parked because of an event that could not be folded, and later events that wait for them. */
  parked: number
  waiting: number
  /** Something is parked, so readers do not get everything. */
  degraded: boolean
  generations: Generation[]
  /** Open requests to its leader. */
  requests: Request[]
}

export interface EngineStatus {
  log: { first: Position; last: Position }
  projections: ProjectionStatus[]
}

/** Only reads: it takes no lease and writes nothing. */
export async function readEngineStatus(log: EventLog, store: DocumentStore, projections: readonly Projection[]): Promise<EngineStatus> {
  const bounds = await log.bounds()
  const reader = new LogReader(log, sharedEvents(projections))
  const requests = (await new RequestStore(store).all()).filter(({ state }) => state === 'open')
  const statuses: ProjectionStatus[] = []
  for (const projection of projections) {
    const status = await statusOf(projection, store, reader, bounds.last)
    statuses.push({ ...status, requests: requests.filter((request) => request.projection === projection.name) })
  }
  return { log: bounds, projections: statuses }
}

async function statusOf(
  { name, version }: Projection,
  store: DocumentStore,
  reader: LogReader,
  last: Position,
): Promise<Omit<ProjectionStatus, 'requests'>> {
  const generations = await store.generations(name)
  const generation = generations.find(({ state }) => state === 'live') ?? generations.findLast(({ state }) => state === 'loading')
  const none = { position: 0 as Position, lag: last, tallies: {}, parked: 0, waiting: 0, degraded: false }
  if (generation === undefined) return { projection: name, version, generation: null, ...none, generations, state: 'missing' }
  const opened = await store.openGeneration(generation, [parkedAggregates, deadLetters])
  try {
    const checkpoint = await opened.checkpoint()
    const { position, tallies } = checkpoint
    const parked = await countParked(opened)
    const set = await opened.count(deadLetters, { index: '_id', equals: [] })
    const waiting = set === parked ? 0 : [...(await loadParked(opened)).values()].reduce((sum, each) => sum + each.waiting, 0)
    const figures = { position, lag: Math.max(0, last - position), tallies, parked, waiting, degraded: parked > 0 }
    const state = await stateOf(version, generation, checkpoint, reader)
    return { projection: name, version: generation.version, generation: generation.number, ...figures, generations, state }
  } finally {
    await opened.close()
  }
}

async function stateOf(
  version: number,
  generation: Generation,
  { position, eventId }: Checkpoint,
  reader: LogReader,
): Promise<ProjectionStatus['state']> {
  if (position > 0 && (await reader.eventIdAt(position)) !== eventId) return 'foreign'
  if (generation.state === 'loading') return 'loading'
  return generation.version === version ? 'live' : 'outdated'
}

/** The status at one moment. */
export interface StatusSample {
  at: number
  engine: EngineStatus
  integrity: IntegrityReport | null
  /** By projection: age of the oldest event that is not in the model yet. */
  lagSeconds: Record<string, number>
}

export async function takeStatusSample(
  log: EventLog,
  store: DocumentStore,
  projections: readonly Projection[],
  readIntegrity: ReadIntegrityReport,
): Promise<StatusSample> {
  const engine = await readEngineStatus(log, store, projections)
  const integrity = await readIntegrity(store)
  const at = Date.now()
  const lagSeconds: Record<string, number> = {}
  const known = new Map<Position, number>()
  for (const { projection, position, lag } of engine.projections) {
    if (lag > 0 && !known.has(position)) known.set(position, await ageOfNextEvent(log, position, at))
    lagSeconds[projection] = lag === 0 ? 0 : (known.get(position) ?? 0)
  }
  return { at, engine, integrity, lagSeconds }
}

async function ageOfNextEvent(log: EventLog, position: Position, now: number): Promise<number> {
  const [next] = await log.read(position, 1)
  return next === undefined ? 0 : Math.max(0, now - next.appendedAt) / 1000
}

export interface RebuildProgress {
  kind: 'rebuild' | 'rollback'
  phase: string
  generation: number | null
  position: number
  total: number
  /** From 0 to 1. */
  share: number
  eventsPerSecond: number
  /** `null` while it cannot be estimated. */
  secondsLeft: number | null
}

/** Progress of the running rebuild or rollback, from the open requests of one projection. */
export function rebuildProgress(requests: readonly Request[], now: number): RebuildProgress | null {
  const request = requests.find(({ order, state }) => state === 'open' && (order.kind === 'rebuild' || order.kind === 'rollback'))
  if (request === undefined || (request.order.kind !== 'rebuild' && request.order.kind !== 'rollback')) return null
  const { position, total, phase, generation, startedAt } = request
  const seconds = startedAt === null ? 0 : (now - startedAt) / 1000
  const eventsPerSecond = seconds > 0 ? position / seconds : 0
  const share = total > 0 ? Math.min(1, position / total) : 0
  const secondsLeft = eventsPerSecond > 0 && total > 0 ? Math.max(0, total - position) / eventsPerSecond : null
  return { kind: request.order.kind, phase, generation, position, total, share, eventsPerSecond, secondsLeft }
}
