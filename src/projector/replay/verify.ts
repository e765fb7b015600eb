import type { Position } from '../../events/index.js'
import type { Collection, DocumentStore, IndexFault, ModelView, Reads } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import { DEAD_LETTERS, letters } from '../dead-letters.js'
import { Decisions } from '../decisions.js'
import type { Projection } from '../definition.js'
import { Source } from '../source.js'
import { compare, type Discrepancy, discrepancy } from './compare.js'
import { documentsOf } from './documents.js'
import { keptUnder } from './kept.js'
import { Refold } from './refold.js'

export interface VerifyOptions {
  projection: Projection
  log: EventLog
  store: DocumentStore
  scratch: DocumentStore
  /** Share of the documents to compare, chosen by their ids: the same ones every time. */
  sample?: number
  folding?: (events: number) => void
  comparing?: (documents: number) => void
}

export interface Verification {
  projection: string
  generation: number
  position: Position
  /** Compared documents by collection. */
  compared: Record<string, number>
  discrepancies: Discrepancy[]
  /** Indexes that do not say what the documents say; not looked at with a sample. */
  indexes: (IndexFault & { collection: string })[]
  /** Aggregates whose events wait, and events that were discarded: taken into account, no damage. */
  parked: number
  discarded: number
}

/** Another version's documents cannot be expected to come out the same. */
export class OtherVersionError extends Error {
  override name = 'OtherVersionError'
}

/** Differences remembered while looking; beyond that the model is better rebuilt than repaired. */
const MOST = 10_000

/**
 * Replays the log beside the live model and compares every document. The model may go on moving meanwhile: what looks
 * different at first is looked at again with both sides at exactly the same position.
 */
export async function verify(options: VerifyOptions): Promise<Verification> {
  const { projection, store, sample = 1 } = options
  const decisions = await Decisions.of(store, projection.name)
  const { parkedAt, position } = await look(store, projection, async (view) => ({
    parkedAt: await parkedPositions(view),
    position: view.checkpoint.position,
  }))
  const refold = await Refold.begin({
    projection,
    source: new Source(options.log),
    scratch: options.scratch,
    decisions,
    parkedAt,
    ...(options.folding === undefined ? {} : { advanced: options.folding }),
  })
  try {
    await refold.to(position)
    await refold.finish()
    const compared: Record<string, number> = {}
    const suspects: { collection: Collection; id: string }[] = []
    const live = pageByPage(store, projection)
    for (const collection of projection.collections) {
      let count = 0
      for await (const found of compare(collection, live, refold.reads, (id) => sample === 1 || shareOf(id) < sample)) {
        count += 1
        options.comparing?.(1)
        if (found !== null && suspects.length < MOST) suspects.push(found)
      }
      compared[collection.name] = count
    }
    const settled = await settle(options, refold, suspects, parkedAt)
    const indexes = sample === 1 ? await faultyIndexes(options) : []
    return { projection: projection.name, compared, indexes, parked: parkedAt.size, discarded: decisions.count, ...settled }
  } finally {
    await refold.close()
  }
}

/** Looks at the suspects again, the replay having followed the model to where it is now. */
async function settle(
  { store, projection }: VerifyOptions,
  refold: Refold,
  suspects: readonly { collection: Collection; id: string }[],
  parkedAt: Set<number>,
) {
  return look(store, projection, async (view) => {
    for (const position of await parkedPositions(view)) parkedAt.add(position)
    const { position } = view.checkpoint
    await refold.to(position)
    await refold.finish()
    const discrepancies: Discrepancy[] = []
    for (const { collection, id } of suspects) {
      const [[kept], [replayed]] = await Promise.all([keptUnder(view, collection, [id]), refold.reads.get(collection, [id])])
      const found = discrepancy(collection, id, kept, replayed)
      if (found !== null) discrepancies.push(found)
    }
    return { generation: view.generation.number, position, discrepancies }
  })
}

/** Each collection at a moment of its own: commits go on, and a store keeps what they replace for as long as a look takes. */
async function faultyIndexes({ store, projection }: VerifyOptions): Promise<Verification['indexes']> {
  const faults: Verification['indexes'] = []
  for (const collection of [...projection.collections, ...DEAD_LETTERS]) {
    const found = await look(store, projection, (view) => view.indexFaults(collection))
    faults.push(...found.map((fault) => ({ collection: collection.name, ...fault })))
  }
  return faults
}

/** A long walk over a model in use, without holding on to one moment of it: stores forget old snapshots. */
function pageByPage(store: DocumentStore, projection: Projection): Pick<Reads, 'ids' | 'get'> {
  return {
    ids: (collection, query) => look(store, projection, (view) => view.ids(collection, query)),
    get: (collection, ids) => look(store, projection, (view) => view.get(collection, ids)),
  }
}

async function parkedPositions(view: ModelView): Promise<Set<number>> {
  const positions = new Set<number>()
  for await (const { position } of documentsOf(view, letters)) positions.add(position)
  return positions
}

async function look<T>(store: DocumentStore, { name, version }: Projection, work: (view: ModelView) => Promise<T>): Promise<T> {
  const snapshot = await store.snapshot([name])
  try {
    const view = snapshot.model(name)
    if (view.generation.version !== version) {
      throw new OtherVersionError(
        `${name} is served by version ${view.generation.version}, and this is version ${version}: rebuild it first`,
      )
    }
    return await work(view)
  } finally {
    snapshot.release()
  }
}

/** Spreads ids evenly over 0 to 1, always the same way. */
function shareOf(id: string): number {
  let hash = 2166136261
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 16777619)
  return (hash >>> 0) / 2 ** 32
}
