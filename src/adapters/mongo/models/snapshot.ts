import { setMaxListeners } from 'node:events'
import { type AbstractCursor, type Db, type Document, MongoCompatibilityError } from 'mongodb'
import {
  type Checkpoint,
  type Generation,
  ModelUnavailableError,
  type ModelView,
  type Snapshot,
  StoreUnavailableError,
} from '../../../ports/document-store.js'
import { snapshotOf } from '../../../ports/models.js'
import type { Connection } from '../connection.js'
import { type CheckpointDoc, collectionPrefix, type ProjectionDoc, projectionsIn, toGenerations } from '../control-documents.js'
import { isIndexMissing, isSnapshotGone, translateErrors } from '../errors.js'
import { MongoReads, type ReadOptions } from './reads.js'

/** Readers must learn within half a second that there is no server, including their own share of the time. */
export const FIRST_ANSWER_MS = 400
/** A server that has answered once gets more time for the documents, until it is lost. */
const NEXT_ANSWERS_MS = 5000
/** Collections that are just being created can prevent a snapshot for a moment. */
const ATTEMPTS = 5

/** All models at one moment: a snapshot session reads from the history that the server keeps. */
export async function takeSnapshot(...wanted: Parameters<typeof attemptSnapshot>): Promise<Snapshot> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptSnapshot(...wanted)
    } catch (error) {
      if (attempt === ATTEMPTS || !isSnapshotGone(error)) throw error
    }
  }
}

async function attemptSnapshot(
  { client, reading, lost }: Connection,
  projections: readonly string[],
  withInvalidationLogs: boolean,
  firstAnswerMs: number,
): Promise<Snapshot> {
  const session = client.startSession({ snapshot: true })
  // Frees nothing on the server: a snapshot is only a time to read at.
  const end = () => void session.endSession().catch(() => {})
  let users = 0
  const open = (found: readonly LiveProjection[], deadline: AnswerDeadline): Snapshot => {
    const views = new Map<string, ModelView>()
    for (const projection of projections) {
      const [generation, stored] = liveGeneration(projection, found)
      const options = { session, signal: deadline.signal }
      views.set(projection, new MongoModelView(generation, stored.checkpoint, stored.trail ?? null, reading, options, deadline))
    }
    users += 1
    const release = () => {
      users -= 1
      if (users === 0) end()
    }
    return { ...snapshotOf(views, release), again: () => open(found, new AnswerDeadline(lost, firstAnswerMs)) }
  }
  try {
    const deadline = new AnswerDeadline(lost, firstAnswerMs)
    // The first read fixes the moment for all others.
    const readLive = () =>
      projectionsIn(reading)
        .aggregate<LiveProjection>(liveWithCheckpoint(projections, withInvalidationLogs), { session, signal: deadline.signal })
        .toArray()
    return open(await deadline.enforce(() => retryOnceConnected(reading, deadline.signal, readLive), true), deadline)
  } catch (error) {
    end()
    throw error
  }
}

/** Without a known server the driver throws an error about its version, instead of waiting as it does for other commands. */
async function retryOnceConnected<T>(db: Db, signal: AbortSignal, query: () => Promise<T>): Promise<T> {
  try {
    return await query()
  } catch (error) {
    if (!(error instanceof MongoCompatibilityError)) throw error
    await db.command({ ping: 1 }, { signal })
    return query()
  }
}

interface LiveProjection extends ProjectionDoc {
  checkpoints: CheckpointDoc[]
}

/** One pipeline for the live generation and its checkpoint. */
function liveWithCheckpoint(projections: readonly string[], withInvalidationLogs: boolean): Document[] {
  const live = { $filter: { input: '$generations', cond: { $eq: ['$$this.number', '$live'] } } }
  const numbers = { live: { $toString: '$live' }, version: { $toString: { $first: '$generations.version' } } }
  return [
    { $match: { _id: { $in: [...projections] }, live: { $exists: true } } },
    { $set: { generations: live } },
    { $set: { id: { $let: { vars: numbers, in: { $concat: ['$_id', '_v', '$$version', '_g', '$$live'] } } } } },
    { $lookup: { from: 'checkpoints', localField: 'id', foreignField: '_id', as: 'checkpoints' } },
    // It is larger than all the rest, and readers of documents do not need it.
    ...(withInvalidationLogs ? [] : [{ $unset: 'checkpoints.trail' }]),
  ]
}

function liveGeneration(projection: string, found: readonly LiveProjection[]): [Generation, CheckpointDoc] {
  const doc = found.find(({ _id }) => _id === projection)
  const [generation] = doc === undefined ? [] : toGenerations(doc)
  const [stored] = doc?.checkpoints ?? []
  if (generation === undefined || stored === undefined) throw new ModelUnavailableError(projection)
  return [generation, stored]
}

/**
 * Each answer must arrive in time, counted from the last query or from the loss of the server. Between queries a snapshot
 * may be kept for long.
 */
class AnswerDeadline {
  readonly #controller = new AbortController()
  readonly #lost: Connection['lost']
  readonly #firstMs: number
  #open = 0
  #timer: NodeJS.Timeout | undefined

  constructor(lost: Connection['lost'], firstMs: number) {
    this.#lost = lost
    this.#firstMs = firstMs
    // The driver listens once or twice for each query, and a read may begin any number of them at once.
    setMaxListeners(0, this.signal)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  async enforce<T>(query: () => Promise<T>, isFirst = false): Promise<T> {
    const lost = this.#lost()
    const hurry = () => this.#begin(this.#firstMs)
    this.#open += 1
    this.#begin(isFirst || lost.aborted ? this.#firstMs : Math.max(this.#firstMs, NEXT_ANSWERS_MS))
    lost.addEventListener('abort', hurry)
    try {
      return await query()
    } finally {
      lost.removeEventListener('abort', hurry)
      this.#open -= 1
      if (this.#open === 0) this.#end()
    }
  }

  #begin(ms: number): void {
    this.#end()
    const timer = setTimeout(() => {
      // If this process itself was blocked, the answer may have arrived: it is read before the next turn.
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

class MongoModelView extends MongoReads implements ModelView {
  readonly #deadline: AnswerDeadline

  constructor(
    readonly generation: Generation,
    readonly checkpoint: Checkpoint,
    readonly invalidationLog: string | null,
    db: Db,
    options: ReadOptions,
    deadline: AnswerDeadline,
  ) {
    super(db, collectionPrefix(generation), options)
    this.#deadline = deadline
  }

  protected override answers<T>(cursor: AbstractCursor<T>): Promise<T[]> {
    return translateErrors(() => this.#deadline.enforce(() => cursor.toArray())).catch((error) => {
      throw isIndexMissing(error) ? new ModelUnavailableError(this.generation.projection, error) : error
    })
  }

  /** The server maintains its indexes; its own command `validate` checks them. */
  async indexFaults() {
    return []
  }
}
