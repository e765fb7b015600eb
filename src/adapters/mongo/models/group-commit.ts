import type { Binary, ClientSession, Db, Filter, MongoClient } from 'mongodb'
import { type CheckpointDoc, checkpointsIn } from '../control-documents.js'
import { Transactions } from './transactions.js'

/** How long a commit waits for those that usually come with it. */
const GATHER_MS = 10
/** Whoever has committed so recently is about to do it again. */
const RECENT_MS = 200

/** One generation's commit. */
export interface GroupMember {
  /** Of its checkpoint. */
  id: string
  /** Passes only while the checkpoint is where the writer left it. */
  from: Filter<CheckpointDoc>
  to: Partial<CheckpointDoc>
  write(session: ClientSession): Promise<void>
}

interface QueuedCommit {
  part: GroupMember
  settle(committed: boolean): void
}

/**
 * Commits what is ready of several generations in one transaction. Small commits cost by the number of their commands, and
 * the projections of a process follow the same events: one transaction moves all their checkpoints with one command, waits
 * for the disk once, and tells readers once. It is an attempt: when anything goes wrong none of the parts is committed, or
 * not known to be, and each of them is left to its own generation.
 */
export class GroupCommit {
  readonly #db: Db
  readonly #transactions: Transactions
  /** When the last commit of a generation ended. */
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

  /** `false` when the part is to be committed on its own; it may have been committed all the same. */
  commit(part: GroupMember): Promise<boolean> {
    return new Promise((resolve) => {
      this.#queue.push({ part, settle: resolve })
      this.#schedule()
    })
  }

  /** A commit of this generation has ended, however it was made. */
  recordCommit(id: string): void {
    this.#recentCommitters.set(id, performance.now())
  }

  /** This generation is not waited for any more. */
  forget(id: string): void {
    this.#recentCommitters.delete(id)
    this.#schedule()
  }

  async close(): Promise<void> {
    await this.#transactions.close()
  }

  #schedule(): void {
    if (this.#running || this.#queue.length === 0) return
    // Not in this very turn: others may be about to come in it.
    if (this.#isComplete()) this.#nextTurn ??= setImmediate(() => void this.#commitQueued())
    else this.#gatherTimer ??= setTimeout(() => void this.#commitQueued(), GATHER_MS)
  }

  #isComplete(): boolean {
    const recently = performance.now() - RECENT_MS
    const here = new Set(this.#queue.map(({ part }) => part.id))
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
    const committed = await this.#tryTransaction(group.map(({ part }) => part))
    this.#running = false
    for (const { settle } of group) settle(committed)
    this.#schedule()
  }

  async #tryTransaction(parts: readonly GroupMember[]): Promise<boolean> {
    try {
      await this.#transactions.run(async (session) => {
        const moves = parts.map(({ id, from, to }) => ({ updateOne: { filter: { ...from, _id: id }, update: { $set: to } } }))
        const { matchedCount } = await checkpointsIn(this.#db).bulkWrite(moves, { session })
        if (matchedCount < parts.length) throw new Error('a checkpoint is not where its writer left it')
        for (const part of parts) await part.write(session)
      })
      return true
    } catch {
      // Each part meets the reason again on its own, if it is its own.
      return false
    }
  }
}
