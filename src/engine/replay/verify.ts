import type { Position } from '../../events/index.js'
import { fnv1a } from '../../lib/hash.js'
import type { Collection, DocumentStore, IndexFault, ModelView, Reads } from '../../ports/document-store.js'
import { withDeadLetters } from '../definition/dead-letter-collections.js'
import type { Projection } from '../definition/projection.js'
import { readStored } from '../definition/scan-documents.js'
import { compareCollections, type Discrepancy, discrepancy } from './compare-documents.js'
import { ShadowReplay, type ShadowReplayOptions, withLiveView } from './shadow-replay.js'

export interface VerifyOptions extends ShadowReplayOptions {
  /** The share of documents to compare. Chosen by id: the same ones every time. */
  sample?: number
  onCompared?: (documents: number) => void
}

export interface Verification extends Findings {
  projection: string
  /** Documents compared, by collection. */
  compared: Record<string, number>
  /** Indexes that differ from the documents; not checked with a sample. */
  indexes: (IndexFault & { collection: string })[]
  /** Parked and discarded events are no damage. */
  parked: number
  discarded: number
}

/**
 * Replays the log and compares every document with the live model, which may keep changing: documents that differ are
 * compared again with both sides at the same position. Rejects with `ModelBusyError` when events that it has folded were
 * parked, replayed or discarded during that.
 */
export async function verify(options: VerifyOptions): Promise<Verification> {
  const { projection, sample = 1 } = options
  const shadow = await ShadowReplay.open(options)
  try {
    // The replay took long: everything that changed since would be a suspect.
    await shadow.catchUp()
    const suspects = new Suspects(shadow)
    const compared = await compareAll(options, shadow, suspects)
    const findings = await suspects.recheck()
    const indexes = sample === 1 ? await faultyIndexes(options) : []
    const { parked, discarded } = shadow
    return { projection: projection.name, compared, indexes, parked, discarded, ...findings }
  } finally {
    await shadow.close()
  }
}

/** Resolves to the number of documents compared, by collection. */
async function compareAll({ projection, store, sample = 1, onCompared }: VerifyOptions, shadow: ShadowReplay, suspects: Suspects) {
  const compared: Record<string, number> = {}
  const live = livePages(store, projection)
  for (const collection of projection.collections) {
    let count = 0
    for await (const found of compareCollections(collection, live, shadow.reads, (id) => sample === 1 || sampleValueOf(id) < sample)) {
      count += 1
      onCompared?.(1)
      if (found !== null) await suspects.add(found)
    }
    compared[collection.name] = count
  }
  return compared
}

/** One snapshot per collection: the store keeps replaced documents as long as a snapshot is open. */
async function faultyIndexes({ store, projection }: VerifyOptions): Promise<Verification['indexes']> {
  const faults: Verification['indexes'] = []
  for (const collection of withDeadLetters(projection).collections) {
    const found = await withLiveView(store, projection, (view) => view.indexFaults(collection))
    faults.push(...found.map((fault) => ({ collection: collection.name, ...fault })))
  }
  return faults
}

/** Takes a snapshot per page: stores drop snapshots that are held for long. */
function livePages(store: DocumentStore, projection: Projection): Pick<Reads, 'ids' | 'get'> {
  return {
    ids: (collection, query) => withLiveView(store, projection, (view) => view.ids(collection, query)),
    get: (collection, ids) => withLiveView(store, projection, (view) => view.get(collection, ids)),
  }
}

/** Spreads ids evenly over 0 to 1, always the same way. */
const sampleValueOf = (id: string): number => fnv1a(id) / 2 ** 32

/** Suspects kept before they are compared again. Differences beyond this number are only counted. */
const MAX_SUSPECTS = 10_000
const PAGE = 1000

export interface Findings {
  generation: number
  position: Position
  /** How many documents differ. */
  differing: number
  /** The first ones: with more, rebuild the model instead of repairing it. */
  discrepancies: Discrepancy[]
}

interface Suspect {
  collection: Collection
  id: string
}

/** Documents that differed, perhaps only because the model has changed. Compared again with both sides at the same position. */
export class Suspects {
  readonly #shadow: ShadowReplay
  #waiting: Suspect[] = []
  #differing = 0
  readonly #discrepancies: Discrepancy[] = []

  constructor(shadow: ShadowReplay) {
    this.#shadow = shadow
  }

  async add({ collection, id }: Suspect): Promise<void> {
    this.#waiting.push({ collection, id })
    if (this.#waiting.length >= MAX_SUSPECTS) await this.recheck()
  }

  async recheck(): Promise<Findings> {
    // Comparing took long. Catch up first, so that the snapshot is held only briefly.
    await this.#shadow.catchUp()
    return this.#shadow.atSamePosition(async (view) => {
      for (let i = 0; i < this.#waiting.length; i += PAGE) await this.#compareNow(view, this.#waiting.slice(i, i + PAGE))
      this.#waiting = []
      const { generation, checkpoint } = view
      return {
        generation: generation.number,
        position: checkpoint.position,
        differing: this.#differing,
        discrepancies: this.#discrepancies,
      }
    })
  }

  async #compareNow(view: ModelView, suspects: readonly Suspect[]): Promise<void> {
    for (const collection of new Set(suspects.map((suspect) => suspect.collection))) {
      const ids = suspects.filter((suspect) => suspect.collection === collection).map(({ id }) => id)
      const [kept, replayed] = await Promise.all([readStored(view, collection, ids), this.#shadow.reads.get(collection, ids)])
      const found = new Map(kept.map((each) => [each.id, each]))
      ids.forEach((id, i) => {
        this.#addFinding(discrepancy(collection, id, found.get(id), replayed[i]))
      })
    }
  }

  #addFinding(found: Discrepancy | null): void {
    if (found === null) return
    this.#differing += 1
    if (this.#discrepancies.length < MAX_SUSPECTS) this.#discrepancies.push(found)
  }
}
