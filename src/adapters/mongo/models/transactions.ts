import { type Binary, type ClientSession, type Db, type Filter, type MongoClient, MongoError } from 'mongodb'
import { type CheckpointDoc, checkpointsIn } from '../control-documents.js'
import { answered } from '../errors.js'

/** Attempts at a transaction that conflicts with others, or meets a primary that steps down. After that the engine retries. */
const ATTEMPTS = 20

const TRANSACTION_OPTIONS = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' }, readPreference: 'primary' } as const

/**
 * Runs transactions in one server session, one after the other. As the driver's error labels demand, a transient error
 * repeats the whole transaction, and an unknown outcome repeats only the commit.
 */
export class Transactions {
  readonly #session: ClientSession
  readonly #attempts: number
  #last: Promise<unknown> = Promise.resolve()

  constructor(client: MongoClient, attempts = ATTEMPTS) {
    this.#attempts = attempts
    this.#session = client.startSession({ causalConsistency: false })
  }

  /** The server's id of the session. */
  get id() {
    return this.#session.id?.id ?? null
  }

  /** `work` may run several times; an attempt that seemed to fail may have been committed. */
  run<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => this.#attempt(work))
    this.#last = turn.catch(() => {})
    return turn
  }

  async close(): Promise<void> {
    await this.#last
    await this.#session.endSession()
  }

  #attempt<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
    return this.#retryOn('TransientTransactionError', async () => {
      try {
        this.#session.startTransaction(TRANSACTION_OPTIONS)
        const result = await work(this.#session)
        await this.#retryOn('UnknownTransactionCommitResult', () => answered(this.#session.commitTransaction()))
        return result
      } finally {
        if (this.#session.inTransaction()) await answered(this.#session.abortTransaction()).catch(() => {})
      }
    })
  }

  async #retryOn<T>(label: string, call: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await call()
      } catch (error) {
        if (attempt >= this.#attempts || !(error instanceof MongoError && error.hasErrorLabel(label))) throw error
      }
    }
  }
}

/** How long a commit waits for those that usually arrive with it. */
const GATHER_MS = 10
/** A generation that committed this recently is expected to commit again. */
const RECENT_MS = 200

/** One generation's commit. */
export interface GroupMember {
  /** The id of its checkpoint. */
  id: string
  /** Matches only while the checkpoint is where the writer left it. */
  from: Filter<CheckpointDoc>
  to: Partial<CheckpointDoc>
  write(session: ClientSession): Promise<void>
}

interface QueuedCommit {
  member: GroupMember
  settle(committed: boolean): void
}

/**
 * Commits several generations in one transaction. The cost of small commits is their number of commands, and the
 * projections of a process follow the same events: one transaction moves all checkpoints with one command, waits for the
 * disk once and notifies readers once. When anything fails, each generation commits on its own.
 */
export class GroupCommit {
  readonly #db: Db
  readonly #transactions: Transactions
  /** The time of each generation's last commit. */
  readonly #recentCommitters = new Map<string, number>()
  #queue: QueuedCommit[] = []
  #running = false
  #gatherTimer: NodeJS.Timeout | undefined
  #nextTurn: NodeJS.Immediate | undefined

  constructor(client: MongoClient, db: Db) {
    this.#db = db
    this.#transactions = new Transactions(client, 1)
  }

  /** The server session of these transactions. */
  get id(): Binary | null {
    return this.#transactions.id
  }

  /** `false` when the generation must commit on its own; this commit may have succeeded all the same. */
  commit(member: GroupMember): Promise<boolean> {
    return new Promise((resolve) => {
      this.#queue.push({ member, settle: resolve })
      this.#schedule()
    })
  }

  /** A commit of this generation has ended, in a group or alone. */
  recordCommit(id: string): void {
    this.#recentCommitters.set(id, performance.now())
  }

  /** Stops waiting for this generation. */
  forget(id: string): void {
    this.#recentCommitters.delete(id)
    this.#schedule()
  }

  async close(): Promise<void> {
    await this.#transactions.close()
  }

  #schedule(): void {
    if (this.#running || this.#queue.length === 0) return
    // In the next turn: others may still arrive in this one.
    if (this.#isComplete()) this.#nextTurn ??= setImmediate(() => void this.#commitQueued())
    else this.#gatherTimer ??= setTimeout(() => void this.#commitQueued(), GATHER_MS)
  }

  #isComplete(): boolean {
    const recently = performance.now() - RECENT_MS
    const here = new Set(this.#queue.map(({ member }) => member.id))
    return [...this.#recentCommitters].every(([id, at]) => here.has(id) || at < recently)
  }

  async #commitQueued(): Promise<void> {
    clearTimeout(this.#gatherTimer)
    clearImmediate(this.#nextTurn)
    this.#gatherTimer = undefined
    this.#nextTurn = undefined
    const group = this.#queue
    this.#queue = []
    if (group.length === 1) {
      group[0]?.settle(false)
      return
    }
    this.#running = true
    const committed = await this.#tryTransaction(group.map(({ member }) => member))
    this.#running = false
    for (const { settle } of group) settle(committed)
    this.#schedule()
  }

  async #tryTransaction(members: readonly GroupMember[]): Promise<boolean> {
    try {
      await this.#transactions.run(async (session) => {
        const moves = members.map(({ id, from, to }) => ({ updateOne: { filter: { ...from, _id: id }, update: { $set: to } } }))
        const { matchedCount } = await answered(checkpointsIn(this.#db).bulkWrite(moves, { session }))
        if (matchedCount < members.length) throw new Error('a checkpoint is not where its writer left it')
        for (const member of members) await member.write(session)
      })
      return true
    } catch {
      // The member that caused the error meets it again when it commits alone.
      return false
    }
  }
}
