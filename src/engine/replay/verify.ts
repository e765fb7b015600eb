import type { Position } from '../../events/index.js'
import { fnv1a } from '../../lib/hash.js'
import type { Collection, DocumentStore, IndexFault, ModelView, Reads } from '../../ports/document-store.js'
import { withDeadLetters } from '../definition/dead-letter-collections.js'
import type { Projection } from '../definition/projection.js'
import { compareCollections, type Discrepancy, discrepancy } from './compare-documents.js'
import { ModelBusyError, withLiveView } from './live-view.js'
import { ReplayOutdatedError, ShadowReplay, type ShadowReplayOptions } from './shadow-replay.js'
import { readStored } from './stored-documents.js'

export interface VerifyOptions extends ShadowReplayOptions {
  /** Share of the documents to compare, chosen by their ids: the same ones every time. */
  sample?: number
  onCompared?: (documents: number) => void
  /** Called when all has to be folded once more. */
  onRestart?: () => void
}

export interface Verification extends Findings {
  projection: string
  /** Compared documents by collection. */
  compared: Record<string, number>
  /** Indexes that do not say what the documents say; not looked at with a sample. */
  indexes: (IndexFault & { collection: string })[]
  /** Events that are parked, and events that were discarded: taken into account, no damage. */
  parked: number
  discarded: number
}

/** Dead letters are few, and seldom replayed or discarded: three times in the time that a replay takes is no accident. */
const ATTEMPTS = 3

/**
 * Replays the log beside the live model and compares every document. The model may go on moving meanwhile: what looks
 * different at first is looked at again with both sides at exactly the same position. When other events have come to be
 * left out since, the replay is of no use, and begins once more.
 */
export async function verify(options: VerifyOptions): Promise<Verification> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await verifyOnce(options)
    } catch (error) {
      if (!(error instanceof ReplayOutdatedError)) throw error
      if (attempt === ATTEMPTS) throw changedTooOftenError(options.projection, error)
      options.onRestart?.()
    }
  }
}

const changedTooOftenError = ({ name }: Projection, { message }: ReplayOutdatedError): ModelBusyError =>
  new ModelBusyError(
    `the log has been replayed ${ATTEMPTS} times, and each time the dead letters of ${name} changed meanwhile: ${message}. Try again when nobody is at work on them`,
  )

async function verifyOnce(options: VerifyOptions): Promise<Verification> {
  const { projection, sample = 1 } = options
  const shadow = await ShadowReplay.open(options)
  try {
    // Folding the log has taken long: everything that has moved since would be a suspect.
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

/** Settles with how many documents of each collection have been looked at. */
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

/** Each collection at a moment of its own: commits go on, and a store keeps what they replace for as long as a look takes. */
async function faultyIndexes({ store, projection }: VerifyOptions): Promise<Verification['indexes']> {
  const faults: Verification['indexes'] = []
  for (const collection of withDeadLetters(projection).collections) {
    const found = await withLiveView(store, projection, (view) => view.indexFaults(collection))
    faults.push(...found.map((fault) => ({ collection: collection.name, ...fault })))
  }
  return faults
}

/** A long walk over a model in use, without holding on to one moment of it: stores forget old snapshots. */
function livePages(store: DocumentStore, projection: Projection): Pick<Reads, 'ids' | 'get'> {
  return {
    ids: (collection, query) => withLiveView(store, projection, (view) => view.ids(collection, query)),
    get: (collection, ids) => withLiveView(store, projection, (view) => view.get(collection, ids)),
  }
}

/** Spreads ids evenly over 0 to 1, always the same way. */
const sampleValueOf = (id: string): number => fnv1a(id) / 2 ** 32

/** Suspects remembered until they are looked at again; real differences beyond as many are counted, but not kept. */
const MAX_SUSPECTS = 10_000
const PAGE = 1000

export interface Findings {
  generation: number
  position: Position
  /** How many documents differ. */
  differing: number
  /** The first of them: beyond that the model is better rebuilt than repaired. */
  discrepancies: Discrepancy[]
}

interface Suspect {
  collection: Collection
  id: string
}

/**
 * Documents that looked different, while the model may just have moved on. They are looked at again with both sides at the
 * same position, as soon as there are many: none is let go unseen, however many there are.
 */
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

  /** What is known once none of them waits any more. */
  async recheck(): Promise<Findings> {
    // The walk that has led here took its time. What happened meanwhile is folded before the store has to hold on to a moment.
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
