import { randomUUID } from 'node:crypto'
import { type Binary, type ClientSession, type Db, type MongoClient, MongoServerError } from 'mongodb'
import {
  type Checkpoint,
  type Collection,
  type Commit,
  CommitTooLargeError,
  checkpointHasMoved,
  epochIsOver,
  type Generation,
  type GenerationStore,
  type IndexSpec,
  type RunStep,
} from '../../../ports/document-store.js'
import type { Connection } from '../connection.js'
import { type CheckpointDoc, checkpointFilter, checkpointsIn, collectionPrefix, generationId } from '../control-documents.js'
import { answered } from '../errors.js'
import { RefusedError, type WriteOptions, writeDocuments } from './bulk-writes.js'
import type { DocumentLoader } from './document-loader.js'
import { indexDescription } from './indexes.js'
import { MongoReads } from './reads.js'
import { type GroupCommit, Transactions } from './transactions.js'

/** How long a fence waits for a transaction of the old leader before it kills that leader's session again. */
const FENCE_MS = 1000
const MAX_TIME_EXPIRED = 50
/**
 * The server keeps the writes of a transaction in its cache until it ends, and refuses one that does not fit. Older servers
 * report it as a write conflict (112), which one writer alone cannot cause for long.
 */
const TRANSACTION_TOO_LARGE = [388, 112]
/** A larger commit takes long, so others do not wait for it. */
const MAX_GROUPED_WRITES = 1000

/** The fields of the checkpoint's document that a commit sets. */
type CheckpointUpdate = Pick<CheckpointDoc, 'checkpoint' | 'by' | 'trail'>

/** One generation's collections, opened by its writer. */
export class MongoGenerationStore extends MongoReads implements GenerationStore {
  readonly generation: Generation
  readonly #client: MongoClient
  readonly #db: Db
  readonly #collections: readonly Collection[]
  readonly #transactions: Transactions
  readonly #groupCommit: GroupCommit
  readonly #onCommit: () => void

  constructor(
    { client, writing }: Connection,
    generation: Generation,
    collections: readonly Collection[],
    groupCommit: GroupCommit,
    loader: DocumentLoader,
    onCommit: () => void,
  ) {
    super(writing, collectionPrefix(generation), {}, loader)
    this.#client = client
    this.#db = writing
    this.generation = generation
    this.#collections = collections
    this.#groupCommit = groupCommit
    this.#onCommit = onCommit
    this.#transactions = new Transactions(client)
  }

  /** With the smallest cache (256 MB), the server refuses a transaction of 25,000 changes to the feed. */
  readonly preferredCommitSize = 8_000

  async checkpoint(): Promise<Checkpoint> {
    return (await this.#checkpointDoc()).checkpoint
  }

  async fence(epoch: number): Promise<Checkpoint> {
    for (;;) {
      const { writer, together = null, checkpoint } = await this.#checkpointDoc()
      if (checkpoint.epoch > epoch) throw epochIsOver(epoch, checkpoint.epoch, `writes ${this.generation.projection}`)
      await this.#killSessions([writer, together])
      const fenced = await this.#takeOver(epoch)
      if (fenced === null) continue
      // Of a declaration that was edited under the same version, some may be missing.
      if (this.generation.state !== 'loading') await this.#createIndexes(['fold', 'query'])
      return fenced
    }
  }

  async commit(commit: Commit): Promise<void> {
    const { to: checkpoint, invalidationLog } = commit
    const update = { checkpoint, by: randomUUID(), ...(invalidationLog === undefined ? {} : { trail: invalidationLog }) }
    try {
      if (!(await this.#commitInGroup(commit, update))) await this.#commitAlone(commit, update)
    } catch (error) {
      if (hasErrorCode(error, ...TRANSACTION_TOO_LARGE)) throw new CommitTooLargeError(commit.writes.length, { cause: error })
      throw error
    } finally {
      this.#groupCommit.recordCommit(this.#id)
    }
    this.#onCommit()
  }

  async #commitInGroup({ from, writes }: Commit, to: CheckpointUpdate): Promise<boolean> {
    if (writes.length > MAX_GROUPED_WRITES) return false
    // The number of commands is the cost of a small commit, so new documents are upserted together with the others.
    const write = (session: ClientSession) => this.#write(writes, session, { upsertNew: true })
    return this.#groupCommit.commit({ id: this.#id, from: checkpointFilter(from), to, write })
  }

  async #commitAlone({ from, writes }: Commit, update: CheckpointUpdate): Promise<void> {
    // Without documents, one write moves the checkpoint as well as a transaction would.
    if (writes.length === 0) await this.#advanceCheckpoint(from, update)
    else
      await this.#transactions.run(async (session) => {
        if (await this.#advanceCheckpoint(from, update, session)) await this.#write(writes, session)
      })
  }

  /** `false` when an earlier attempt succeeded and only its answer was lost. */
  async #advanceCheckpoint(from: Checkpoint, to: CheckpointUpdate, session?: ClientSession): Promise<boolean> {
    const filter = { _id: this.#id, ...checkpointFilter(from) }
    const moved = await answered(this.#checkpoints.updateOne(filter, { $set: to }, session === undefined ? {} : { session }))
    if (moved.matchedCount === 1) return true
    const { checkpoint, by: last } = await this.#checkpointDoc()
    if (last === to.by) return false
    throw checkpointHasMoved(this.generation.projection, from, checkpoint)
  }

  buildIndexes(runStep?: RunStep): Promise<void> {
    return this.#createIndexes(['query'], runStep)
  }

  /** Those that are there stay as they are. */
  async #createIndexes(uses: readonly IndexSpec['use'][], runStep: RunStep = (step) => step()): Promise<void> {
    for (const { name, indexes } of this.#collections) {
      const wanted = indexes.filter(({ use }) => uses.includes(use))
      if (wanted.length === 0) continue
      // All indexes of a collection at once: the server then reads its documents once.
      await runStep(async () => {
        await this.#db.collection(collectionPrefix(this.generation) + name).createIndexes(wanted.map(indexDescription))
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
    const stored = await answered(this.#checkpoints.findOne({ _id: this.#id }))
    if (stored === null) throw new Error(`generation ${this.#id} is gone`)
    return stored
  }

  /**
   * A leader that was killed during a commit leaves its transaction open, with a lock on the checkpoint that the server
   * releases only after a minute or more. The next leader need not wait: it kills the session.
   */
  async #killSessions(sessions: readonly (Binary | null)[]): Promise<void> {
    const own = this.#transactions.id?.toString('hex')
    const others = sessions.filter((id) => id !== null && id.toString('hex') !== own)
    if (others.length === 0) return
    // Without the permission for it, the server's own timeout still ends the transaction.
    const killSessions = this.#client.db('admin').command({ killSessions: others.map((id) => ({ id })) })
    await answered(killSessions).catch((error) => {
      if (!(error instanceof MongoServerError)) throw error
    })
  }

  async #takeOver(epoch: number): Promise<Checkpoint | null> {
    try {
      const fencing = this.#checkpoints.findOneAndUpdate(
        { _id: this.#id, 'checkpoint.epoch': { $lte: epoch } },
        { $set: { 'checkpoint.epoch': epoch, writer: this.#transactions.id, together: this.#groupCommit.id } },
        { returnDocument: 'after', maxTimeMS: FENCE_MS },
      )
      return (await answered(fencing))?.checkpoint ?? null
    } catch (error) {
      if (hasErrorCode(error, MAX_TIME_EXPIRED)) return null
      throw error
    }
  }

  #write(writes: Commit['writes'], session: ClientSession, options?: WriteOptions): Promise<void> {
    return writeDocuments(this.#db, collectionPrefix(this.generation), writes, session, options)
  }
}

const hasErrorCode = (error: unknown, ...codes: readonly number[]): boolean =>
  (error instanceof MongoServerError || error instanceof RefusedError) && codes.includes(Number(error.code))
