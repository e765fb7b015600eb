import { countParked, letters, parked } from '../engine/definition/dead-letter-collections.js'
import type { Projection } from '../engine/definition/projection.js'
import { Source } from '../engine/fold/log-reader.js'
import { type Request, Requests } from '../engine/requests/request-store.js'
import type { Position } from '../events/index.js'
import type { Checkpoint, DocumentStore, Generation } from '../ports/document-store.js'
import type { EventLog } from '../ports/event-log.js'

/** How one projection stands, as anybody can see it from the stores. */
export interface Standing {
  projection: string
  /** `foreign`: the log is not the one these documents were made from. */
  state: 'live' | 'loading' | 'outdated' | 'foreign' | 'missing'
  version: number
  generation: number | null
  position: Position
  /** Events of the log that are not in the model yet. */
  lag: number
  tallies: Record<string, number>
  /** Aggregates set aside because of an event that could not be folded, and events that wait behind them. */
  parked: number
  waiting: number
  /** Something is parked: what readers get is not all there is. */
  degraded: boolean
  generations: Generation[]
  /** What has been requested of its leader and is not done yet. */
  requests: Request[]
}

export interface Survey {
  log: { first: Position; last: Position }
  projections: Standing[]
}

/** Looks at log and models from outside; disturbs nobody. */
export async function survey(log: EventLog, store: DocumentStore, projections: readonly Projection[]): Promise<Survey> {
  const bounds = await log.bounds()
  const source = new Source(log)
  const requests = (await new Requests(store).all()).filter(({ state }) => state === 'open')
  const standings: Standing[] = []
  for (const projection of projections) {
    const standing = await standingOf(projection, store, source, bounds.last)
    standings.push({ ...standing, requests: requests.filter((request) => request.projection === projection.name) })
  }
  return { log: bounds, projections: standings }
}

async function standingOf(projection: Projection, store: DocumentStore, source: Source, last: Position): Promise<Standing> {
  const generations = await store.generations(projection.name)
  const generation = generations.find(({ state }) => state === 'live') ?? generations.findLast(({ state }) => state === 'loading')
  if (generation === undefined) return { ...describe(projection, null, null, last), generations, state: 'missing' }
  const opened = await store.openGeneration(generation, [parked, letters])
  try {
    const checkpoint = await opened.checkpoint()
    const parkedCount = await countParked(opened)
    const letterCount = await opened.count(letters, { index: '_id', equals: [] })
    return {
      ...describe(projection, generation, checkpoint, last),
      state: await stateOf(projection, generation, checkpoint, source),
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
  source: Source,
): Promise<Standing['state']> {
  if (position > 0 && (await source.eventIdAt(position)) !== eventId) return 'foreign'
  if (generation.state === 'loading') return 'loading'
  return generation.version === projection.version ? 'live' : 'outdated'
}

function describe(
  { name, version }: Projection,
  generation: Generation | null,
  checkpoint: Checkpoint | null,
  last: Position,
): Omit<Standing, 'state'> {
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
