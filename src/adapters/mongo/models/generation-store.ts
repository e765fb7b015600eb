import { randomUUID } from 'node:crypto'
import { type Binary, type ClientSession, type Db, type MongoClient, MongoServerError } from 'mongodb'
import {
  type Checkpoint,
  type Collection,
  type Commit,
  CommitTooLargeError,
  type Doc,
  FencedError,
  type Generation,
  type GenerationStore,
  type IndexQuery,
  type RangeQuery,
  type RunStep,
} from '../../../ports/document-store.js'
import { describeCheckpoint } from '../../stored-checkpoint.js'
import type { Connection } from '../connection.js'
import { type CheckpointDoc, checkpointFilter, checkpointsIn, collectionPrefix, generationId } from '../control-documents.js'
import { RefusedError, writeFew, writeMany } from './bulk-writes.js'
import { indexDescription } from './collections.js'
import type { DocumentLoader } from './document-loader.js'
import type { GroupCommit } from './group-commit.js'
import { MongoReads } from './reads.js'
import { Transactions } from './transactions.js'

/** How long a fence waits for a transaction of the old leader before it ends that leader's session once more. */
const FENCE_MS = 1000
const MAX_TIME_EXPIRED = 50
/**
 * What a transaction has written stays in the server's cache until it ends. One that does not fit is refused; servers from
 * before there was a word for that call it a conflict, which with one writer there cannot be for long.
 */
const TRANSACTION_TOO_LARGE = [388, 112]
/** A commit of more documents than these takes long on its own: the others shall not wait for it. */
const MAX_GROUPED_WRITES = 1000

/** What a commit writes of the checkpoint's document. */
type CheckpointUpdate = Pick<CheckpointDoc, 'checkpoint' | 'by' | 'trail'>

/** One generation's collections, opened for projecting. */
export class MongoGenerationStore implements GenerationStore {
  readonly generation: Generation
  readonly #client: MongoClient
  readonly #db: Db
  readonly #collections: readonly Collection[]
  readonly #reads: MongoReads
  readonly #transactions: Transactions
  readonly #groupCommit: GroupCommit
  readonly #onCommit: () => void

  constructor(
    { client, writing }: Connection,
    generation: Generation,
    collections: readonly Collection[],
    together: GroupCommit,
    loads: DocumentLoader,
    committed: () => void,
  ) {
    this.#client = client
    this.#db = writing
    this.generation = generation
    this.#collections = collections
    this.#groupCommit = together
    this.#onCommit = committed
    this.#reads = new MongoReads(writing, collectionPrefix(generation), {}, loads)
    this.#transactions = new Transactions(client)
  }

  /** With the smallest cache there is (256 MB), a transaction of 25,000 changes to the feed is refused. */
  readonly preferredCommitSize = 8_000

  get<D extends Doc>(collection: Collection<D>, ids: readonly string[]): Promise<(D | undefined)[]> {
    return this.#reads.get(collection, ids)
  }

  range<D extends Doc>(collection: Collection<D>, query: RangeQuery): Promise<D[]> {
    return this.#reads.range(collection, query)
  }

  ids(collection: Collection, query: RangeQuery): Promise<string[]> {
    return this.#reads.ids(collection, query)
  }

  count(collection: Collection, query: IndexQuery, atMost?: number): Promise<number> {
    return this.#reads.count(collection, query, atMost)
  }

  async checkpoint(): Promise<Checkpoint> {
    return (await this.#checkpointDoc()).checkpoint
  }

  async fence(epoch: number): Promise<Checkpoint> {
    for (;;) {
      const { writer, together = null, checkpoint } = await this.#checkpointDoc()
      if (checkpoint.epoch > epoch) throw this.#fencedError(epoch, checkpoint)
      await this.#killSessions([writer, together])
      const fenced = await this.#takeOver(epoch)
      if (fenced !== null) return fenced
    }
  }

  async commit(commit: Commit): Promise<void> {
    const { to: checkpoint, invalidationLog } = commit
    const moved = { checkpoint, by: randomUUID(), ...(invalidationLog === undefined ? {} : { trail: invalidationLog }) }
    try {
      if (!(await this.#commitInGroup(commit, moved))) await this.#commitAlone(commit, moved)
    } catch (error) {
      if (hasErrorCode(error, ...TRANSACTION_TOO_LARGE)) throw new CommitTooLargeError(commit.writes.length, { cause: error })
      throw error
    } finally {
      this.#groupCommit.recordCommit(this.#id)
    }
    this.#onCommit()
  }

  async #commitInGroup({ from, writes, computeDerived }: Commit, to: CheckpointUpdate): Promise<boolean> {
    if (computeDerived !== undefined || writes.length > MAX_GROUPED_WRITES) return false
    const write = (session: ClientSession) => writeFew(this.#db, collectionPrefix(this.generation), writes, session)
    return this.#groupCommit.commit({ id: this.#id, from: checkpointFilter(from), to, write })
  }

  async #commitAlone({ from, writes, computeDerived }: Commit, moved: CheckpointUpdate): Promise<void> {
    // Events that concern no document move the checkpoint alone, which one write does as well as a transaction.
    if (writes.length === 0 && computeDerived === undefined) await this.#advanceCheckpoint(from, moved)
    else
      await this.#transactions.run(async (session) => {
        if (!(await this.#advanceCheckpoint(from, moved, session))) return
        await this.#write(writes, session)
        if (computeDerived !== undefined) await this.#write(await computeDerived(this.#readsInSession(session)), session)
      })
  }

  /** `false` when an attempt before this one had worked, and only its answer got lost. */
  async #advanceCheckpoint(from: Checkpoint, to: CheckpointUpdate, session?: ClientSession): Promise<boolean> {
    const filter = { _id: this.#id, ...checkpointFilter(from) }
    const moved = await this.#checkpoints.updateOne(filter, { $set: to }, session === undefined ? {} : { session })
    if (moved.matchedCount === 1) return true
    const { checkpoint, by: last } = await this.#checkpointDoc()
    if (last === to.by) return false
    throw new FencedError(
      `${this.generation.projection} is at ${describeCheckpoint(checkpoint)}, not at ${describeCheckpoint(from)} where this projector left it`,
    )
  }

  async buildIndexes(around: RunStep = (step) => step()): Promise<void> {
    for (const { name, indexes } of this.#collections) {
      const query = indexes.filter(({ use }) => use === 'query')
      if (query.length === 0) continue
      // All of a collection's at once: the server then reads its documents once.
      await around(async () => {
        await this.#db.collection(collectionPrefix(this.generation) + name).createIndexes(query.map(indexDescription))
      })
    }
  }

  close(): Promise<void> {
    this.#groupCommit.forget(this.#id)
    return this.#transactions.close()
  }

  get #id(): string {
    return generationId(this.generation)
  }

  get #checkpoints() {
    return checkpointsIn(this.#db)
  }

  async #checkpointDoc() {
    const stored = await this.#checkpoints.findOne({ _id: this.#id })
    if (stored === null) throw new Error(`generation ${this.#id} is gone`)
    return stored
  }

  /**
   * A leader that was killed in the middle of a commit leaves its transaction open, and with it a lock on the
   * checkpoint that the server lets go only after a minute or more. The next leader need not wait: it ends the session.
   */
  async #killSessions(sessions: readonly (Binary | null)[]): Promise<void> {
    const own = this.#transactions.id?.toString('hex')
    const others = sessions.filter((id) => id !== null && id.toString('hex') !== own)
    if (others.length === 0) return
    // Without the right to do so there is still the server's own limit.
    await this.#client
      .db('admin')
      .command({ killSessions: others.map((id) => ({ id })) })
      .catch((error) => {
        if (!(error instanceof MongoServerError)) throw error
      })
  }

  async #takeOver(epoch: number): Promise<Checkpoint | null> {
    try {
      const fenced = await this.#checkpoints.findOneAndUpdate(
        { _id: this.#id, 'checkpoint.epoch': { $lte: epoch } },
        { $set: { 'checkpoint.epoch': epoch, writer: this.#transactions.id, together: this.#groupCommit.id } },
        { returnDocument: 'after', maxTimeMS: FENCE_MS },
      )
      return fenced?.checkpoint ?? null
    } catch (error) {
      if (hasErrorCode(error, MAX_TIME_EXPIRED)) return null
      throw error
    }
  }

  #fencedError(epoch: number, { epoch: now }: Checkpoint): FencedError {
    return new FencedError(`epoch ${epoch} is over: ${now} writes ${this.generation.projection} now`)
  }

  #write(writes: Commit['writes'], session: ClientSession): Promise<void> {
    return writeMany(this.#db, collectionPrefix(this.generation), writes, session)
  }

  #readsInSession(session: ClientSession): MongoReads {
    return new MongoReads(this.#db, collectionPrefix(this.generation), { session })
  }
}

const hasErrorCode = (error: unknown, ...codes: readonly number[]): boolean =>
  (error instanceof MongoServerError || error instanceof RefusedError) && codes.includes(Number(error.code))
