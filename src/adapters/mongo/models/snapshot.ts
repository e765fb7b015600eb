import { type ClientSession, type Db, type Document, MongoCompatibilityError } from 'mongodb'
import {
  type Checkpoint,
  type Collection,
  type Doc,
  type Generation,
  type IndexQuery,
  ModelUnavailableError,
  type ModelView,
  type RangeQuery,
  type SearchFilter,
  type SearchQuery,
  type Selectivity,
  type Snapshot,
  StoreUnavailableError,
} from '../../../ports/document-store.js'
import type { Connection } from '../connection.js'
import { type CheckpointDoc, collectionPrefix, type ProjectionDoc, projectionsIn, toGenerations } from '../control-documents.js'
import { isSnapshotGone, translateErrors } from '../errors.js'
import { MongoReads } from './reads.js'

/** Readers hear that there is no server within half a second, their own part of the way included. */
export const FIRST_ANSWER_MS = 400
/** A server that has just answered gets more time for the rows. */
const NEXT_ANSWERS_MS = 5000
/** Collections that are just being made may stand in the way of a snapshot for a moment. */
const ATTEMPTS = 5

/** Position and rows of all models at one moment: the server keeps the history that a snapshot session reads from. */
export function takeSnapshot(
  connection: Connection,
  projections: readonly string[],
  trails: boolean,
  patienceMs: number,
): Promise<Snapshot> {
  return translateErrors(async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await attemptSnapshot(connection, projections, trails, patienceMs)
      } catch (error) {
        if (attempt === ATTEMPTS || !isSnapshotGone(error)) throw error
      }
    }
  })
}

async function attemptSnapshot(
  { client, reading }: Connection,
  projections: readonly string[],
  trails: boolean,
  patienceMs: number,
): Promise<Snapshot> {
  const deadline = new AnswerDeadline()
  const session = client.startSession({ snapshot: true })
  const release = () => endSession(session)
  try {
    const how = { session, signal: deadline.signal }
    // The first read fixes the moment for all that follow.
    const found = await deadline.enforce(patienceMs, () =>
      retryOnceConnected(reading, deadline.signal, () =>
        projectionsIn(reading).aggregate<LiveProjection>(liveWithCheckpoint(projections, trails), how).toArray(),
      ),
    )
    const views = new Map<string, ModelView>()
    for (const projection of projections)
      views.set(
        projection,
        viewOf(projection, found, (generation) => new MongoReads(reading, collectionPrefix(generation), how), deadline),
      )
    return {
      model(projection) {
        const view = views.get(projection)
        if (view === undefined) throw new Error(`the snapshot does not include ${projection}`)
        return view
      },
      release,
    }
  } catch (error) {
    release()
    throw error
  }
}

/** While the driver knows no server it takes that for one too old for snapshots. Any other question waits for one. */
async function retryOnceConnected<T>(db: Db, signal: AbortSignal, question: () => Promise<T>): Promise<T> {
  try {
    return await question()
  } catch (error) {
    if (!(error instanceof MongoCompatibilityError)) throw error
    await db.command({ ping: 1 }, { signal })
    return question()
  }
}

interface LiveProjection extends ProjectionDoc {
  checkpoints: CheckpointDoc[]
}

/** In one question: which generation is live, and how far it has come. */
function liveWithCheckpoint(projections: readonly string[], trails: boolean): Document[] {
  const named = { $filter: { input: '$generations', cond: { $eq: ['$$this.number', '$live'] } } }
  const numbers = { live: { $toString: '$live' }, version: { $toString: { $first: '$generations.version' } } }
  return [
    { $match: { _id: { $in: [...projections] }, live: { $exists: true } } },
    { $set: { generations: named } },
    { $set: { id: { $let: { vars: numbers, in: { $concat: ['$_id', '_v', '$$version', '_g', '$$live'] } } } } },
    { $lookup: { from: 'checkpoints', localField: 'id', foreignField: '_id', as: 'checkpoints' } },
    // Larger than all the rest, and of no use to those who read documents.
    ...(trails ? [] : [{ $unset: 'checkpoints.trail' }]),
  ]
}

function viewOf(
  projection: string,
  found: readonly LiveProjection[],
  readsOf: (generation: Generation) => MongoReads,
  deadline: AnswerDeadline,
): ModelView {
  const doc = found.find(({ _id }) => _id === projection)
  const [generation] = doc === undefined ? [] : toGenerations(doc)
  const [stored] = doc?.checkpoints ?? []
  if (generation === undefined || stored === undefined) throw new ModelUnavailableError(projection)
  return new MongoModelView(generation, stored.checkpoint, stored.trail ?? null, readsOf(generation), deadline)
}

/** Ends nothing on the server: a snapshot is only a time at which to read. */
function endSession(session: ClientSession): void {
  session.endSession().catch(() => {})
}

/** Every answer must come in time, counted from the last question; between questions a snapshot may be kept for long. */
class AnswerDeadline {
  readonly #controller = new AbortController()
  #open = 0
  #timer: NodeJS.Timeout | undefined

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  async enforce<T>(ms: number, question: () => Promise<T>): Promise<T> {
    this.#open += 1
    this.#begin(ms)
    try {
      return await question()
    } finally {
      this.#open -= 1
      if (this.#open === 0) this.#end()
    }
  }

  #begin(ms: number): void {
    this.#end()
    const timer = setTimeout(() => {
      // Where this process itself was held up, the answer may have come already: it is read before the next turn.
      setImmediate(() => {
        if (this.#timer === timer) this.#controller.abort(new StoreUnavailableError('MongoDB does not answer'))
      })
    }, ms).unref()
    this.#timer = timer
  }

  #end(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}

class MongoModelView implements ModelView {
  readonly #reads: MongoReads
  readonly #deadline: AnswerDeadline

  constructor(
    readonly generation: Generation,
    readonly checkpoint: Checkpoint,
    readonly invalidationLog: string | null,
    reads: MongoReads,
    deadline: AnswerDeadline,
  ) {
    this.#reads = reads
    this.#deadline = deadline
  }

  get<D extends Doc>(collection: Collection<D>, ids: readonly string[]) {
    return this.#withDeadline(() => this.#reads.get(collection, ids))
  }

  range<D extends Doc>(collection: Collection<D>, query: RangeQuery) {
    return this.#withDeadline(() => this.#reads.range(collection, query))
  }

  ids(collection: Collection, query: RangeQuery) {
    return this.#withDeadline(() => this.#reads.ids(collection, query))
  }

  count(collection: Collection, query: IndexQuery, atMost?: number) {
    return this.#withDeadline(() => this.#reads.count(collection, query, atMost))
  }

  countMatching(collection: Collection, query: SearchQuery) {
    return this.#withDeadline(() => this.#reads.countMatching(collection, query))
  }

  idsMatching(collection: Collection, query: SearchQuery, limit: number) {
    return this.#withDeadline(() => this.#reads.idsMatching(collection, query, limit))
  }

  getMatching<D extends Doc>(collection: Collection<D>, filter: SearchFilter) {
    return this.#withDeadline(() => this.#reads.getMatching(collection, filter))
  }

  rangeMatching<D extends Doc>(collection: Collection<D>, query: RangeQuery, filter: SearchFilter, selectivity: Selectivity) {
    return this.#withDeadline(() => this.#reads.rangeMatching(collection, query, filter, selectivity))
  }

  /** The server keeps them; its own command `validate` is for those who doubt it. */
  async indexFaults() {
    return []
  }

  #withDeadline<T>(question: () => Promise<T>): Promise<T> {
    return translateErrors(() => this.#deadline.enforce(NEXT_ANSWERS_MS, question))
  }
}
