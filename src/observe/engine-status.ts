import { countParked, deadLetters, parkedAggregates } from '../engine/definition/dead-letter-collections.js'
import type { Projection } from '../engine/definition/projection.js'
import { LogReader } from '../engine/fold/log-reader.js'
import { type Request, RequestStore } from '../engine/requests/request-store.js'
import type { Position } from '../events/index.js'
import type { Checkpoint, DocumentStore, Generation } from '../ports/document-store.js'
import type { EventLog } from '../ports/event-log.js'

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
  const reader = new LogReader(log)
  const requests = (await new RequestStore(store).all()).filter(({ state }) => state === 'open')
  const statuses: ProjectionStatus[] = []
  for (const projection of projections) {
    const status = await statusOf(projection, store, reader, bounds.last)
    statuses.push({ ...status, requests: requests.filter((request) => request.projection === projection.name) })
  }
  return { log: bounds, projections: statuses }
}

async function statusOf(projection: Projection, store: DocumentStore, reader: LogReader, last: Position): Promise<ProjectionStatus> {
  const generations = await store.generations(projection.name)
  const generation = generations.find(({ state }) => state === 'live') ?? generations.findLast(({ state }) => state === 'loading')
  if (generation === undefined) return { ...baseStatus(projection, null, null, last), generations, state: 'missing' }
  const opened = await store.openGeneration(generation, [parkedAggregates, deadLetters])
  try {
    const checkpoint = await opened.checkpoint()
    const parkedCount = await countParked(opened)
    const letterCount = await opened.count(deadLetters, { index: '_id', equals: [] })
    return {
      ...baseStatus(projection, generation, checkpoint, last),
      state: await stateOf(projection, generation, checkpoint, reader),
      parked: parkedCount,
      waiting: letterCount - parkedCount,
      degraded: parkedCount > 0,
      generations,
    }
  } finally {
    await opened.close()
  }
}

async function stateOf(
  projection: Projection,
  generation: Generation,
  { position, eventId }: Checkpoint,
  reader: LogReader,
): Promise<ProjectionStatus['state']> {
  if (position > 0 && (await reader.eventIdAt(position)) !== eventId) return 'foreign'
  if (generation.state === 'loading') return 'loading'
  return generation.version === projection.version ? 'live' : 'outdated'
}

function baseStatus(
  { name, version }: Projection,
  generation: Generation | null,
  checkpoint: Checkpoint | null,
  last: Position,
): Omit<ProjectionStatus, 'state'> {
  const position = checkpoint?.position ?? (0 as Position)
  return {
    projection: name,
    version: generation?.version ?? version,
    generation: generation?.number ?? null,
    position,
    lag: Math.max(0, last - position),
    tallies: checkpoint?.tallies ?? {},
    parked: 0,
    waiting: 0,
    degraded: false,
    generations: [],
    requests: [],
  }
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

/** Log and models at one moment. */
export interface StatusSample {
  at: number
  engine: EngineStatus
  /** By projection: age of the oldest event that is not in the model yet. */
  lagSeconds: Record<string, number>
}

export async function takeStatusSample(log: EventLog, store: DocumentStore, projections: readonly Projection[]): Promise<StatusSample> {
  const engine = await readEngineStatus(log, store, projections)
  const at = Date.now()
  const lagSeconds: Record<string, number> = {}
  const known = new Map<Position, number>()
  for (const { projection, position, lag } of engine.projections) {
    if (lag > 0 && !known.has(position)) known.set(position, await ageOfNextEvent(log, position, at))
    lagSeconds[projection] = lag === 0 ? 0 : (known.get(position) ?? 0)
  }
  return { at, engine, lagSeconds }
}

async function ageOfNextEvent(log: EventLog, position: Position, now: number): Promise<number> {
  const [next] = await log.read(position, 1)
  return next === undefined ? 0 : Math.max(0, now - next.appendedAt) / 1000
}

export interface LagSample {
  at: number
  lag: number
}

/** A live projector often has fewer events than this pending. */
const BEHIND_EVENTS = 1000
/** A backlog must start to shrink within this time. */
const STUCK_AFTER_MS = 60_000

/** Far behind for a minute, and no closer at its end; catching up slowly is not stuck. Oldest sample first. */
export function isLagStuck(samples: readonly LagSample[], now: number): boolean {
  const recent = samples.filter(({ at }) => now - at <= STUCK_AFTER_MS * 1.5)
  const [first] = recent
  const last = recent.at(-1)
  if (first === undefined || last === undefined || last.at - first.at < STUCK_AFTER_MS) return false
  return recent.every(({ lag }) => lag > BEHIND_EVENTS) && last.lag >= first.lag
}
